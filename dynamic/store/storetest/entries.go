package storetest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var entryTests = map[string]func(*testing.T, catalog.Store){
	"RedactForgets":               testRedact,
	"EntryKeepsEveryField":        testEntryRoundTrip,
	"EntryGetSortsAndSkips":       testEntryGet,
	"EntryScanOrderAndRange":      testEntryScan,
	"EntryPutReplaces":            testEntryReplace,
	"EntryPutTwiceInOneCall":      testEntryTwice,
	"EntryCreationTimeIsIdentity": testEntryRecreated,
	"EntryPutRefusesNonsense":     testEntryRefuses,
	"EntrySinceIsInOrder":         testEntrySince,
	"EntryScanMayUseTheTx":        testScanReentrant,
	"EntryScanStopsOnError":       testScanStops,
	"ProvenanceGet":               testProvenanceGet,
	"ProvenanceAsDocument":        testEntryProvenanceDoc,
}

func testEntryRoundTrip(t *testing.T, s catalog.Store) {
	e, p, ev := filled[catalog.Entry](t, 1), filled[catalog.Provenance](t, 2), filled[catalog.Event](t, 3)
	p.EntryID = e.ID
	put(t, s, catalog.Write{Entry: &e, Provenance: &p, Events: []catalog.Event{ev}})
	ev.Number, ev.EntryID, ev.Unpublished, e.Revision = 1, e.ID, false, 1
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Entries().Get(ctx, e.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "entry", got, []catalog.Entry{e})
		prov, err := tx.Provenances().Get(ctx, e.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "provenance", prov, &p)
		events, err := tx.Events().After(ctx, 0, 10)
		wantEqual(t, "events", events, []catalog.Event{ev})
		return err
	})
}

func testEntryGet(t *testing.T, s catalog.Store) {
	writes := newEntries(250)
	put(t, s, writes...)
	var ids []string
	for _, w := range writes {
		ids = append(ids, w.Entry.ID, w.Entry.ID, "unknown "+w.Entry.ID)
	}
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Entries().Get(ctx, ids...)
		if err != nil {
			return err
		}
		if len(list) != 250 || !slices.IsSortedFunc(list, byID) {
			t.Errorf("got %d entries, want 250 sorted by id", len(list))
		}
		none, err := tx.Entries().Get(ctx)
		wantEqual(t, "get nothing", none, []catalog.Entry(nil))
		return err
	})
}

func byID(a, b catalog.Entry) int { return strings.Compare(a.ID, b.ID) }

func testEntryReplace(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	put(t, s, w)
	next := *w.Entry
	next.Name, next.Status, next.UpdatedAt = "New name", catalog.StatusDeprecated, day.AddDate(0, 0, 1)
	put(t, s, catalog.Write{Entry: &next, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: day}, {Type: catalog.EventDeprecated, OccurredAt: day}}})
	if next.Revision != 3 {
		t.Errorf("revision %d, want 3, the number of the last event", next.Revision)
	}
	wantEqual(t, "entries", allEntries(t, s, catalog.Range{}), []catalog.Entry{next})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		p, err := tx.Provenances().Get(ctx, w.Entry.ID)
		wantEqual(t, "provenance left as it was", p, w.Provenance)
		return err
	})
}

func testEntryTwice(t *testing.T, s catalog.Store) {
	a, b := newEntry(1), newEntry(1)
	b.Entry.Name, b.Provenance = "Second", nil
	put(t, s, a, newEntry(2), b)
	got := allEntries(t, s, catalog.Range{})
	if len(got) != 2 {
		t.Fatalf("%d entries, want 2", len(got))
	}
	for _, e := range got {
		if e.ID == a.Entry.ID && (e.Name != "Second" || e.Revision != 3) {
			t.Errorf("name %q revision %d, want the last write and its event 3", e.Name, e.Revision)
		}
	}
}

func testEntryRecreated(t *testing.T, s catalog.Store) {
	put(t, s, newEntries(3)...)
	w := newEntry(1)
	w.Entry.CreatedAt = day.AddDate(1, 0, 0)
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, newEntry(7), w) })
	wantErr(t, "another creation time", err, catalog.ErrConflict)
	if err != nil && !strings.Contains(err.Error(), w.Entry.ID) {
		t.Errorf("error %q does not name the entry", err)
	}
	if n := lastEvent(t, s); n != 3 {
		t.Errorf("last event %d, want 3: the failed put must leave none", n)
	}
}

