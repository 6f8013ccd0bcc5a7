package harvest_test

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Two catalogues on one host have what both call 1 under two references, whoever
// is asked first the next time, and also when nothing is known any more of who was.
func TestCataloguesOnOneHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	catalogue := func(key string) catalog.Source {
		s := w.official
		s.ID, s.Key, s.URL = harvest.SourceID(key), key, "https://data.example.gov/"+key
		return s
	}
	one, other := catalogue("land"), catalogue("sea")
	records := func(about string) []source.Draft {
		first := draft("data.example.gov:k:1", "The "+about, "https://"+about+".tides.example.uk/1")
		second := draft("data.example.gov:k:2", "More of the "+about, "https://"+about+".tides.example.uk/2")
		second.Entry.Relations = []catalog.Relation{{Kind: catalog.RelationServes, Ref: "data.example.gov:k:1"}}
		return []source.Draft{first, second}
	}
	w.run(one, harvest.Options{}, records("land")...)
	if r := w.run(other, harvest.Options{}, records("sea")...); r.Created != 2 {
		t.Fatal(r.Summary())
	}
	refs := func() (list []string) {
		for _, e := range w.entries() {
			list = append(list, e.UpstreamRef)
		}
		slices.Sort(list)
		return list
	}
	want := []string{"data.example.gov:k:1", "data.example.gov:k:2", "data.example.gov:k:sea/1", "data.example.gov:k:sea/2"}
	if got := refs(); !slices.Equal(got, want) {
		t.Fatalf("references %q", got)
	}
	for _, about := range []string{"land", "sea"} {
		if more := w.named("More of the " + about); more.Relations[0].EntryID != w.named("The "+about).ID {
			t.Errorf("the second of %s leads to %+v", about, more.Relations)
		}
	}
	for _, x := range []struct {
		s    catalog.Source
		list []source.Draft
	}{{other, records("sea")}, {one, records("land")}} {
		if r := w.run(x.s, harvest.Options{}, x.list...); r.Unchanged != 2 {
			t.Errorf("again: %s", r.Summary())
		}
	}
	w.update(func(tx catalog.Tx) error { return tx.Meta().Set(w.ctx, "harvest.refs.data.example.gov:k:", "") })
	w.run(other, harvest.Options{}, records("sea")...)
	w.run(one, harvest.Options{}, records("land")...)
	if got := refs(); len(got) != 4 || !slices.Contains(got, "data.example.gov:k:land/1") {
		t.Errorf("after what was known is gone: %q", got)
	}
}
