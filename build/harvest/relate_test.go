package harvest_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func service(serves ...string) source.Draft {
	d := draft("h:service:wms", "Tide Maps", tides)
	for _, id := range serves {
		d.Entry.Relations = append(d.Entry.Relations, catalog.Relation{Kind: catalog.RelationServes, Ref: "h:dataset:" + id, Title: id})
		d.Entry.Members = append(d.Entry.Members, catalog.Member{Name: id, Title: id})
	}
	return d
}

func served(id string, by ...string) source.Draft {
	d := draft("h:dataset:"+id, "Tides "+id, "https://tides.example.uk/data/"+id)
	d.Entry.Type, d.Entry.API, d.Entry.Dataset = catalog.TypeDataset, nil, &catalog.DatasetDetails{}
	for _, ref := range by {
		d.Entry.Relations = append(d.Entry.Relations, catalog.Relation{Kind: catalog.RelationServedBy, Ref: ref})
	}
	return d
}

// known is the entry with an upstream ref.
func (w *world) known(ref string) catalog.Entry {
	w.t.Helper()
	for _, e := range w.entries() {
		if e.UpstreamRef == ref {
			return e
		}
	}
	w.t.Fatalf("no entry %s", ref)
	return catalog.Entry{}
}

// targets are the ids that the relations of an entry lead to, "" for what is no
// entry.
func targets(e catalog.Entry) (ids []string) {
	for _, x := range e.Relations {
		ids = append(ids, x.EntryID)
	}
	return ids
}

// A service comes before what it serves: its relations and members lead there
// all the same, and stay when the same is harvested again.
func TestRelationsLeadForward(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list := []source.Draft{service("a", "b", "nowhere"), served("a", "h:service:wms"), served("b")}
	w.run(w.official, harvest.Options{Batch: 1}, list...)
	s, a, b := w.known("h:service:wms"), w.known("h:dataset:a"), w.known("h:dataset:b")
	if got := targets(s); len(got) != 3 || got[0] != a.ID || got[1] != b.ID || got[2] != "" {
		t.Errorf("the service leads to %q, want %s, %s and nothing", got, a.ID, b.ID)
	}
	for i, want := range []string{a.ID, b.ID, ""} {
		if m := s.Members[i]; m.EntryID != want {
			t.Errorf("member %s has the id %q, want %q", m.Name, m.EntryID, want)
		}
	}
	if got := targets(a); len(got) != 1 || got[0] != s.ID {
		t.Errorf("the dataset is served by %q, want %s", got, s.ID)
	}
	n := len(w.events())
	if r := w.run(w.official, harvest.Options{Batch: 1}, list...); r.Unchanged != 3 || len(w.events()) != n {
		t.Errorf("the same again wrote %+v\n%s", w.events()[n:], r.Summary())
	}
	// What the source does not state any more leads nowhere.
	w.run(w.official, harvest.Options{}, service("b"), list[1], list[2])
	if s = w.known("h:service:wms"); len(s.Relations) != 1 || s.Relations[0].EntryID != b.ID || s.Members[0].EntryID != b.ID {
		t.Errorf("relations %+v, members %+v", s.Relations, s.Members)
	}
}

// A relation finds an entry by each of its references.
func TestRelationsFindAliases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := served("a")
	a.Refs = []source.Ref{{Basis: source.RefStated, Ref: "h:dataset:stated"}, {Basis: source.RefIRI, Ref: "h:dataset:a"}}
	a.Entry.UpstreamRef = "h:dataset:stated"
	w.run(w.official, harvest.Options{}, service("a"), a)
	if s, a := w.known("h:service:wms"), w.known("h:dataset:stated"); s.Relations[0].EntryID != a.ID {
		t.Errorf("%+v does not lead to %s", s.Relations, a.ID)
	}
}
