// Package storetest is the suite that every store must pass: what the
// contracts of render/catalog promise, one test per promise.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-register/assay/render/catalog"
)

// Open gives a test a fresh, empty store, closed at the test's end.
type Open func(t *testing.T) catalog.Store

// Run runs the suite.
func Run(t *testing.T, open func(t *testing.T) catalog.Store) {
	groups := []map[string]func(*testing.T, catalog.Store){
		entryTests, slugTests, eventTests, restoreTests, recordTests, checkTests, evidenceTests,
		jobTests, submissionTests, moderationTests, claimTests, incidentTests, webhookTests, watchTests, workerTests, runTests, decisionTests, rawRecordTests, probeTests, accessTests, sessionTests, usageTests, changeTests, transactionTests, hostileTests, modelTests,
	}
	for _, group := range groups {
		for name, test := range group {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, open(t))
			})
		}
	}
}

// day is the instant from which the tests count.
var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func update(t testing.TB, s catalog.Store, fn func(context.Context, catalog.Tx) error) {
	t.Helper()
	if err := tryUpdate(t, s, fn); err != nil {
		t.Fatalf("update: %v", err)
	}
}

func tryUpdate(t testing.TB, s catalog.Store, fn func(context.Context, catalog.Tx) error) error {
	t.Helper()
	return s.Update(t.Context(), func(tx catalog.Tx) error { return fn(t.Context(), tx) })
}

func view(t testing.TB, s catalog.Store, fn func(context.Context, catalog.Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), func(tx catalog.Tx) error { return fn(t.Context(), tx) }); err != nil {
		t.Fatalf("view: %v", err)
	}
}

func wantErr(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

func wantEqual(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// newEntry is the n-th entry of a test, with a provenance and one event.
func newEntry(n int) catalog.Write {
	ref := fmt.Sprintf("data.example:dataset:%d", n)
	name := fmt.Sprintf("Rainfall per district %d", n)
	at := day.Add(time.Duration(n) * time.Second)
	id := catalog.EntryID(ref, "", 1)
	return catalog.Write{
		Entry: &catalog.Entry{
			ID: id, Slug: fmt.Sprintf("rainfall-%d", n), Type: catalog.TypeDataset, Name: name,
			UpstreamRef: ref, IdentityKey: "DATASET||" + name, MatchKey: "DATASET||" + name,
			Status: catalog.StatusActive, CreatedAt: at, UpdatedAt: at, PublishedAt: at,
		},
		Provenance: &catalog.Provenance{EntryID: id, Rows: []catalog.FieldRow{
			{Field: "name", Basis: catalog.BasisPublisher, SourceURL: "https://data.example/" + ref, ObservedAt: at}}},
		Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: at}},
	}
}

func newEntries(n int) []catalog.Write {
	writes := make([]catalog.Write, n)
	for i := range writes {
		writes[i] = newEntry(i)
	}
	return writes
}

func put(t testing.TB, s catalog.Store, writes ...catalog.Write) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, writes...) })
}

func allEntries(t testing.TB, s catalog.Store, r catalog.Range) []catalog.Entry {
	t.Helper()
	var list []catalog.Entry
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list = nil
		return tx.Entries().Scan(ctx, r, func(e *catalog.Entry) error { list = append(list, *e); return nil })
	})
	return list
}

func lastEvent(t testing.TB, s catalog.Store) (last int64) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) { last, err = tx.Events().Last(ctx); return err })
	return last
}
