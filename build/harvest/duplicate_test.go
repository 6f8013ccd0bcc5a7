package harvest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

const doi = "https://doi.org/10.1234/tides"

func other(d source.Draft, change func(*catalog.Entry)) source.Draft {
	change(&d.Entry)
	return d
}

// The evidence by which two records of two catalogues are one, may be one, or
// have nothing to do with each other.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	mine := draft("a:k:1", "Tide Times", tides)
	mine.Entry.Titles = catalog.Texts{"en": "Tide Times", "cy": "Amserau'r Llanw"}
	far := "https://tides.example.uk/elsewhere"
	for name, c := range map[string]struct {
		theirs           source.Draft
		merged, proposed int
	}{
		"name, address and publisher": {draft("b:k:1", "TIDE times", tides+"/"), 1, 0},
		"title in a shared language": {other(draft("b:k:1", "Amserau'r Llanw", tides), func(e *catalog.Entry) {
			e.Titles = catalog.Texts{"cy": "amserau'r llanw"}
		}), 1, 0},
		"title in another language": {other(draft("b:k:1", "Amserau'r Llanw", tides), func(e *catalog.Entry) {
			e.Titles = catalog.Texts{"gd": "Amserau'r Llanw"}
		}), 0, 1},
		"another publisher":              {source.Draft{Place: "x", PublisherKey: "fr-meteo", Delivered: 1, Entry: other(draft("b:k:1", "Tide Times", tides), func(*catalog.Entry) {}).Entry}, 0, 1},
		"another address":                {draft("b:k:1", "Tide Times", far), 0, 1},
		"another name":                   {draft("b:k:1", "Tide Heights", tides), 0, 1},
		"another name and address":       {draft("b:k:1", "Tide Heights", far), 0, 0},
		"the same reference, no more":    {draft("a:k:1", "Tide Heights", far), 0, 0},
		"another type":                   {other(served("1"), func(e *catalog.Entry) { e.Name, e.PrimarySourceURL = "Tide Times", tides }), 0, 0},
		"a persistent identifier":        {other(draft("b:k:1", "Tide Heights", far), func(e *catalog.Entry) { e.Identifiers = []string{doi} }), 1, 0},
		"another identifier":             {other(draft("b:k:1", "Tide Heights", far), func(e *catalog.Entry) { e.Identifiers = []string{doi + "2"} }), 0, 0},
		"the name of a blank node alone": {other(draft("b:k:1", "Tide Heights", far), func(e *catalog.Entry) { e.Identifiers = []string{skolem} }), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			mine := mine
			mine.Entry.Identifiers = []string{doi, skolem}
			second := w.official
			second.ID, second.URL = harvest.SourceID("second"), "https://second.example.gov/"
			w.run(w.official, harvest.Options{}, mine)
			r := w.run(second, harvest.Options{}, c.theirs)
			if r.Merged != c.merged || r.PossibleDuplicates != c.proposed || r.Created != 1-c.merged {
				t.Errorf("want %d merged, %d possible duplicates\n%s", c.merged, c.proposed, r.Summary())
			}
			list := w.entries()
			if len(list) != 2 {
				t.Fatalf("%d entries, want a row for each record", len(list))
			}
			first, last := list[0], list[1]
			if first.SourceID != w.official.ID {
				first, last = last, first
			}
			if got := last.MergedIntoID; (got == first.ID) != (c.merged == 1) {
				t.Errorf("merged into %q", got)
			}
			if got, back := slices.Equal(last.MayBe(), []string{first.ID}), slices.Equal(first.MayBe(), []string{last.ID}); got != back || got != (c.proposed == 1) {
				t.Errorf("proposed there %t, back %t", got, back)
			}
			n := len(w.events())
			w.run(second, harvest.Options{}, c.theirs)
			if w.run(w.official, harvest.Options{}, mine); len(w.events()) != n {
				t.Errorf("the same again wrote %+v", w.events()[n:])
			}
		})
	}
}

const skolem = "https://data.example.gov/.well-known/genid/1"

// A merged record has its event, and both have their provenance.
func TestMergedRecordIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.official
	second.ID, second.URL = harvest.SourceID("second"), "https://second.example.gov/"
	w.run(w.official, harvest.Options{}, draft("a:k:1", "Tide Times", tides))
	w.run(second, harvest.Options{}, draft("b:k:1", "Tide Times", tides))
	first, theirs := w.known("a:k:1"), w.known("b:k:1")
	events := slices.DeleteFunc(w.events(), func(e catalog.Event) bool { return e.EntryID != theirs.ID })
	if len(events) != 1 || events[0].Type != catalog.EventMerged || events[0].Unpublished || len(events[0].Changes) == 0 {
		t.Errorf("events of the merged record: %+v", events)
	}
	if theirs.Status != catalog.StatusRemoved || theirs.MergedIntoID != first.ID || theirs.Slug == first.Slug || len(w.rows(theirs.ID)) == 0 {
		t.Errorf("the merged record is %+v", theirs)
	}
	if !slices.ContainsFunc(w.rows(first.ID), func(r catalog.FieldRow) bool { return r.Field == "name" }) {
		t.Error("the survivor has no trail")
	}
}

