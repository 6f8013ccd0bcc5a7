package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
)

var modelTests = map[string]func(*testing.T, catalog.Store){
	"PutAgainstAModel": testModel,
}

// model is what the store should hold after a row of puts.
type model struct {
	owner    map[string]string
	revision map[string]int64
	last     int64
}

// apply makes a put on the model, or tells that it is a conflict.
func (m *model) apply(id, slug string, events int) bool {
	if o, ok := m.owner[slug]; ok && o != id {
		return false
	}
	m.owner[slug] = id
	m.last += int64(events)
	m.revision[id] = m.last
	return true
}

// testModel makes random puts of few ids and slugs and compares the store with
// the model after each of them.
func testModel(t *testing.T, s catalog.Store) {
	m := model{owner: map[string]string{}, revision: map[string]int64{}}
	ids, slugs := rapid.SampledFrom([]string{"a", "B", "c", "D", "é"}), rapid.SampledFrom([]string{"s1", "S1", "s2", "s3", "s4", "s5"})
	for step := range 60 {
		id, slug, n := ids.Example(step), slugs.Example(step*7), step%3+1
		w := newEntry(0)
		w.Entry.ID, w.Entry.Slug, w.Provenance, w.Events = id, slug, nil, nil
		for range n {
			w.Events = append(w.Events, catalog.Event{Type: catalog.EventUpdated, OccurredAt: day})
		}
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, w) })
		if ok := m.apply(id, slug, n); ok != (err == nil) || err != nil && !errors.Is(err, catalog.ErrConflict) {
			t.Fatalf("step %d: put %s as %s: %v, the model says %t", step, id, slug, err, ok)
		}
		revisions := map[string]int64{}
		for _, e := range allEntries(t, s, catalog.Range{}) {
			revisions[e.ID] = e.Revision
		}
		wantEqual(t, fmt.Sprintf("revisions after step %d", step), revisions, m.revision)
	}
	wantEqual(t, "owners", owners(t, s, "s1", "S1", "s2", "s3", "s4", "s5"), m.owner)
	wantEqual(t, "last", lastEvent(t, s), m.last)
}
