package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// ErrNothingHeld says that no listing of a source waits for confirmation.
var ErrNothingHeld = errors.New("no listing of this source waits for confirmation")

// held is what a quarantined listing lacks.
type held struct {
	Run     string   `json:"run"`
	Missing []string `json:"missing"`
}

func heldKey(sourceID string) string { return "harvest.held." + sourceID }

func putHeld(ctx context.Context, tx catalog.Tx, sourceID string, h *held) error {
	if h == nil {
		return tx.Meta().Set(ctx, heldKey(sourceID), "")
	}
	doc, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("encode a held listing: %w", err)
	}
	return tx.Meta().Set(ctx, heldKey(sourceID), string(doc))
}

// Confirm accepts the quarantined listing of a source: the run becomes
// complete, and what it lacked counts as missed once. The listing is then the
// measure for the next one. It returns the run, or ErrNothingHeld.
func Confirm(ctx context.Context, st catalog.Store, sourceID string, now time.Time) (catalog.HarvestRun, error) {
	var run catalog.HarvestRun
	err := st.Update(ctx, func(tx catalog.Tx) error {
		value, err := tx.Meta().Get(ctx, heldKey(sourceID))
		if err != nil {
			return err
		}
		if value == "" {
			return ErrNothingHeld
		}
		var h held
		if err := json.Unmarshal([]byte(value), &h); err != nil {
			return fmt.Errorf("read a held listing: %w", err)
		}
		found, err := tx.Runs().Get(ctx, h.Run)
		if err != nil {
			return err
		}
		run = *found
		if run.Counts.Deprecated, err = countHeld(ctx, tx, sourceID, h.Missing, now); err != nil {
			return err
		}
		run.State, run.ConfirmedAt, run.UpdatedAt = catalog.RunComplete, now, now
		run.Notice += "; a person confirmed it"
		return errors.Join(tx.Runs().Put(ctx, run), putHeld(ctx, tx, sourceID, nil))
	})
	if err != nil {
		return run, fmt.Errorf("confirm the listing of source %s: %w", sourceID, err)
	}
	return run, nil
}

// countHeld counts the entries that are still there, and keeps those that were
// missing before.
func countHeld(ctx context.Context, tx catalog.Tx, sourceID string, missing []string, now time.Time) (int, error) {
	list, err := tx.Entries().Get(ctx, missing...)
	if err != nil {
		return 0, err
	}
	list = slices.DeleteFunc(list, func(e catalog.Entry) bool {
		return e.Status != catalog.StatusActive || e.SourceID != sourceID
	})
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return countMissing(ctx, tx, sourceID, ids, now)
}
