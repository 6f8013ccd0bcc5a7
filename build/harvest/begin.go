package harvest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
)

const (
	// resumeWithin is how long after its start a run is still resumed: a
	// listing that is read in parts days apart is no listing.
	resumeWithin = 24 * time.Hour
	// fullWithin is how old the last full run may be for the next one to ask
	// only for what changed.
	fullWithin = 7 * 24 * time.Hour
	// looksBack is how many earlier runs are looked at.
	looksBack = 50
)

// begin makes the row of the run, or takes up the one that broke off.
func (r *run) begin(ctx context.Context) error {
	err := r.store.Update(ctx, func(tx catalog.Tx) error {
		latest, err := tx.Runs().Latest(ctx, r.in.Source.ID, looksBack)
		if err != nil {
			return err
		}
		if err := r.late(latest); err != nil {
			return err
		}
		if len(latest) > 0 && latest[0].Resumable() {
			if err := r.busy(&latest[0]); err != nil {
				return err
			}
			if r.resumes(&latest[0]) {
				r.row = latest[0]
				r.own(&r.row)
				r.row.State, r.row.FinishedAt = catalog.RunRunning, time.Time{}
				r.row.Resumed, r.row.UpdatedAt = r.row.Resumed+1, r.opts.Clock()
				return tx.Runs().Put(ctx, r.row)
			}
			if err := r.close(ctx, tx, &latest[0]); err != nil {
				return err
			}
		}
		placed, err := r.bringBack(ctx, tx, latest)
		if err != nil {
			return err
		}
		if r.row, err = r.newRow(ctx, tx, placed); err != nil {
			return err
		}
		if r.known, err = r.ask(ctx, tx, latest); err != nil {
			return err
		}
		return tx.Runs().Put(ctx, r.row)
	})
	if err != nil {
		return err
	}
	if r.opts.Fetcher != nil && r.in.Fetch == nil && r.in.Open == nil && r.in.Files == nil {
		r.session = r.opts.Fetcher.Session(r.known)
		if r.opts.Batch == defaultBatch {
			r.opts.Batch = pageBatch
		}
	}
	r.report.Run, r.report.State = r.row.ID, catalog.RunRunning
	return r.recall(ctx)
}

// resumes tells whether the run goes on where an earlier one stopped; one that
// was killed before its first mark goes on at the beginning.
func (r *run) resumes(old *catalog.HarvestRun) bool {
	age := r.opts.Now.Sub(old.StartedAt)
	return (old.Cursor != "" || old.State == catalog.RunRunning) && !r.opts.Restart && age >= 0 && age < resumeWithin
}

// close ends a run whose process died.
func (r *run) close(ctx context.Context, tx catalog.Tx, old *catalog.HarvestRun) error {
	if old.State != catalog.RunRunning {
		return nil
	}
	old.State, old.FinishedAt, old.UpdatedAt = catalog.RunFailed, r.opts.Now, r.opts.Now
	old.Owner, old.LeaseUntil = "", time.Time{}
	if old.Counts.In > 0 {
		old.State = catalog.RunPartial
	}
	old.Errors = append(old.Errors, catalog.RunError{Code: string(CodeInterrupted), Text: "the process that ran it ended", At: r.opts.Now})
	return tx.Runs().Put(ctx, *old)
}

// bringBack lets the runs that a clock which ran ahead had begin more than
// [catalog.ClockSlack] from now begin just before now, in their order. Else this run
// would have to begin after them: no page shows a run of the future, and when that
// time comes its source would be taken for harvested just then. The given list stays
// as it is.
func (r *run) bringBack(ctx context.Context, tx catalog.Tx, latest []catalog.HarvestRun) ([]catalog.HarvestRun, error) {
	list, ahead := slices.Clone(latest), 0
	for i := range list {
		row := &list[i]
		if row.StartedAt.Sub(r.opts.Now) <= catalog.ClockSlack {
			break // the newest ones are first
		}
		ahead++
		row.StartedAt = r.opts.Now.Add(-time.Duration(ahead) * time.Microsecond)
		for _, at := range []*time.Time{&row.UpdatedAt, &row.FinishedAt} {
			if at.After(r.opts.Now) {
				*at = r.opts.Now
			}
		}
	}
	if ahead == 0 {
		return list, nil
	}
	return list, tx.Runs().Put(ctx, list[:ahead]...)
}

