package transfer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/render/catalog"
)

// stored is the entry of otherID, with the kinds of its events.
func stored(t *testing.T, st catalog.Store) (e catalog.Entry, kinds string) {
	t.Helper()
	ctx := context.Background()
	err := st.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.Entries().Get(ctx, otherID)
		if err != nil {
			return err
		}
		e, kinds = list[0], ""
		events, err := tx.Events().After(ctx, 0, 99)
		for i := range events {
			kinds += " " + string(events[i].Type)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, kinds
}

// TestTimeOfPublication: an import moves no time of publication that readers have
// seen, and what it makes public has one, and a reason.
func TestTimeOfPublication(t *testing.T) {
	t.Parallel()
	day := now.Truncate(time.Second)
	line := func(more string) []byte { return []byte(bare(1, `,"id":"`+otherID+`"`+more) + "\n") }
	at := func(d time.Duration) string { return `,"published_at":"` + day.Add(d).Format(time.RFC3339) + `"` }
	past, future := -48*time.Hour, 48*time.Hour

	st := open(t)
	load(t, st, line(at(past)))
	for _, other := range []time.Duration{past - time.Hour, past + time.Hour, future} {
		r := load(t, st, line(at(other)+`,"description":"New."`))
		if r.RejectedBy[transfer.CodePublished] != 1 || !strings.Contains(r.Rejections[0].Reason, day.Add(past).Format(time.RFC3339)) || r.Rejections[0].Remedy == "" {
			t.Errorf("moved by %s: %s%+v", other, r.Summary(), r.Rejections)
		}
	}
	if r := load(t, st, line(at(past)+`,"description":"New."`)); r.Updated != 1 {
		t.Errorf("the same time: %s%+v", r.Summary(), r.Rejections)
	}
	if e, _ := stored(t, st); !e.PublishedAt.Equal(day.Add(past)) || e.Description != "New." {
		t.Errorf("stored %+v", e)
	}

	st = open(t)
	load(t, st, line(at(future)))
	if r := load(t, st, line(at(2*future))); r.Updated != 1 {
		t.Errorf("a time that has not come may be moved: %s%+v", r.Summary(), r.Rejections)
	}

	st = open(t)
	if r := load(t, st, line(`,"status":"PENDING_REVIEW"`)); r.Created != 1 {
		t.Fatalf("what waits: %s%+v", r.Summary(), r.Rejections)
	}
	if e, _ := stored(t, st); !e.PublishedAt.IsZero() || e.Admission != nil {
		t.Fatalf("what waits is %+v", e)
	}
	load(t, st, line(`,"status":"ACTIVE"`))
	if e, kinds := stored(t, st); !e.PublishedAt.Truncate(time.Microsecond).Equal(now.Truncate(time.Microsecond)) || e.Admission == nil || kinds != " submission.received entry.created entry.updated" {
		t.Errorf("what was made public is %+v, after%s", e, kinds)
	}
}
