package harvest_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
)

// A portal that moves to another host keeps its entries, and once more when it
// moves back; what is new there is new.
func TestPortalMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := func(host, id string) source.Draft {
		d := draft(host+":dataset:"+id, "Tides "+id, "https://"+host+"/page/"+id)
		d.Refs = []source.Ref{{Basis: source.RefStated, Ref: d.Entry.UpstreamRef}}
		return d
	}
	iri := func(host string) source.Draft {
		d := draft(host+":dataset:https://"+host+"/dataset/a", "Tides a", "https://"+host+"/page/a")
		d.Refs = []source.Ref{{Basis: source.RefIRI, Ref: d.Entry.UpstreamRef}}
		return d
	}
	at := w.official
	at.URL = "https://old.example.gov/"
	w.run(at, harvest.Options{}, record("old.example.gov", "1"), record("old.example.gov", "2"), iri("old.example.gov"))
	before := map[string]bool{}
	for _, e := range w.entries() {
		before[e.ID] = true
	}
	for _, host := range []string{"new.example.gov", "third.example.gov", "old.example.gov"} {
		at.URL = "https://" + host + "/"
		r := w.run(at, harvest.Options{}, record(host, "1"), record(host, "2"), iri(host))
		if r.Created != 0 || r.Updated != 3 {
			t.Errorf("moved to %s: %s", host, r.Summary())
		}
		for _, e := range w.entries() {
			if !before[e.ID] {
				t.Errorf("%s was made anew at %s", e.UpstreamRef, host)
			}
		}
		if e := w.known(host + ":dataset:1"); len(e.UpstreamAliases) == 0 {
			t.Errorf("at %s the former reference is lost: %+v", host, e)
		}
	}
	if r := w.run(at, harvest.Options{}, record("old.example.gov", "3")); r.Created != 1 {
		t.Errorf("what is new is %s", r.Summary())
	}
}

// A portal that goes over to https keeps its entries; two records of one run whose IRIs differ in no
// more than that are two.
func TestSchemeChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	iri := func(scheme, id string) source.Draft {
		d := draft("old.example.gov:dataset:"+scheme+"://old.example.gov/dataset/"+id, "Tides "+id, "https://old.example.gov/page/"+scheme+id)
		d.Refs = []source.Ref{{Basis: source.RefIRI, Ref: d.Entry.UpstreamRef}}
		return d
	}
	at := w.official
	at.URL = "https://old.example.gov/"
	w.run(at, harvest.Options{}, iri("http", "a"), iri("http", "b"))
	if r := w.run(at, harvest.Options{}, iri("https", "a"), iri("https", "b")); r.Created != 0 || r.Updated != 2 {
		t.Errorf("gone over to https: %s", r.Summary())
	}
	if r := w.run(at, harvest.Options{}, iri("https", "a"), iri("https", "b"), iri("https", "c"), iri("http", "c")); r.Created != 2 {
		t.Errorf("two schemes in one run: %s", r.Summary())
	}
}
