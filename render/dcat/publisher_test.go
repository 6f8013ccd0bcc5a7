package dcat

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestPublisherIsTheStatedOne holds that the publisher has the name that the
// source states, also where the institution that it is has others.
func TestPublisherIsTheStatedOne(t *testing.T) {
	t.Parallel()
	institution := institutions[0]
	const body = "<https://register.example/assay/id/institution/"
	for stated, own := range map[string]bool{"": false, institution.Name: false, institution.NameEn: false, "INSEE": true} {
		e := entry(1, catalog.TypeDataset, "Puits")
		e.InstitutionID, e.PublisherName = institution.ID, stated
		r := New(Options{})
		doc := files(t, r, freeze(t, r, []catalog.Row{{Entry: e}}))["/id/"+e.ID+".ttl"]
		if got := !strings.Contains(doc, "dct:publisher "+body); got != own {
			t.Errorf("%q: an agent of its own: %v\n%s", stated, got, doc)
		}
		if !strings.Contains(doc, `"`+stated) || !strings.Contains(doc, body+institution.ID+"> a foaf:Agent") {
			t.Errorf("%q or the institution is not named\n%s", stated, doc)
		}
		if own != strings.Contains(doc, "rdfs:seeAlso "+body+institution.ID+">") {
			t.Errorf("%q: the institution is told: %v\n%s", stated, !own, doc)
		}
	}
}

func TestIsCalled(t *testing.T) {
	t.Parallel()
	i := &catalog.Institution{Name: "Havendienst", NameEn: "Port Office", Names: catalog.Texts{"fr": "Service du port", "de-t-nl": "Hafenamt"}}
	for name, want := range map[string]bool{"Havendienst": true, "Port Office": true, "Service du port": true, "Hafenamt": false, "Port": false} {
		if isCalled(i, name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
