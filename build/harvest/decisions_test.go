package harvest_test

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// wantDecisions compares the stored decisions on the publishers of a source.
func (w *world) wantDecisions(s catalog.Source, want []catalog.PublisherDecision) {
	w.t.Helper()
	err := w.st.View(w.ctx, func(tx catalog.Tx) error {
		got, err := tx.PublisherDecisions().Of(w.ctx, s.ID)
		if len(want) == 0 || !slices.Equal(got, want) {
			w.t.Errorf("stored %+v\nwant %+v", got, want)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestDecisionsStay: a harvest of the whole source replaces what was decided of its
// publishers; one that asks for changes only keeps what it does not meet.
func TestDecisionsStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.run(w.official, harvest.Options{}, publishedBy("1", "Havenstad", nil), publishedBy("2", "Bergdorf", nil), publishedBy("3", "Bergdorf", nil))
	w.wantDecisions(w.official, first.Publishers)
	w.now = w.now.AddDate(0, 0, 1)
	part := w.official
	part.Incremental = true
	second := w.run(part, harvest.Options{}, publishedBy("1", "Havenstad", nil))
	w.wantDecisions(w.official, append(slices.DeleteFunc(first.Publishers, func(d catalog.PublisherDecision) bool { return d.Publisher == "Havenstad" }), second.Publishers...))
}
