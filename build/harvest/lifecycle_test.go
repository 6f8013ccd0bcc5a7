package harvest_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func TestRemovedIsSuppressed(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	w.run(w.official, harvest.Options{}, d)
	w.change(func(e *catalog.Entry) catalog.EventKind {
		kind, err := e.Transition(catalog.Change{To: catalog.StatusRemoved, Reason: "spam", At: w.now})
		if err != nil {
			t.Fatal(err)
		}
		return kind
	})
	if r := w.run(w.official, harvest.Options{}, d); r.Suppressed != 1 || w.only().Status != catalog.StatusRemoved {
		t.Fatal(r.Summary())
	}
	d.Entry.UpstreamRef = "h:k:2"
	if r := w.run(w.official, harvest.Options{}, d); r.Suppressed != 1 {
		t.Fatalf("under another reference: %s", r.Summary())
	}
}

func TestGoneAndBack(t *testing.T) {
	w := newWorld(t)
	a, b, c := draft("h:k:1", "Tide Times", tides), draft("h:k:2", "Harbours", tides+"/h"), draft("h:k:3", "Currents", tides+"/c")
	all := harvest.Options{Complete: true}
	w.run(w.official, all, a, b, c)
	status := func() catalog.Status {
		for _, e := range w.entries() {
			if e.Name == "Currents" {
				return e.Status
			}
		}
		return ""
	}
	for n := 1; n <= 3; n++ {
		r := w.run(w.official, all, a, b)
		if r.Missing != 1 || (r.Gone == 1) != (n == 3) || (status() == catalog.StatusDeprecated) != (n == 3) {
			t.Fatalf("harvest %d: %s, %s", n, r.Summary(), status())
		}
	}
	n := len(w.events())
	if r := w.run(w.official, all, a, b, c); r.Updated != 1 || status() != catalog.StatusActive {
		t.Fatalf("back again: %s, %s", r.Summary(), status())
	}
	if events := w.events()[n:]; len(events) != 1 || events[0].Type != catalog.EventReactivated {
		t.Errorf("events %+v", events)
	}
	// An emptied portal takes nothing along, however often it is harvested.
	for range 4 {
		if r := w.run(w.official, all); r.Gone != 0 || r.Notice == "" {
			t.Fatal(r.Summary())
		}
	}
	// Missed twice, met, missed twice: not three in a row.
	for _, list := range [][]source.Draft{{a, b}, {a, b}, {a, b, c}, {a, b}, {a, b}} {
		w.run(w.official, all, list...)
	}
	if status() != catalog.StatusActive {
		t.Error("deprecated although it was met in between")
	}
}
