package harvest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Records beyond the bound are counted; those without relations do not count.
func TestRelatingIsBounded(t *testing.T) {
	t.Parallel()
	lead := []catalog.Relation{{Kind: catalog.RelationServes, Ref: "h:dataset:a"}}
	r := &run{relatingMax: 2}
	for _, batch := range [][]*candidate{
		{{entry: catalog.Entry{UpstreamRef: "1", Relations: lead}}, {entry: catalog.Entry{UpstreamRef: "2"}}},
		{{entry: catalog.Entry{UpstreamRef: "3", Relations: lead}}, {entry: catalog.Entry{UpstreamRef: "4", Relations: lead}}, {entry: catalog.Entry{UpstreamRef: "5", Relations: lead}}},
	} {
		r.relating(batch)
	}
	if len(r.related) != 2 || r.related[0] != "1" || r.related[1] != "3" || r.report.Unfollowed != 2 {
		t.Errorf("followed %q, not followed %d", r.related, r.report.Unfollowed)
	}
}

// A run that was told to stop has a while for its last words; one that was not
// has all its time.
func TestWhileTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		parent, stop := context.WithCancel(context.WithValue(t.Context(), key{}, "v"))
		ctx, cancel := whileTold(parent)
		defer cancel()
		time.Sleep(10 * lastWords)
		if ctx.Err() != nil || ctx.Value(key{}) != "v" {
			t.Fatal("it ended before the run was told to stop, or lost its values")
		}
		stop()
		time.Sleep(lastWords - time.Second)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Error("it has less than its time")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Error("it lives on for ever")
		}
	})
}
