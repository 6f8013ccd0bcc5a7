package dynamic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// citing is a service that keeps citations.
func citing(t *testing.T) (*Service, *sitetest.Site, catalog.Store) {
	t.Helper()
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 12, BaseURL: "https://register.example/reg"})
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	at := time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)
	s, err := New(Config{SiteDir: site.Dir, Store: st, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	return s, site, st
}

func citations(t *testing.T, st catalog.Store) int {
	t.Helper()
	n := 0
	err := st.View(t.Context(), func(tx catalog.Tx) error {
		return tx.Evidences().Scan(t.Context(), catalog.Range{}, func(*catalog.Evidence) error { n++; return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// used are the uses that were counted.
func used(t *testing.T, st catalog.Store) (list []catalog.UseDay) {
	t.Helper()
	err := st.View(t.Context(), func(tx catalog.Tx) error {
		return tx.UseDays().Scan(t.Context(), catalog.Range{}, func(d *catalog.UseDay) error { list = append(list, *d); return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestACitationIsReplayedForEver(t *testing.T) {
	s, site, st := citing(t)
	id := site.Catalog.Lines[0].ID
	page := site.Page("/api/v1/entries/" + id)
	w := get(s, "GET", "/api/v1/entries/"+site.Catalog.Lines[0].Slug+"/evidence")
	c := decode[wire.Citation](t, w)
	if w.Code != 200 || c.SHA256 != web.Sum(page) || c.EntryID != id || c.Bytes != len(page) || c.URL != "https://register.example/reg/api/v1/evidence/"+c.ID ||
		c.Href != "/reg/api/v1/evidence/"+c.ID || c.Snapshot == nil || *c.Snapshot != site.Catalog.ID || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	again := decode[wire.Citation](t, get(s, "GET", "/api/v1/entries/"+id+"/evidence"))
	if again.ID != c.ID || citations(t, st) != 1 {
		t.Errorf("the same answer is kept %d times", citations(t, st))
	}
	if got, want := used(t, st), []catalog.UseDay{{EntryID: id, Day: "2026-11-21", Uses: catalog.Uses{Citations: 1}}}; !slices.Equal(got, want) {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	// Another build changes the entry; the citation does not.
	sitetest.Make(t, site.Dir, sitetest.Options{Entries: 12, Generation: 1, BaseURL: "https://register.example/reg"})
	if err := s.library.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, accept := range []string{"", "application/json", "*/*"} {
		w := get(s, "GET", c.Href, "Accept", accept)
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), page) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" ||
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Header().Get("Assay-Snapshot") != site.Catalog.ID || !strings.HasPrefix(w.Header().Get("Vary"), "Accept,") {
			t.Errorf("Accept %q: %d %v", accept, w.Code, w.Header())
		}
		if tag := w.Header().Get("Etag"); get(s, "GET", c.Href, "If-None-Match", tag).Code != http.StatusNotModified {
			t.Error("its tag is not recognised")
		}
	}
}

func TestHEADStoresNothing(t *testing.T) {
	s, site, st := citing(t)
	w := get(s, "HEAD", "/api/v1/entries/"+site.Catalog.Lines[0].ID+"/evidence")
	if w.Code != 200 || w.Body.Len() != 0 || citations(t, st) != 0 {
		t.Errorf("%d, %d bytes, %d citations", w.Code, w.Body.Len(), citations(t, st))
	}
}

func TestCiteRefuses(t *testing.T) {
	s, _, st := citing(t)
	for target, want := range map[string]int{"nothing": 404, "former-3": 308, sitetest.Merged: 308, sitetest.Removed: 410, "e1-record/evidence?x=1": 422} {
		if !strings.Contains(target, "/evidence") {
			target += "/evidence"
		}
		if w := get(s, "GET", "/api/v1/entries/"+target); w.Code != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for target, want := range map[string]int{"nothing": 404, "00000000-0000-5000-8000-000000000000": 404, "00000000-0000-5000-8000-000000000000?format=pdf": 422, "x?y=z": 422} {
		if w := get(s, "GET", "/api/v1/evidence/"+target); w.Code != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if citations(t, st) != 0 {
		t.Error("something was kept")
	}
}

func TestFormsOfACitation(t *testing.T) {
	s, site, st := citing(t)
	const hostile = `<script>alert("x")</script> & 100% {TeX} \input`
	body := fmt.Appendf(nil, `{"name":%q,"type":"DATASET","primary_source_url":"javascript:alert(1)","institution":{"name":"Αρχή_1"}}`, hostile)
	e := catalog.Evidence{ID: catalog.NewID("evidence", "x"), EntryID: site.Catalog.Lines[0].ID, SHA256: web.Sum(body), Body: body, Media: "application/json", CreatedAt: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)}
	if err := st.Update(t.Context(), func(tx catalog.Tx) error { return tx.Evidences().Put(t.Context(), e) }); err != nil {
		t.Fatal(err)
	}
	route := "/api/v1/evidence/" + e.ID
	for _, c := range []struct{ query, accept, media, want, not string }{
		{"", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8", "&lt;script&gt;alert", `<script>alert`},
		{"?format=html", "", "text/html; charset=utf-8", e.SHA256, `href="javascript:`},
		{"", "application/x-bibtex", "application/x-bibtex; charset=utf-8", `\& 100\% \{TeX\} \textbackslash{}input`, "snapshot"},
		{"?format=bibtex", "", "application/x-bibtex; charset=utf-8", `author       = {{Αρχή\_1}},`, "100% "},
		{"?format=csl", "", "application/vnd.citationstyles.csl+json", `"date-parts":[[2026,11,2]]`, `"type":"webpage"`},
		{"", "application/vnd.citationstyles.csl+json", "application/vnd.citationstyles.csl+json", `"literal":"Αρχή_1"`, "\\u003c"},
		{"?format=json", "text/html", "application/json", string(body), "<!doctype"},
	} {
		w := get(s, "GET", route+c.query, "Accept", c.accept)
		text := w.Body.String()
		if c.query == "?format=html" { // the answer itself may say so, a link may not
			text, _, _ = strings.Cut(text, "<pre ")
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != c.media || !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%q, Accept %q: %d %s\n%s", c.query, c.accept, w.Code, w.Header().Get("Content-Type"), text)
		}
		if strings.Contains(c.media, "json") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s is no JSON", c.media)
		}
	}
	for accept, want := range map[string]string{"": "Cite as", "fr-CA, en;q=0.5": "À citer comme", "de": "Zitieren als"} {
		w := get(s, "GET", route, "Accept", "text/html", "Accept-Language", accept)
		if !strings.Contains(w.Body.String(), "<dt>"+want) || strings.Contains(w.Body.String(), "⟦") || !strings.HasPrefix(w.Header().Get("Vary"), "Accept, Accept-Language") {
			t.Errorf("Accept-Language %q: no %s, Vary %s", accept, want, w.Header().Get("Vary"))
		}
	}
}

func TestVerify(t *testing.T) {
	s, site, _ := citing(t)
	id := site.Catalog.Lines[0].ID
	page := site.Page("/api/v1/entries/" + id)
	var sealed struct {
		Manifest wire.Manifest `json:"manifest"`
	}
	if err := json.Unmarshal(page, &sealed); err != nil {
		t.Fatal(err)
	}
	find := func(sum string) (int, wire.HashReport) {
		w := get(s, "GET", "/api/v1/verify/"+sum)
		if w.Code != 200 {
			return w.Code, wire.HashReport{}
		}
		return w.Code, decode[wire.HashReport](t, w)
	}
	for sum, of := range map[string]string{web.Sum(page): wire.HashOfBody, sealed.Manifest.AnswerSHA256: wire.HashOfAnswer} {
		code, r := find(sum)
		if code != 200 || len(r.Matches) != 2 || r.Matches[0].Of != of || *r.Matches[0].Snapshot != site.Catalog.ID || r.Matches[0].Href == nil || len(r.Searched) != 1 {
			t.Errorf("%s: %d %+v", of, code, r)
		}
	}
	cited := decode[wire.Citation](t, get(s, "GET", "/api/v1/entries/"+id+"/evidence"))
	sitetest.Make(t, site.Dir, sitetest.Options{Entries: 12, Generation: 1, BaseURL: "https://register.example/reg"})
	sitetest.Expire(site.Dir, site.Catalog.ID)
	if err := s.library.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	code, r := find(sealed.Manifest.AnswerSHA256)
	last := r.Matches[len(r.Matches)-1]
	if code != 200 || last.EvidenceID == nil || *last.EvidenceID != cited.ID || last.Of != wire.HashOfAnswer {
		t.Errorf("after its snapshot expired: %d %+v", code, r)
	}
	for sum, want := range map[string]int{strings.Repeat("0", 64): 404, "short": 422, strings.ToUpper(web.Sum(page)): 422, web.Sum(page) + "0": 422, strings.Repeat("z", 64): 422} {
		if code, _ := find(sum); code != want {
			t.Errorf("%s: %d, want %d", sum, code, want)
		}
	}
}
