package build

import (
	"context"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Tailer tells what changed since the snapshot that a process serves. It does
// for those who serve a site what a Rebuilder does for the one that builds it, and
// writes nothing.
type Tailer struct {
	Store catalog.Store
	// Served is the snapshot that is served, "" for none, and the number of the
	// last event that it shows, 0 if it does not say.
	Served func() (id string, through int64)
	// Preview reads entries as they are at an instant, as the function Preview does.
	Preview func(ctx context.Context, at time.Time, ids []string) (Refreshed, error)
	// Notify takes what changed. With another snapshot than the one before it
	// begins anew: what was told before is void.
	Notify func(anew bool, r Refreshed)
	Clock  func() time.Time
	// Max is how many entries are told of at most since a snapshot; more
	// changes are for the next build.
	Max int

	snapshot string
	cursor   int64
	told     map[string]bool
}

// Follow tells once what changed since the last time: to be called when the log has
// grown or another snapshot is served. After an error the same is read again.
func (f *Tailer) Follow(ctx context.Context) error {
	id, through := f.Served()
	if id == "" {
		return nil
	}
	cursor, anew := f.cursor, id != f.snapshot
	if anew {
		var err error
		if cursor, err = f.begin(ctx, through); err != nil {
			return err
		}
	}
	ids, _, cursor, err := changes(ctx, f.Store, cursor)
	if err != nil {
		return err
	}
	known := f.told
	if anew {
		known = map[string]bool{}
	}
	if len(ids) > bulk {
		ids = nil // a harvest, which the next build shows
	}
	ids = within(ids, known, f.Max)
	var r Refreshed
	if len(ids) > 0 {
		if r, err = f.Preview(ctx, f.Clock(), ids); err != nil {
			return err
		}
	}
	for _, id := range ids {
		known[id] = true
	}
	f.snapshot, f.cursor, f.told = id, cursor, known
	if anew || len(ids) > 0 {
		f.Notify(anew, r)
	}
	return nil
}

// begin is where the events begin that a snapshot does not show: now for one
// that does not say.
func (f *Tailer) begin(ctx context.Context, through int64) (int64, error) {
	if through > 0 {
		return through, nil
	}
	err := f.Store.View(ctx, func(tx catalog.Tx) (err error) {
		through, err = tx.Events().Last(ctx)
		return err
	})
	return through, err
}

// within are those of the ids that are known, and as many others as there is
// room for.
func within(ids []string, known map[string]bool, most int) []string {
	out, room := ids[:0], most-len(known)
	for _, id := range ids {
		if !known[id] {
			if room <= 0 {
				continue
			}
			room--
		}
		out = append(out, id)
	}
	return out
}
