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

// TestPublisherIsIdentified holds that an agent has the identifiers that its source states.
func TestPublisherIsIdentified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stated catalog.Agent
		want   []string
	}{
		"a number":     {catalog.Agent{IRI: "https://org.example/id/7", Identifiers: []string{"https://org.example/id/7", "0207.451.227"}}, []string{"https://org.example/id/7", "0207.451.227"}},
		"a blank node": {catalog.Agent{IRI: "https://data.example/.well-known/genid/7"}, nil},
		"a person":     {catalog.Agent{IRI: "https://orcid.example/7", Person: true}, nil},
	} {
		e := entry(1, catalog.TypeDataset, "Puits")
		e.InstitutionID, e.PublisherName, e.Publisher = "", "Havendienst", &c.stated
		r := New(Options{})
		doc := files(t, r, freeze(t, r, []catalog.Row{{Entry: e}}))["/id/"+e.ID+".ttl"]
		_, agent, _ := strings.Cut(doc, "> a foaf:Agent")
		agent, _, _ = strings.Cut(agent, " .\n")
		for _, id := range c.want {
			if !strings.Contains(agent, `"`+id+`"`) {
				t.Errorf("%s: %s is missing\n%s", name, id, agent)
			}
		}
		if strings.Contains(agent, "dct:identifier") != (c.want != nil) {
			t.Errorf("%s: %s", name, agent)
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
