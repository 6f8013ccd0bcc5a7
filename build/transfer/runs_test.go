package transfer_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/render/catalog"
)

// logged adds harvests to a register: one complete, one that broke off.
func logged(t *testing.T, st catalog.Store) catalog.HarvestRun {
	t.Helper()
	ctx := context.Background()
	src := catalog.NewID("source", "s")
	done := catalog.HarvestRun{ID: catalog.NewRunID(src, now, 0), SourceID: src, Kind: "ckan", State: catalog.RunComplete, StartedAt: now, UpdatedAt: now,
		FinishedAt: now, Counts: catalog.RunCounts{In: 3, Created: 2, Rejected: 1, RejectedBy: map[string]int{"bad_url": 1}},
		Fields:     catalog.RunFields{Delivered: 9, By: []catalog.FieldCount{{Field: "tags", Omitted: 2}}},
		Rejections: []catalog.RunRejection{{Place: "page <1>", Code: "bad_url", Reason: "«»"}}, Validators: []catalog.Validator{{URL: "https://x/", ETag: `"1"`}}}
	cut := done
	cut.ID, cut.State, cut.Cursor, cut.StartedAt = catalog.NewRunID(src, now, 1), catalog.RunPartial, "page=7", now.AddDate(0, 0, 1)
	var keys []string
	for n := range 600 {
		keys = append(keys, fmt.Sprintf("key %03d", n))
	}
	err := st.Update(ctx, func(tx catalog.Tx) error {
		if err := tx.Runs().Put(ctx, cut, done); err != nil {
			return err
		}
		return tx.Runs().See(ctx, cut.ID, keys...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return cut
}

func TestHarvestsTravel(t *testing.T) {
	st := open(t)
	rich(t, st, 3)
	cut := logged(t, st)
	first := export(t, st)
	if n := bytes.Count(first, []byte(`{"kind":"harvest_seen"`)); n != 3 {
		t.Errorf("%d lines of keys", n)
	}
	other := open(t)
	r := load(t, other, first)
	if r.Rejected != 0 || r.Restored["harvest_run"] != 2 || r.Restored["harvest_seen"] != 3 {
		t.Errorf("report %+v", r)
	}
	if !bytes.Equal(first, export(t, other)) {
		t.Error("the register changed on its way through a file")
	}
	// A register that lives takes over what has ended only.
	living := open(t)
	rich(t, living, 1)
	r = load(t, living, first)
	if r.Restored["harvest_run"] != 1 || r.Skipped["harvest_run"] != 1 || r.Skipped["harvest_seen"] != 3 {
		t.Errorf("report %+v", r)
	}
	if strings.Contains(string(export(t, living)), cut.ID) {
		t.Error("a run that broke off elsewhere came into a register that lives")
	}
}

func TestBadHarvestLines(t *testing.T) {
	st := open(t)
	rich(t, st, 1)
	head, _, _ := strings.Cut(string(export(t, st)), "\n")
	id := catalog.NewID("run", "x")
	for line, code := range map[string]string{
		`{"kind":"harvest_run","harvest_run":{"id":"x","source_id":"` + id + `"}}`:      "invalid_field",
		`{"kind":"harvest_run","harvest_run":{"id":"` + id + `","source_id":""}}`:       "invalid_field",
		`{"kind":"harvest_run","harvest_run":{"id":"` + id + `","colour":"red"}}`:       string(transfer.CodeUnknownField),
		`{"kind":"harvest_run","harvest_seen":{"run_id":"` + id + `","keys":[]}}`:       string(transfer.CodeMissingRecord),
		`{"kind":"harvest_seen","harvest_seen":{"run_id":"` + id + `","keys":["key"]}}`: string(transfer.CodeStoreRefused),
	} {
		r := load(t, open(t), []byte(head+"\n"+line+"\n"))
		if r.Rejected != 1 || string(r.Rejections[0].Code) != code || r.Rejections[0].Remedy == "" {
			t.Errorf("%s: %+v", line, r.Rejections)
		}
	}
}
