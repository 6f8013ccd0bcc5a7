package dcat

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

func TestWebURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://a.example/x?y=1#z": "https://a.example/x?y=1#z", " HTTP://A.Example ": "http://a.example", "https://a.example/a b": "https://a.example/a%20b",
		"https://a.example/%zz%41": "https://a.example/%25zz%41", "https://u:p@a.example:8443/#a#b": "https://a.example:8443/#a%23b",
		"https://bücher.example/ü": "https://xn--bcher-kva.example/%C3%BC", "https://a.example/?f[x]=1": "https://a.example/?f%5Bx%5D=1",
		"https://[::1]:80/": "https://[::1]:80/", "https://a.example:port/": "", "javascript:alert(1)": "", "https://": "", "https://a b/": "",
		"ftp://a.example/": "", "//a.example": "", "urn:x-assay:/id/1": "", "https://a.example\\evil": "", "https://a.example/\x01": "https://a.example/%01",
	} {
		if got := webURL(in); got != want {
			t.Errorf("webURL(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestLangTag(t *testing.T) {
	for in, want := range map[string]string{"fr": "fr", "sr-Latn-RS": "sr-latn-rs", "pt_BR": "pt-br", "de-CH-1996": "de-ch-1996", "EN": "en",
		"": "", "x": "", "fr-": "", "-fr": "", "f r": "", `en"@x`: "", "toolong": "", "grc": "grc"} {
		if got := langTag(in); got != want {
			t.Errorf("langTag(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		at             time.Time
		instant, dated string
	}{
		{time.Date(2026, 11, 21, 6, 0, 0, 5, time.FixedZone("", 3600)), "2026-11-21T05:00:00Z", "2026-11-21T05:00:00Z"},
		{day1, "2026-11-01T00:00:00Z", "2026-11-01"}, {time.Time{}, "", ""},
		{day1.AddDate(8000, 0, 0), "", ""}, {day1.AddDate(-2030, 0, 0), "", ""}, {day1.AddDate(-2000, 0, 0), "0026-11-01T00:00:00Z", "0026-11-01"},
	} {
		if got := instant(c.at).value; got != c.instant {
			t.Errorf("%v is the instant %q, want %q", c.at, got, c.instant)
		}
		if got := dated(c.at).value; got != c.dated {
			t.Errorf("%v is dated %q, want %q", c.at, got, c.dated)
		}
	}
}

func TestCodes(t *testing.T) {
	c := codes()
	for in, want := range map[string]string{"XK": "1A0", "EU": "EUR", "gr": "GRC", "GB": "GBR", "UN": "", "": ""} {
		if got := c.country(in); got != want {
			t.Errorf("country %q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"fr": "FRA", "de-AT": "DEU", "el": "ELL", "deu": "DEU", "tlh": "", "": "", "sr-Latn-RS": "SRP"} {
		if got := c.language(in); got != want {
			t.Errorf("language %q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"CSV": "CSV", "csv": "CSV", "JSON-LD": "JSON_LD", "application/ld+json": "JSON_LD", "Turtle": "RDF_TURTLE",
		"text/html": "HTML", "WMS": "WMS_SRVC", "shapefile": "SHP", "no such": "", "": "", "application/geo+json; charset=utf-8": "GEOJSON"} {
		if got := c.fileType(in); got != want {
			t.Errorf("file type %q is %q, want %q", in, got, want)
		}
	}
	for list, some := range map[string]int{listCountry: 200, listLanguage: 300, listFileType: 150, listMediaType: 1000, listFrequency: 30,
		listTheme: 13, listHVD: 90, listLicence: 150, listSPDX: 40, listAccess: 3, listDistStatus: 4, listLicenceType: 10, listPublisherType: 10} {
		if n := len(c.lists[list]); n < some {
			t.Errorf("list %s has %d codes", list, n)
		}
	}
	for tag, themes := range c.themes {
		for _, name := range themes {
			if _, ok := c.find(listTheme, name); !ok {
				t.Errorf("tag %s implies %s, which is no theme", tag, name)
			}
		}
	}
	for id, s := range c.lists[listSPDX] {
		if _, ok := c.find(listLicence, s.label); !ok {
			t.Errorf("licence %s is mapped to %s, which is none", id, s.label)
		}
		if _, ok := c.find(listLicenceType, s.extra); !ok {
			t.Errorf("licence %s has the type %s, which is none", id, s.extra)
		}
	}
}

// TestLicencesOfOneAddressAreOneNode: a writer goes on with an open node, also
// when what follows was written before.
func TestLicencesOfOneAddressAreOneNode(t *testing.T) {
	of := func(title string) *catalog.Licence { return &catalog.Licence{Title: title, URL: "https://l.example/"} }
	x := newIndex(&snapshot.Catalog{Site: site, Licences: map[string]*catalog.Licence{"a": of("A"), "b": of("B")}})
	tail := newTail(x)
	tail.ref([]byte(refLicence + " b"))
	tail.ref([]byte(refLicence + " a"))
	tail.ref([]byte(refLicence + " b"))
	w := turtleForm.open(nil, x.base)
	tail.write(w, turtleForm)
	w.rest()
	want := `<https://l.example/> a dct:LicenseDocument ;
    dct:title "A"@en ;
    a dct:LicenseDocument ;
    dct:title "B"@en .

`
	if d := cmp.Diff(want, string(w.bytes())); d != "" {
		t.Error(d)
	}
}

func TestLeftOut(t *testing.T) {
	r := New(Options{})
	all := files(t, r, freeze(t, r, fixture()))
	for _, n := range []int{6, 7} {
		for route, doc := range all {
			if strings.Contains(route, id(n)) || strings.Contains(doc, id(n)) {
				t.Errorf("%s mentions an entry that is left out", route)
			}
		}
	}
}

func TestAccessServiceCanBeSwitchedOff(t *testing.T) {
	for _, off := range []bool{false, true} {
		r := New(Options{NoAccessService: off})
		doc := files(t, r, freeze(t, r, fixture()))["/api/v1/catalog/dcat.ttl"]
		if strings.Contains(doc, "dcat:accessService") == off {
			t.Errorf("NoAccessService %v has no effect", off)
		}
		if !strings.Contains(doc, "dcat:servesDataset") {
			t.Error("dcat:servesDataset is missing")
		}
	}
}

// TestSameSnapshotSameBytes shuffles the input and renders twice.
func TestSameSnapshotSameBytes(t *testing.T) {
	rows := append(fixture(), hostile(3)...)
	a, b := New(Options{}), New(Options{})
	first := files(t, a, freeze(t, a, rows))
	slices.Reverse(rows)
	if d := cmp.Diff(first, files(t, b, freeze(t, b, rows))); d != "" {
		t.Error(d)
	}
}

// TestNothingVolatile renders a register before and after a round of checks.
func TestNothingVolatile(t *testing.T) {
	before, after := fixture(), fixture()
	for i := range after {
		e := &after[i].Entry
		after[i].Checks = []catalog.Check{{EntryID: e.ID, At: now, Up: true, LatencyMS: 77, HTTPStatus: 200}}
		if st := after[i].State; st != nil {
			st.LastCheckedAt, st.ConsecutiveFailures, st.State, st.ProbeHTTPStatus = now.AddDate(0, 0, 1), 3, catalog.StateFailing, 503
		}
	}
	r := New(Options{})
	a, b := files(t, r, freeze(t, r, before)), files(t, r, freeze(t, r, after))
	for _, route := range []string{"/api/v1/catalog/dcat.ttl", "/api/v1/catalog/dcat.jsonld", "/id/" + id(1) + ".ttl", "/catalog.ttl"} {
		if d := cmp.Diff(a[route], b[route]); d != "" {
			t.Errorf("%s moves with a check:\n%s", route, d)
		}
	}
	if a["/api/v1/catalog/dcat-quality.ttl"] == b["/api/v1/catalog/dcat-quality.ttl"] {
		t.Error("the measurements do not move with a check")
	}
}

// TestEveryMintedNameHasARoute looks each of the register's own names up among
// the files, and those that other formats write.
func TestEveryMintedNameHasARoute(t *testing.T) {
	r := New(Options{})
	all := files(t, r, freeze(t, r, fixture()))
	name := regexp.MustCompile(`<` + regexp.QuoteMeta(site.BaseURL) + `(/[^>#]*)`)
	for route, doc := range all {
		for _, m := range name.FindAllStringSubmatch(doc, -1) {
			at := m[1]
			_, direct := all[at]
			_, turtle := all[at+".ttl"]
			_, linked := all[at+".jsonld"]
			if !direct && (!turtle || !linked) && at != "/" && !strings.HasPrefix(at, entryPage) && !strings.HasPrefix(at, "/series/") {
				t.Errorf("%s: %s has no route", route, at)
			}
		}
	}
}

func TestPages(t *testing.T) {
	var rows []catalog.Row
	for n := range PageSize + 1 {
		row := synthetic(n)
		rows = append(rows, row)
	}
	r := New(Options{})
	c := freeze(t, r, rows)
	all := files(t, r, c)
	first, last := all[PageRoute(c.ID, 1, "ttl")], all[PageRoute(c.ID, 2, "ttl")]
	if _, third := all[PageRoute(c.ID, 3, "ttl")]; third || r.Pages(c) != 6 {
		t.Errorf("%d pinned documents", r.Pages(c))
	}
	for _, want := range []string{"hydra:PagedCollection", "hydra:PartialCollectionView", `hydra:totalItems "501"^^xsd:integer`,
		"hydra:next <" + site.BaseURL + PageRoute(c.ID, 2, "ttl"), "hydra:nextPage <", "hydra:last <", "hydra:lastPage <"} {
		if !strings.Contains(first, want) {
			t.Errorf("page 1 has no %s", want)
		}
	}
	if strings.Contains(last, "hydra:next") || !strings.Contains(last, "hydra:previous <") {
		t.Error("the last page has a next one, or none before it")
	}
	count := func(doc string) int { return strings.Count(doc, " a dcat:CatalogRecord ;") }
	if count(first) != PageSize || count(last) != 1 {
		t.Errorf("pages hold %d and %d entries", count(first), count(last))
	}
	empty := freeze(t, r, nil)
	if doc := files(t, r, empty)[PageRoute(empty.ID, 1, "ttl")]; !strings.Contains(doc, `totalItems "0"`) {
		t.Errorf("the empty page is %s", doc)
	}
}