func testEntryRefuses(t *testing.T, s catalog.Store) {
	foreign := newEntry(2)
	foreign.Provenance.EntryID = "another"
	other, twice := newEntry(2), newEntry(2)
	other.Provenance, other.ProvenanceDoc = nil, `{"entry_id":"another","rows":[]}`
	twice.ProvenanceDoc = provenanceDoc(t, &twice)
	for name, w := range map[string]catalog.Write{
		"no event":            {Entry: newEntry(1).Entry},
		"no entry":            {Events: []catalog.Event{{Type: catalog.EventCreated}}},
		"no id":               {Entry: &catalog.Entry{Slug: "s"}, Events: newEntry(1).Events},
		"no slug":             {Entry: &catalog.Entry{ID: "i"}, Events: newEntry(1).Events},
		"provenance of other": foreign, "document of other": other, "provenance twice": twice,
	} {
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, w) })
		wantErr(t, name, err, catalog.ErrInvalid)
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx) })
}

func provenanceDoc(t *testing.T, w *catalog.Write) string {
	t.Helper()
	doc, err := json.Marshal(w.Provenance)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// testEntryProvenanceDoc stores provenances as documents, beside others.
func testEntryProvenanceDoc(t *testing.T, s catalog.Store) {
	writes := newEntries(3)
	var want []catalog.Provenance
	for i := range writes {
		want = append(want, *writes[i].Provenance)
	}
	writes[1].ProvenanceDoc = provenanceDoc(t, &writes[1])
	writes[1].Provenance = nil
	put(t, s, writes...)
	for i := range want {
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			p, err := tx.Provenances().Get(ctx, want[i].EntryID)
			wantEqual(t, "provenance", p, &want[i])
			return err
		})
	}
}

func testEntrySince(t *testing.T, s catalog.Store) {
	put(t, s, newEntries(20)...)
	again := newEntry(4)
	put(t, s, again)
	var got []int64
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for after := int64(0); ; after = got[len(got)-1] {
			list, err := tx.Entries().Since(ctx, after, 3)
			if err != nil || len(list) == 0 {
				return err
			}
			for _, e := range list {
				got = append(got, e.Revision)
			}
		}
	})
	want := []int64{1, 2, 3, 4}
	for n := int64(6); n <= 21; n++ {
		want = append(want, n)
	}
	wantEqual(t, "revisions", got, want)
}

func testProvenanceGet(t *testing.T, s catalog.Store) {
	err := s.View(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Provenances().Get(t.Context(), "nobody")
		return err
	})
	wantErr(t, "unknown entry", err, catalog.ErrNotFound)
	if err != nil && !strings.Contains(err.Error(), "nobody") {
		t.Errorf("error %q does not name the id", err)
	}
}

// testRedact: of a redacted entry its slugs, its provenance and what its events
// told are gone; its numbers stay.
func testRedact(t *testing.T, s catalog.Store) {
	w, other := newEntry(1), newEntry(2)
	w.Events = append(w.Events, catalog.Event{Type: catalog.EventUpdated, OccurredAt: day, Data: json.RawMessage(`{"a":"SPAM"}`),
		Changes: []catalog.FieldChange{{Field: "name", From: json.RawMessage(`"SPAM"`), To: json.RawMessage(`"x"`)}}})
	put(t, s, w, other)
	e := *w.Entry
	e.Slug, e.Name, e.MatchKey, e.IdentityKey, e.UpstreamRef = "redacted-1", "Redacted", "k", "k", ""
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Entries().Redact(ctx, catalog.Write{Entry: &e, Provenance: &catalog.Provenance{EntryID: e.ID}, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: day}}})
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Events().After(ctx, 0, 10)
		if err != nil {
			return err
		}
		if len(list) != 4 || list[1].Type != catalog.EventUpdated || list[1].Number != 2 || list[1].EntryID != e.ID || !list[1].OccurredAt.Equal(day) {
			t.Errorf("events %+v", list)
		}
		for _, event := range list {
			if len(event.Changes) > 0 || len(event.Data) > 0 {
				t.Errorf("event %d still tells %s %+v", event.Number, event.Data, event.Changes)
			}
		}
		owners, err := tx.Entries().BySlug(ctx, "rainfall-1", "rainfall-2", "redacted-1")
		wantEqual(t, "slugs", owners, map[string]string{"rainfall-2": other.Entry.ID, "redacted-1": e.ID})
		if err != nil {
			return err
		}
		p, err := tx.Provenances().Get(ctx, e.ID)
		if err == nil && len(p.Rows) > 0 {
			t.Errorf("provenance %+v", p)
		}
		return err
	})
}
