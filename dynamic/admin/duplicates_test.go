package admin_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/render/catalog"
)

// pair stores two entries of which the second may be a duplicate of the first.
func (o *bench) pair() (older, newer catalog.Entry) {
	o.t.Helper()
	rain, snow := o.entry("rain", catalog.StatusActive), o.entry("snow", catalog.StatusActive)
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		rain.Propose(snow)
		snow.Propose(rain)
		event := func() []catalog.Event { return []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: now}} }
		return tx.Entries().Put(ctx, catalog.Write{Entry: rain, Events: event()}, catalog.Write{Entry: snow, Events: event()})
	})
	if snow.ID < rain.ID { // both were made at one time
		rain, snow = snow, rain
	}
	return o.get(rain.ID), o.get(snow.ID)
}

func TestDuplicateIsConfirmed(t *testing.T) {
	t.Parallel()
	o := newBench(t)
	older, newer := o.pair()
	if body := o.want(200, "GET", "/duplicates", "").Body.String(); !strings.Contains(body, `"total":1`) || strings.Index(body, newer.ID) > strings.Index(body, older.ID) {
		t.Errorf("listed %s", body)
	}
	o.want(422, "POST", "/entries/snow/duplicate", `{"of":"nobody","same":true,"reason":"x"}`)
	o.want(422, "POST", "/entries/snow/duplicate", `{"of":"rain","same":true,"reason":""}`)
	o.want(200, "POST", "/entries/"+older.Slug+"/duplicate", `{"of":"`+newer.Slug+`","same":true,"reason":"one series"}`)
	if _, row := o.last(); !o.told(catalog.EventMerged, newer.ID) || row.Action != "decideDuplicate" {
		t.Errorf("audit %+v", row)
	}
	left, got := o.get(older.ID), o.get(newer.ID)
	if got.MergedIntoID != older.ID || got.Status != catalog.StatusRemoved || len(got.MayBe()) != 0 || len(left.MayBe()) != 0 {
		t.Errorf("merged %+v into %+v", got, left)
	}
	if body := o.want(200, "GET", "/duplicates", "").Body.String(); !strings.Contains(body, `"total":0`) {
		t.Errorf("still listed: %s", body)
	}
	o.want(409, "POST", "/entries/"+newer.Slug+"/duplicate", `{"of":"`+older.Slug+`","same":true,"reason":"again"}`)

	o.want(409, "POST", "/entries/"+older.Slug+"/unmerge", `{"reason":"it was not merged"}`)
	o.want(200, "POST", "/entries/"+newer.ID+"/unmerge", `{"reason":"another region"}`)
	if event, row := o.last(); event.Type != catalog.EventUnmerged || event.EntryID != newer.ID || row.Action != "unmergeEntry" {
		t.Errorf("event %+v, audit %+v", event, row)
	}
	if got := o.get(newer.ID); got.MergedIntoID != "" || got.Status != catalog.StatusActive || !got.RemovedAt.IsZero() {
		t.Errorf("taken apart %+v", got)
	}
}

func TestDuplicateIsRejected(t *testing.T) {
	t.Parallel()
	o := newBench(t)
	older, newer := o.pair()
	o.at = o.at.Add(time.Minute)
	who := access.Actor{By: "cli", Name: "command line"}
	if err := admin.DecideDuplicate(t.Context(), o.store, harvest.Unite, newer.Slug, older.Slug, false, "two regions", who, o.at); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{older.ID, newer.ID} {
		if got := o.get(id); got.Status != catalog.StatusActive || slices.ContainsFunc(got.Relations, func(r catalog.Relation) bool { return r.Kind == catalog.RelationDuplicate }) {
			t.Errorf("rejected %+v", got)
		}
	}
	if err := admin.DecideDuplicate(t.Context(), o.store, harvest.Unite, newer.Slug, older.Slug, true, "asked again", who, o.at.Add(time.Hour)); err == nil {
		t.Error("what was decided is decided again")
	}
	if err := admin.Unmerge(t.Context(), o.store, newer.Slug, "not merged", who, o.at.Add(time.Hour)); err == nil {
		t.Error("what was not merged is taken apart")
	}
}
