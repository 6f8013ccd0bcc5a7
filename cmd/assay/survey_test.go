package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// TestVerifySamplesData: a check that succeeds is followed by a look at the
// data, which the next build publishes; the look is not repeated before its
// time, nor taken at all with --survey-every 0.
func TestVerifySamplesData(t *testing.T) {
	t.Parallel()
	var gets int
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		if r.Method == http.MethodGet {
			gets++
			_, _ = w.Write([]byte("country,value\nGR,1\nBG,2\nRO,3\nFR,4\nDE,5\n"))
		}
	}))
	defer srv.Close()
	db, now := "sqlite:"+filepath.Join(t.TempDir(), "survey.db"), time.Now().UTC().Add(-time.Hour)
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := &catalog.Entry{ID: catalog.NewID("entry", "x"), Slug: "table", Type: catalog.TypeDataset, Name: "Table", Status: catalog.StatusActive,
		FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone, CreatedAt: now, UpdatedAt: now, PublishedAt: now,
		Dataset: &catalog.DatasetDetails{Distributions: []catalog.Distribution{{DownloadURL: srv.URL + "/table.csv", Format: "CSV"}}}}
	e.IdentityKey, e.MatchKey = catalog.IdentityKey(e.Type, "", e.Name), catalog.MatchKey(e.Type, "", "table")
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.json")
	base := []string{"--db", db, "--allow-private", "--rate-per-host", "200", "--all", "--report", report}
	for i, c := range []struct {
		extra  []string
		result string
		gets   int
	}{{[]string{"--survey-every", "0"}, "", 0}, {nil, "first", 1}, {nil, "", 1}} {
		code, _, text := assayVerify(t, append(base, c.extra...)...)
		var sum verify.Summary
		doc, err := os.ReadFile(report)
		if err == nil {
			err = json.Unmarshal(doc, &sum)
		}
		if code != 0 || err != nil || gets != c.gets || len(sum.Surveys) != c.gets && c.result != "" || strings.Contains(text, "looked at: first") != (c.result == "first") {
			t.Fatalf("run %d: exit %d, %v, %d samples, %v\n%s", i, code, err, gets, sum.Surveys, text)
		}
	}
	site := filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--out", site)
	page, err := os.ReadFile(filepath.Join(site, "api", "v1", "entries", "table", "index.json"))
	if err != nil || !strings.Contains(string(page), `"concept":"iso-3166-1-alpha-2"`) || !strings.Contains(string(page), `"field_count":2`) {
		t.Errorf("%v: %.2000s", err, page)
	}
}
