package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

// recheckTime is how soon "check again" is answered (fix-it.md).
const recheckTime = time.Minute

// TestCheckAgainAnswersInAMinute: the owner mends one of two records and asks the service, as it is shipped, to
// look again. Within a minute the catalogue is read and the entry probed, the finding has left the list and the page, and
// the one that was not mended is still there.
func TestCheckAgainAnswersInAMinute(t *testing.T) {
	t.Parallel()
	p := &mendable{}
	srv := httptest.NewServer(p)
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	config, db := filepath.Join(dir, "assay.yaml"), "sqlite:"+filepath.Join(dir, "assay.db")
	text := fmt.Sprintf("db: %q\nsite: %q\nallow_private: true\ngap: 10ms\nrate_per_host: 100\nconfirm_after: 100ms\nsources:\n  - {key: office, kind: datajson, url: %q, title: Catalogue of the office, country: US, official: Run by the state}\n",
		db, filepath.Join(dir, "site"), srv.URL+"/data.json")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "harvest", "--config", config)
	const secret = "assay_owner_TEST"
	claim := ownedSource(t, db, secret)
	base := start(t, "serve", "--rebuild", "--config", config, "--addr", "127.0.0.1:0")
	o := &fixer{t: t, base: base, secret: secret}
	o.institution, o.slugs = o.entries()
	if o.until("both records to be mended", func() bool { return o.listed("Rain gauges") && o.listed("Tide gauges") }); t.Failed() {
		return
	}
	probes := probed(t, db)
	p.mended.Store(true)
	began := time.Now()
	var queued struct{ Probe, Harvest *string }
	o.ask("POST", "/api/v1/claims/"+claim+"/recheck", `{"entry":"`+o.slugs["Rain gauges"]+`"}`, http.StatusAccepted, &queued)
	if queued.Probe == nil || queued.Harvest == nil {
		t.Errorf("queued %+v", queued)
	}
	o.until("the finding to vanish", func() bool { return !o.listed("Rain gauges") })
	o.until("the probe", func() bool { return probed(t, db) > probes })
	took := time.Since(began)
	if !o.listed("Tide gauges") {
		t.Error("what was not mended left the list")
	}
	if t.Logf("answered in %s", took.Round(10*time.Millisecond)); took > recheckTime {
		t.Errorf("answered in %s, want at most %s", took, recheckTime)
	}
}

// mendable is a portal with two records that lack a description, until the first is mended.
type mendable struct{ mended atomic.Bool }

func (p *mendable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/data.json" {
		w.Header().Set("Content-Type", "text/csv")
		_, _ = io.WriteString(w, "id,name\n1,a\n")
		return
	}
	record := func(title, description string) map[string]any {
		id := strings.ToLower(title[:4])
		return map[string]any{"@type": "dcat:Dataset", "identifier": id, "title": title, "description": description, "keyword": []string{"water"}, "modified": "2026-11-01", "accessLevel": "public",
			"license": "https://creativecommons.org/publicdomain/zero/1.0/", "publisher": map[string]any{"name": "Office of Water"}, "contactPoint": map[string]any{"fn": "Desk", "hasEmail": "mailto:desk@water.example"},
			"landingPage":  "https://water.example/" + id,
			"distribution": []any{map[string]any{"downloadURL": "http://" + r.Host + "/" + id + ".csv", "mediaType": "text/csv", "format": "CSV"}}}
	}
	description := ""
	if p.mended.Load() {
		description = "The water that fell in each hour at each gauge of the country, since 1961."
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "dataset": []any{record("Rain gauges", description), record("Tide gauges", "")}})
}

// ownedSource keeps a claim of the only source that was proved.
func ownedSource(t *testing.T, db, secret string) (id string) {
	t.Helper()
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		sources, err := tx.Sources().All(t.Context())
		at := slices.IndexFunc(sources, func(s catalog.Source) bool { return s.Key == "office" })
		if err != nil || at < 0 {
			return fmt.Errorf("no source of the office among %d: %w", len(sources), err)
		}
		now := time.Now().UTC()
		c := catalog.Claim{ID: catalog.NewID("claim", "office"), SubjectID: sources[at].ID, Source: true, Method: catalog.ClaimDNS, Domain: "water.example", Value: "v", SecretHash: web.Digest(secret),
			State: catalog.ClaimVerified, CreatedAt: now, VerifiedAt: now, CheckedAt: now}
		id = c.ID
		return tx.Claims().Put(t.Context(), c)
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// fixer is an owner who looks at the list and at the page.
type fixer struct {
	t                         *testing.T
	base, secret, institution string
	slugs                     map[string]string
}

func (f *fixer) ask(method, path, body string, status int, v any) string {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.base+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+f.secret)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && v != nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil || resp.StatusCode != status {
		f.t.Fatalf("%s %s: status %d, want %d, %v: %.500s", method, path, resp.StatusCode, status, err, text)
	}
	return string(text)
}

func (f *fixer) until(what string, ok func() bool) {
	f.t.Helper()
	for end := time.Now().Add(3 * recheckTime); !ok(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			f.t.Fatalf("waited for %s", what)
		}
	}
}

// entries are the slugs by name, and the institution of all.
func (f *fixer) entries() (institution string, slugs map[string]string) {
	slugs = map[string]string{}
	f.until("two entries", func() bool {
		var page struct {
			Items []struct {
				Slug, Name    string
				InstitutionID string `json:"institution_id"`
			}
		}
		f.ask("GET", "/api/v1/entries?limit=10", "", http.StatusOK, &page)
		for _, x := range page.Items {
			slugs[x.Name], institution = x.Slug, x.InstitutionID
		}
		return len(slugs) == 2
	})
	return institution, slugs
}

// listed tells whether the list, and the page alike, have a record without a description.
func (f *fixer) listed(name string) bool {
	f.t.Helper()
	var list struct {
		Items []struct{ Name, Rule string }
	}
	f.ask("GET", "/api/v1/institutions/"+f.institution+"/fixes", "", http.StatusOK, &list)
	for _, x := range list.Items {
		if x.Name == name && strings.Contains(x.Rule, "description") {
			return strings.Contains(f.ask("GET", "/institution/"+f.institution+"/fixes", "", http.StatusOK, nil), name)
		}
	}
	return false
}
