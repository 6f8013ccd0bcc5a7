package names

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/thesaurus"
)

// TestRegisterOfItsOwnNames takes tables as a register does, before anything else is asked: searches
// and pages know what is in them.
func TestRegisterOfItsOwnNames(t *testing.T) {
	list, sum, err := Read([]string{"testdata/eurovoc.ttl", "testdata/lau.csv", "testdata/regions.csv"})
	if err != nil || len(sum) != 64 || len(list) != 6 {
		t.Fatalf("%d concepts, sum %q: %v", len(list), sum, err)
	}
	thesaurus.Extend(list)
	for _, c := range []struct{ stated, lang, want string }{
		{"https://sws.geonames.org/2803139/", "fr", "Anvers"}, {"http://sws.geonames.org/2803139", "de", "Antwerp"},
		{"http://data.europa.eu/lau/BE-21013", "nl", "Saint-Gilles"}, {"https://register.example/id/lau/EL_0101", "en", "Αθηναίων"},
		{"BE2", "fr", "Région flamande"}, {"https://sws.geonames.org/1/", "en", ""}, {"http://eurovoc.europa.eu/9001", "de", "Bienenzucht"},
	} {
		if got := thesaurus.NameOf(c.stated, c.lang); got != c.want {
			t.Errorf("%s is called %q in %s, not %q", c.stated, got, c.lang, c.want)
		}
	}
	for q, code := range map[string]string{"imkerij": "http://eurovoc.europa.eu/9001", "apiculture": "http://eurovoc.europa.eu/9001", "Sint-Gillis": "lau:BE_21013", "Anvers": "http://sws.geonames.org/2803139"} {
		terms := termsOf(&catalog.Entry{Name: "x", Dataset: &catalog.DatasetDetails{Spatial: []string{"https://sws.geonames.org/2803139/", "http://data.europa.eu/lau/BE_21013"}}, Description: "Bee-keeping in the city."})
		if !named(q, search.ConceptMark+"own:"+code, terms) {
			t.Errorf("%q does not find what has the code %s", q, code)
		}
	}
}

// termsOf are the terms under which an entry is found.
func termsOf(e *catalog.Entry) (out []string) {
	var a search.Analyser
	e.NativeLang = "en"
	d := search.Project(&catalog.Row{Entry: *e}, nil)
	for _, o := range a.Analyse(&d).Terms {
		out = append(out, o.Term)
	}
	return out
}

// named tells whether a query means a concept that is one of the terms.
func named(q, concept string, terms []string) bool {
	var words []string
	search.Words(q, "", func(w search.Word) { words = append(words, w.Term) })
	return slices.Contains(terms, concept) && slices.ContainsFunc(search.Mentions(words), func(m search.Mention) bool { return m.Term == concept })
}

func TestUnfitTables(t *testing.T) {
	dir := t.TempDir()
	for file, c := range map[string]struct{ text, want string }{
		"a.txt":  {"x", "its name tells no form"},
		"b.csv":  {"name,en\nx,y\n", `no column "code"`},
		"c.csv":  {"code,en\n", "nothing in it has a name"},
		"d.ttl":  {"<http://a.example/1> <http://a.example/p> \"x\" .\n", "nothing in it has a name"},
		"e.ttl":  {"<http://a.example/1> <", "e.ttl"},
		"f.csv":  {"", "names no columns"},
		"g.json": {"{", "g.json"},
	} {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read([]string{path}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if list, sum, err := Read(nil); list != nil || sum != "" || err != nil {
		t.Errorf("no file: %v %q %v", list, sum, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/lau.csv", "testdata/regions.csv", "testdata/eurovoc.ttl"} {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, filepath.Ext(name))
	}
	f.Fuzz(func(t *testing.T, b []byte, extension string) {
		if extension != ".csv" && extension != ".ttl" {
			return
		}
		path := filepath.Join(t.TempDir(), "x"+extension)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		list, _, err := Read([]string{path})
		for _, c := range list {
			if err != nil || len(c.Codes) != 1 || len(c.Names) > namesMax {
				t.Fatalf("%+v %v", c, err)
			}
		}
	})
}
