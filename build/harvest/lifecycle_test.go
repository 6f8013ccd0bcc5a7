package harvest_test

import (
	"errors"
	"slices"
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
	list := services(6)
	c := draft("h:k:c", "Currents", tides+"/c")
	full := slices.Concat(list, []source.Draft{c})
	all := harvest.Options{Complete: true}
	w.run(w.official, all, full...)
	status := func() catalog.Status { return w.named("Currents").Status }
	for n := 1; n <= 3; n++ {
		r := w.run(w.official, all, list...)
		if r.Missing != 1 || (r.Gone == 1) != (n == 3) || (status() == catalog.StatusDeprecated) != (n == 3) {
			t.Fatalf("harvest %d: %s, %s", n, r.Summary(), status())
		}
	}
	n := len(w.events())
	if r := w.run(w.official, all, full...); r.Updated != 1 || status() != catalog.StatusActive {
		t.Fatalf("back again: %s, %s", r.Summary(), status())
	}
	if events := w.events()[n:]; len(events) != 1 || events[0].Type != catalog.EventReactivated {
		t.Errorf("events %+v", events)
	}
	// An emptied portal takes nothing along, however often it is harvested.
	for range 4 {
		if r := w.run(w.official, all); r.Gone != 0 || r.Notice == "" || r.State != catalog.RunQuarantined {
			t.Fatal(r.Summary())
		}
	}
	// Missed twice, met, missed twice: not three in a row.
	for _, l := range [][]source.Draft{list, list, full, list, list} {
		w.run(w.official, all, l...)
	}
	if status() != catalog.StatusActive {
		t.Error("deprecated although it was met in between")
	}
}

// TestOnlyCompleteRunsCount: what is no whole listing says nothing about what
// is missing.
func TestOnlyCompleteRunsCount(t *testing.T) {
	w := newWorld(t)
	list := services(7)
	all := harvest.Options{Complete: true}
	w.run(w.official, all, list...)
	for range 4 {
		// Not told to be complete; ended with an error; broke off.
		w.run(w.official, harvest.Options{}, list[:6]...)
		if r, err := w.try(w.official, all, failing{drafts(list[:6]), nil}); err == nil || r.State != catalog.RunPartial || r.In != 6 {
			t.Fatal(r.Summary(), err)
		}
		cut := source.Rejection{Place: "list", Code: source.CodeTruncatedGzip, Reason: "cut", Remedy: "fetch it again"}
		if r, err := w.try(w.official, all, failing{drafts(list[:6]), &cut}); err != nil || r.State != catalog.RunPartial || len(r.Errors) != 1 {
			t.Fatal(r.Summary(), err)
		}
	}
	// Read to its end, but for a part that nobody can name.
	for range 3 {
		part := source.Rejection{Place: "list", Code: source.CodeBrokenJSON, Reason: "no JSON", Remedy: "correct it"}
		if r, err := w.try(w.official, all, failing{drafts(list[:6]), &part}); err != nil || r.State != catalog.RunComplete || r.Missing != 0 || r.Notice == "" {
			t.Fatal(r.Summary(), err)
		}
	}
	for n := 1; n <= 3; n++ {
		if r := w.run(w.official, all, list[:6]...); r.Missing != 1 || (r.Gone == 1) != (n == 3) {
			t.Fatalf("harvest %d: %s", n, r.Summary())
		}
	}
}

func TestShrunkenListingWaitsForAPerson(t *testing.T) {
	for _, c := range []struct {
		name   string
		listed int
		held   bool
	}{{"a fifth is lost", 8, false}, {"more than a fifth", 7, true}, {"nearly all", 1, true}, {"all", 0, true}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			list := services(10)
			all := harvest.Options{Complete: true}
			w.run(w.official, all, list...)
			for range 5 {
				r := w.run(w.official, all, list[:c.listed]...)
				if (r.State == catalog.RunQuarantined) != c.held || c.held && r.Gone > 0 {
					t.Fatal(r.State, r.Summary())
				}
			}
			if active := w.count(catalog.StatusActive); c.held && active != 10 || !c.held && active != c.listed {
				t.Errorf("%d are active", active)
			}
		})
	}
}

func TestConfirm(t *testing.T) {
	w := newWorld(t)
	list := services(10)
	all := harvest.Options{Complete: true}
	w.run(w.official, all, list...)
	if _, err := harvest.Confirm(w.ctx, w.st, w.official.ID, w.now); !errors.Is(err, harvest.ErrNothingHeld) {
		t.Errorf("error %v", err)
	}
	r := w.run(w.official, all, list[:4]...)
	run, err := harvest.Confirm(w.ctx, w.st, w.official.ID, w.now)
	if err != nil || run.ID != r.Run || run.State != catalog.RunComplete || run.ConfirmedAt.IsZero() {
		t.Fatalf("%+v, %v", run, err)
	}
	// That was the first complete harvest without them; the listing is now
	// the measure.
	if r := w.run(w.official, all, list[:4]...); r.State != catalog.RunComplete || r.Gone != 0 {
		t.Fatal(r.Summary())
	}
	if r := w.run(w.official, all, list[:4]...); r.State != catalog.RunComplete || r.Gone != 6 {
		t.Fatal(r.Summary())
	}
	if r := w.run(w.official, all, list[:2]...); r.State != catalog.RunQuarantined {
		t.Fatal(r.Summary())
	}
	// A full listing settles the doubt; a flag takes the place of the person.
	if r := w.run(w.official, all, list[:4]...); r.State != catalog.RunComplete {
		t.Fatal(r.Summary())
	}
	if _, err := harvest.Confirm(w.ctx, w.st, w.official.ID, w.now); !errors.Is(err, harvest.ErrNothingHeld) {
		t.Errorf("error %v", err)
	}
	for n := 1; n <= 3; n++ {
		if r := w.run(w.official, harvest.Options{Complete: true, Confirmed: true}); r.State != catalog.RunComplete || (r.Gone == 4) != (n == 3) {
			t.Fatal(n, r.Summary())
		}
	}
}