// newRow makes the row of a new run. Two runs of a source never start at the
// same time, so that their order is known.
func (r *run) newRow(ctx context.Context, tx catalog.Tx, latest []catalog.HarvestRun) (catalog.HarvestRun, error) {
	row := catalog.HarvestRun{SourceID: r.in.Source.ID, Kind: r.in.Source.Kind, State: catalog.RunRunning,
		StartedAt: r.opts.Now, UpdatedAt: r.opts.Now}
	r.own(&row)
	if len(latest) > 0 && !latest[0].StartedAt.Before(row.StartedAt) {
		row.StartedAt = latest[0].StartedAt.Add(time.Microsecond)
	}
	for taken := 0; ; taken++ {
		row.ID = catalog.NewRunID(row.SourceID, row.StartedAt, taken)
		if _, err := tx.Runs().Get(ctx, row.ID); errors.Is(err, catalog.ErrNotFound) {
			return row, nil
		} else if err != nil {
			return row, err
		}
	}
}

// ask decides whether the source is asked for what changed only: with the
// validators of the last run, or since the time of it. It is not while entries
// are missing, for they must be looked for; nor after the source was changed,
// its last listing was in doubt, or a clock that ran ahead has the last run begin
// later than now.
func (r *run) ask(ctx context.Context, tx catalog.Tx, latest []catalog.HarvestRun) ([]catalog.Validator, error) {
	missing, err := counts(ctx, tx, missingKey(r.in.Source.ID))
	if err != nil || len(missing) > 0 || r.opts.Restart {
		return nil, err
	}
	var last, full *catalog.HarvestRun
	for i := range latest {
		if run := &latest[i]; run.Reached() && full == nil {
			if last == nil {
				last = run
			}
			if run.State != catalog.RunUnchanged && run.Since.IsZero() {
				full = run
			}
		}
	}
	if full == nil || believed(last.StartedAt, r.opts.Now).IsZero() || last.State == catalog.RunQuarantined || full.State == catalog.RunQuarantined ||
		r.opts.Now.Sub(full.StartedAt) >= fullWithin || r.in.Source.UpdatedAt.After(full.StartedAt) {
		return nil, nil
	}
	if r.in.Source.Incremental {
		r.row.Since = last.StartedAt
		return nil, nil
	}
	return last.Validators, nil
}

// recall brings back what the run knew at its cursor.
func (r *run) recall(ctx context.Context) error {
	// What is found has the time of the first start, unless a clock made that which
	// ran ahead: then what is new would be public when that time comes.
	if at := believed(r.row.StartedAt, r.opts.Now); !at.IsZero() {
		r.opts.Now = at
	}
	err := r.store.View(ctx, func(tx catalog.Tx) error {
		compared, err := r.compared(ctx, tx)
		r.anew = !compared
		return errors.Join(err, r.ambiguous.load(ctx, tx, r.in.Source.ID))
	})
	if err == nil {
		err = r.moved.load(ctx, r.store, r.in.Source.ID, catalog.Host(r.in.Source.URL))
	}
	if err != nil || r.row.Resumed == 0 {
		return err
	}
	r.report.recall(&r.row)
	r.listed = r.report.In
	for _, x := range r.report.Rejections {
		r.opts.Rejected(&r.in.Source, x)
	}
	r.fields = newTally(&r.row.Fields)
	err = r.store.View(ctx, func(tx catalog.Tx) error {
		return tx.Runs().Seen(ctx, r.row.ID, func(key string) error { r.meet(key); return nil })
	})
	r.marked = milestone{report: r.report.clone(), fields: r.fields.clone()}
	return err
}

// keepPlace stores the cursor with what was counted and met up to it.
func (r *run) keepPlace(ctx context.Context, tx catalog.Tx, b *batchPlan, records int, cursor string) (catalog.HarvestRun, error) {
	total := r.report.clone()
	total.In += b.records(records)
	total.add(&b.report)
	row := r.row
	row.Cursor, row.UpdatedAt = cursor, r.opts.Clock()
	row.LeaseUntil = row.UpdatedAt.Add(r.opts.Lease)
	r.count(&row, &total)
	keys := r.marked.fresh
	for id := range b.seen {
		keys = append(keys[:len(keys):len(keys)], id)
	}
	if err := r.ambiguous.save(ctx, tx, row.SourceID); err != nil {
		return row, err
	}
	if err := tx.Runs().See(ctx, row.ID, keys...); err != nil {
		return row, err
	}
	return row, tx.Runs().Put(ctx, row)
}

const refPrefix = "ref:"

// refKey is the key under which a rejected record's ref is remembered; one that
// is long, or no clean text, is hashed.
func refKey(ref string) string {
	const limit = 200
	if len(ref) > limit || !utf8.ValidString(ref) || strings.ContainsRune(ref, 0) {
		sum := sha256.Sum256([]byte(ref))
		ref = "sha256:" + hex.EncodeToString(sum[:])
	}
	return refPrefix + ref
}

func isRef(key string) bool { return strings.HasPrefix(key, refPrefix) }
