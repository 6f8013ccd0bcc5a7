package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var recordTests = map[string]func(*testing.T, catalog.Store){
	"InstitutionRecords": func(t *testing.T, s catalog.Store) { institutionRecords.test(t, s) },
	"LicenceRecords":     func(t *testing.T, s catalog.Store) { licenceRecords.test(t, s) },
	"SourceRecords":      func(t *testing.T, s catalog.Store) { sourceRecords.test(t, s) },
	"CheckDayRecords":    func(t *testing.T, s catalog.Store) { checkDayRecords.test(t, s) },
	"CheckStateRecords":  func(t *testing.T, s catalog.Store) { checkStateRecords.test(t, s) },
	"ProfileRecords":     func(t *testing.T, s catalog.Store) { profileRecords.test(t, s) },
	"OverrideRecords":    func(t *testing.T, s catalog.Store) { overrideRecords.test(t, s) },
	"TargetRecords":      func(t *testing.T, s catalog.Store) { targetRecords.test(t, s) },
	"ScoreRecords":       func(t *testing.T, s catalog.Store) { scoreRecords.test(t, s) },
	"RecordGet":          testRecordGet,
	"Meta":               testMeta,
}

// records says how a kind of record is written and read, for the test that is
// the same for all: every field is kept, the last write counts, the order is
// that of bytes, ranges hold.
type records[T any] struct {
	// key makes the record the n-th in order.
	key func(v *T, n int)
	// change alters something else than the key.
	change func(*T)
	put    func(context.Context, catalog.Tx, ...T) error
	// scan reads a range; nil where the contract knows no ranges.
	scan func(context.Context, catalog.Tx, catalog.Range, func(*T) error) error
	all  func(context.Context, catalog.Tx) ([]T, error)
}

// entryKey is the n-th entry id in byte order; each serves two records.
func entryKey(n int) string { return []string{"A", "Z", "a", "b", "é", "я"}[n/2] }

const recordCount = 12

func (r *records[T]) test(t *testing.T, s catalog.Store) {
	var want []T
	for n := range recordCount {
		v := filled[T](t, n+1)
		r.key(&v, n)
		want = append(want, v)
	}
	stale := slices.Clone(want)
	r.change(&stale[3])
	reversed := slices.Clone(want)
	slices.Reverse(reversed)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := r.put(ctx, tx, stale...); err != nil {
			return err
		}
		// The same record twice in one call: the later one counts.
		return r.put(ctx, tx, append([]T{stale[3]}, reversed...)...)
	})
	wantEqual(t, "all", r.read(t, s, catalog.Range{}), want)
	if r.scan == nil {
		return
	}
	wantEqual(t, "range", r.read(t, s, catalog.Range{After: "A", Through: "b"}), want[2:8])
	wantEqual(t, "after", r.read(t, s, catalog.Range{After: "é"}), want[10:])
}

func (r *records[T]) read(t *testing.T, s catalog.Store, rg catalog.Range) (list []T) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		if r.scan == nil {
			list, err = r.all(ctx, tx)
			return err
		}
		return r.scan(ctx, tx, rg, func(v *T) error { list = append(list, *v); return nil })
	})
	return list
}

var institutionRecords = records[catalog.Institution]{
	key:    func(v *catalog.Institution, n int) { v.ID = entryKey(n) + fmt.Sprint(n%2) },
	change: func(v *catalog.Institution) { v.Name = "changed" },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.Institution) error {
		return tx.Institutions().Put(ctx, list...)
	},
	all: func(ctx context.Context, tx catalog.Tx) ([]catalog.Institution, error) {
		return tx.Institutions().All(ctx)
	},
}

var licenceRecords = records[catalog.Licence]{
	key:    func(v *catalog.Licence, n int) { v.ID = entryKey(n) + fmt.Sprint(n%2) },
	change: func(v *catalog.Licence) { v.Title = "changed" },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.Licence) error {
		return tx.Licences().Put(ctx, list...)
	},
	all: func(ctx context.Context, tx catalog.Tx) ([]catalog.Licence, error) { return tx.Licences().All(ctx) },
}

var sourceRecords = records[catalog.Source]{
	key:    func(v *catalog.Source, n int) { v.ID = entryKey(n) + fmt.Sprint(n%2) },
	change: func(v *catalog.Source) { v.Title = "changed" },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.Source) error {
		return tx.Sources().Put(ctx, list...)
	},
	all: func(ctx context.Context, tx catalog.Tx) ([]catalog.Source, error) { return tx.Sources().All(ctx) },
}

func testRecordGet(t *testing.T, s catalog.Store) {
	inst, src, state := filled[catalog.Institution](t, 1), filled[catalog.Source](t, 2), filled[catalog.CheckState](t, 3)
	profile := filled[catalog.Profile](t, 4)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Institutions().Put(ctx, inst); err != nil {
			return err
		}
		if err := tx.Sources().Put(ctx, src); err != nil {
			return err
		}
		if err := tx.Profiles().Put(ctx, profile); err != nil {
			return err
		}
		return tx.CheckStates().Set(ctx, []catalog.CheckState{state}, nil)
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		i, err := tx.Institutions().Get(ctx, inst.ID)
		wantErr(t, "institution", err, nil)
		wantEqual(t, "institution", i, &inst)
		o, err := tx.Sources().Get(ctx, src.ID)
		wantErr(t, "source", err, nil)
		wantEqual(t, "source", o, &src)
		of, err := tx.CheckStates().Of(ctx, "nobody", state.EntryID, state.EntryID)
		wantErr(t, "states", err, nil)
		wantEqual(t, "states", of, []catalog.CheckState{state})
		c, err := tx.CheckStates().Get(ctx, state.EntryID)
		wantErr(t, "state", err, nil)
		wantEqual(t, "state", c, &state)
		p, err := tx.Profiles().Get(ctx, profile.EntryID)
		wantErr(t, "profile", err, nil)
		wantEqual(t, "profile", p, &profile)
		_, err = tx.Profiles().Get(ctx, "nobody")
		wantErr(t, "unknown profile", err, catalog.ErrNotFound)
		_, err = tx.Institutions().Get(ctx, "nobody")
		wantErr(t, "unknown institution", err, catalog.ErrNotFound)
		_, err = tx.Sources().Get(ctx, "nobody")
		wantErr(t, "unknown source", err, catalog.ErrNotFound)
		_, err = tx.CheckStates().Get(ctx, "nobody")
		wantErr(t, "unknown state", err, catalog.ErrNotFound)
		return nil
	})
}

func testMeta(t *testing.T, s catalog.Store) {
	for _, step := range []struct{ key, value string }{{"a", "1"}, {"b", "2"}, {"a", "3"}, {"b", ""}, {"never", ""}} {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Meta().Set(ctx, step.key, step.value) })
	}
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for key, want := range map[string]string{"a": "3", "b": "", "never": "", "A": ""} {
			got, err := tx.Meta().Get(ctx, key)
			if err != nil {
				return err
			}
			wantEqual(t, "meta "+key, got, want)
		}
		return nil
	})
}
