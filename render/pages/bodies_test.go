package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestAllBodies: each institution stands once on the pages of all of them, under
// its country, with what the register knows of it; those of no country come last.
func TestAllBodies(t *testing.T) {
	t.Parallel()
	c := &snapshot.Catalog{Institutions: map[string]*catalog.Institution{}}
	for i := range 2*bodiesPage + 1 {
		x := &catalog.Institution{ID: catalog.NewID("institution", fmt.Sprint(i)), Name: fmt.Sprintf("Office %03d", i), CountryCode: []string{"", "GR", "BE"}[i%3]}
		if i%2 == 1 {
			x.State = catalog.InstitutionStated
		}
		c.Institutions[x.ID] = x
		c.Lines = append(c.Lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: x.ID}, ID: catalog.NewID("entry", fmt.Sprint(i))})
	}
	b := newBook(New().renderer(c.Site), c)
	pages := map[string]string{}
	if err := b.allBodies(func(f artifact.File) error { pages[f.Route] = string(f.Body); return nil }); err != nil {
		t.Fatal(err)
	}
	text := pages["/browse/institution"] + pages["/browse/institution/2"] + pages["/browse/institution/3"]
	if len(pages) != (3+2+1)*len(languages) || strings.Count(text, `"/institution/`) != len(c.Institutions) {
		t.Fatalf("%d pages with %d institutions", len(pages), strings.Count(text, `"/institution/`))
	}
	place := -1
	for _, want := range []string{"<h2>Belgium</h2>", ">Office 002</span></a> <span class=\"soft small\">known<", ">Office 005</span></a> <span class=\"soft small\">stated<", "Office 398<",
		"<h2>Greece</h2>", "Office 001<", "Office 400<", "<h2>No country, or several</h2>", "Office 000<", "Office 399<"} {
		if at := strings.Index(text, want); at <= place {
			t.Errorf("%s stands at %d, what precedes it at %d", want, at, place)
		} else {
			place = at
		}
	}
	for state, name := range map[string][2]string{"known": {"Office 002<", "Office 001<"}, "stated": {"Office 001<", "Office 002<"}} {
		route := "/browse/institution/" + state
		text := pages[route] + pages[route+"/2"]
		if !strings.Contains(text, name[0]) || strings.Contains(text, name[1]) || !strings.Contains(pages["/browse/institution"], `href="`+route+`"`) ||
			!strings.Contains(pages[route], `<a class="chip" aria-current="page" href="`+route+`">`) {
			t.Errorf("%s shows others, or is not linked:\n%s", route, pages[route])
		}
	}
}

// TestMergedBodies: at the address of a merged institution lies a page that leads
// to the other one, where that has a page.
func TestMergedBodies(t *testing.T) {
	t.Parallel()
	id := func(name string) string { return catalog.NewID("institution", name) }
	heir := &catalog.Institution{ID: id("heir"), Name: "Heir"}
	c := &snapshot.Catalog{Site: snapshot.Site{BaseURL: "https://register.example/in"}, Lines: []snapshot.Line{{Traits: &snapshot.Traits{InstitutionID: heir.ID}, ID: id("entry")}},
		Institutions: map[string]*catalog.Institution{heir.ID: heir, id("old"): heir},
		MergedBodies: map[string]string{id("old"): heir.ID, "old": heir.ID, id("older"): id("nobody")}}
	pages := map[string]string{}
	if err := newBook(New().renderer(c.Site), c).institutions(func(f artifact.File) error { pages[f.Route] = string(f.Body); return nil }); err != nil {
		t.Fatal(err)
	}
	old := pages["/institution/"+id("old")]
	if len(pages) != 2*len(languages)+1 || !strings.Contains(old, `<meta http-equiv="refresh" content="0; url=/in/institution/`+heir.ID+`">`) ||
		!strings.Contains(old, `<link rel="canonical" href="https://register.example/in/institution/`+heir.ID+`">`) || !strings.Contains(old, ">Heir</bdi></a>") {
		t.Errorf("%d pages, that of the merged one\n%s", len(pages), old)
	}
	if strings.Contains(pages["/institution/"+heir.ID], `http-equiv="refresh"`) {
		t.Error("the other one leads away")
	}
}
