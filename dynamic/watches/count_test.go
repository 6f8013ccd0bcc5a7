package watches

import (
	"net/http"
	"slices"
	"testing"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/render/catalog"
)

// TestConfirmedWatchesOfOneEntryAreCounted for its popularity, once; one that is
// about many entries says nothing about any.
func TestConfirmedWatchesOfOneEntryAreCounted(t *testing.T) {
	b := newBed(t)
	id := catalog.NewID("entry", "watched")
	for name, f := range map[string]catalog.EventFilter{"one": {Entries: []string{id}}, "many": {Countries: []string{"GR"}}} {
		token, err := b.Keys.Verify(t.Context(), name, "mail")
		if err != nil {
			t.Fatal(err)
		}
		w := catalog.Watch{ID: name, Email: name + "@readers.example", Filter: f, Frequency: catalog.FrequencyDaily, State: catalog.WatchPending,
			VerifyHash: notify.HashToken(token), CreatedAt: b.now, UpdatedAt: b.now}
		if err := b.Store.Update(t.Context(), func(tx catalog.Tx) error { return tx.Watches().Put(t.Context(), w) }); err != nil {
			t.Fatal(err)
		}
		if w, err := b.ask(b.Confirm, "POST", program, token, ""); err != nil || w.Code != http.StatusOK {
			t.Fatal(w.Code, err)
		}
		if _, err := b.ask(b.Confirm, "POST", program, token, ""); !isStatus(err, 404) {
			t.Errorf("confirmed again: %v", err)
		}
	}
	var got []catalog.UseDay
	err := b.Store.View(t.Context(), func(tx catalog.Tx) error {
		return tx.UseDays().Scan(t.Context(), catalog.Range{}, func(d *catalog.UseDay) error { got = append(got, *d); return nil })
	})
	want := []catalog.UseDay{{EntryID: id, Day: "2026-11-01", Uses: catalog.Uses{Watches: 1}}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("counted %+v, %v, want %+v", got, err, want)
	}
}