// What a moderator made one stays one when its source, the same for both, lists it again.
func TestMergedWithinASourceStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := draft("a:k:1", "Tide Times", tides), draft("a:k:2", "Times of the Tide", tides+"/2")
	w.run(w.official, harvest.Options{}, first)
	w.now = w.now.Add(time.Hour)
	w.run(w.official, harvest.Options{}, first, second)
	survivor, merged := w.known("a:k:1"), w.known("a:k:2")
	kind, err := merged.MergeInto(&survivor, w.now)
	if err != nil {
		t.Fatal(err)
	}
	w.update(func(tx catalog.Tx) error {
		return tx.Entries().Put(w.ctx, catalog.Write{Entry: &merged, Events: []catalog.Event{{Type: kind, OccurredAt: w.now}}})
	})
	for range 2 {
		second.Entry.Description += " Corrected."
		if r := w.run(w.official, harvest.Options{}, first, second); r.Suppressed != 0 || r.Created != 0 {
			t.Errorf("the listing does not count for the survivor\n%s", r.Summary())
		}
		if e := w.known("a:k:2"); e.Status != catalog.StatusRemoved || e.MergedIntoID != survivor.ID {
			t.Errorf("the merged entry is %s, merged into %q", e.Status, e.MergedIntoID)
		}
		if e := w.known("a:k:1"); e.Status != catalog.StatusActive || e.Name != "Tide Times" {
			t.Errorf("the survivor is %s, %q", e.Status, e.Name)
		}
	}
}

// What was taken apart stays apart, whoever is harvested next, and the survivor
// does not get back what the other listing brought.
func TestTakenApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.official
	second.ID, second.URL = harvest.SourceID("second"), "https://second.example.gov/"
	const docs = "https://second.example.gov/docs"
	mine, theirs := draft("a:k:1", "Tide Times", tides), other(draft("b:k:1", "Tide Times", tides), func(e *catalog.Entry) { e.DocsURL = docs })
	w.run(w.official, harvest.Options{}, mine)
	w.run(second, harvest.Options{}, theirs)
	if got := w.known("a:k:1").DocsURL; got != docs {
		t.Fatalf("the other listing brought %q", got)
	}
	survivor := w.known("a:k:1")
	brought := w.rows(survivor.ID)
	w.update(func(tx catalog.Tx) error {
		e := w.known("b:k:1")
		kind, err := e.Unmerge(w.now)
		if err != nil {
			return err
		}
		survivor.GiveBack(&e, brought)
		back := catalog.Event{Type: catalog.EventUpdated, OccurredAt: w.now, Changes: []catalog.FieldChange{{Field: "docs_url"}}}
		if err := tx.Entries().Put(w.ctx, catalog.Write{Entry: &survivor, Events: []catalog.Event{back}}); err != nil {
			return err
		}
		return tx.Entries().Put(w.ctx, catalog.Write{Entry: &e, Events: []catalog.Event{{Type: kind, OccurredAt: w.now}}})
	})
	for range 2 {
		if r := w.run(second, harvest.Options{}, theirs); r.Merged != 0 || r.PossibleDuplicates != 0 || r.Unchanged+r.Updated != 1 {
			t.Errorf("the listing is not one of its own\n%s", r.Summary())
		}
		w.run(w.official, harvest.Options{}, mine)
	}
	if e := w.known("b:k:1"); e.Status != catalog.StatusActive || e.MergedIntoID != "" || len(w.entries()) != 2 || e.DocsURL != docs {
		t.Errorf("the entry is %+v", e)
	}
	if got := w.known("a:k:1").DocsURL; got != "" {
		t.Errorf("the survivor keeps what the other listing brought: %q", got)
	}
}

// Two records of one catalogue that state the same identifier as one of another
// catalogue are not made one by way of it.
func TestNoMergeThroughAThird(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.official
	second.ID, second.URL = harvest.SourceID("second"), "https://second.example.gov/"
	with := func(ref, name string) source.Draft {
		return other(draft(ref, name, tides+"/"+ref), func(e *catalog.Entry) { e.Identifiers = []string{doi} })
	}
	w.run(w.official, harvest.Options{}, with("a:k:1", "Tide Times"))
	r := w.run(second, harvest.Options{}, with("b:k:1", "Gauge 1"), with("b:k:2", "Gauge 2"))
	if r.Merged != 1 || r.Created != 1 || r.PossibleDuplicates != 1 {
		t.Errorf("want one merged and one that may be the same\n%s", r.Summary())
	}
}
