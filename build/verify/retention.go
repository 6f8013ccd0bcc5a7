package verify

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// RawDays is how many days checks are kept one by one, the present one not
// counted; daily sums are kept for ever. It is longer than the window that scores rest on,
// as that ends with the last check that pages show, which may be of the day before.
const RawDays = score.WindowDays + 2

// Retain sums up, day by day, the checks that are older than RawDays and
// deletes them, and forgets uses that count no more. Sum and deletion of a day
// are one transaction, so that nothing is lost or counted twice wherever it
// stops. It returns how many checks went.
func Retain(ctx context.Context, st catalog.Store, now time.Time) (int64, error) {
	limit := day(now).AddDate(0, 0, -RawDays)
	var total int64
	for {
		var n int64
		var done bool
		err := st.Update(ctx, func(tx catalog.Tx) error {
			oldest, err := tx.Checks().Oldest(ctx)
			if done = err == nil && (oldest.IsZero() || !oldest.Before(limit)); done || err != nil {
				return err
			}
			n, err = retainDay(ctx, tx, day(oldest))
			return err
		})
		if err != nil {
			return total, fmt.Errorf("sum up old checks: %w", err)
		}
		if done {
			return total, forgetUses(ctx, st, now)
		}
		total += n
	}
}

// forgetUses deletes the uses that no longer count for popularity.
func forgetUses(ctx context.Context, st catalog.Store, now time.Time) error {
	return st.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.UseDays().Prune(ctx, score.UsesSince(day(now)).Format(time.DateOnly))
		return err
	})
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// retainDay sums up one day and deletes its checks; older ones are gone.
func retainDay(ctx context.Context, tx catalog.Tx, from time.Time) (int64, error) {
	to := from.AddDate(0, 0, 1)
	var sums []catalog.CheckDay
	var checks []catalog.Check
	flush := func() {
		if len(checks) > 0 {
			sums = append(sums, score.SumDay(checks))
		}
		checks = checks[:0]
	}
	err := tx.Checks().Between(ctx, from, to, func(c *catalog.Check) error {
		if len(checks) > 0 && checks[0].EntryID != c.EntryID {
			flush()
		}
		checks = append(checks, *c)
		return nil
	})
	if err != nil {
		return 0, err
	}
	flush()
	if err := tx.Checks().PutDays(ctx, sums...); err != nil {
		return 0, err
	}
	return tx.Checks().Prune(ctx, to)
}
