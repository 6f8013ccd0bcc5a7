package harvest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

// lookState is what looks at the web remember between each other.
type lookState struct {
	// After is the last entry that was looked at.
	After string `json:"after,omitempty"`
	// Failures counts, by entry and kind of proof, how often in a row a page
	// could not be read.
	Failures map[string]int `json:"failures,omitempty"`
}

func lookKey(sourceID string) string { return "harvest.proofs." + sourceID }

func (l *look) load(ctx context.Context) error {
	return l.store.View(ctx, func(tx catalog.Tx) error {
		l.state = lookState{}
		value, err := tx.Meta().Get(ctx, lookKey(l.opts.Source))
		if err == nil && value != "" {
			err = json.Unmarshal([]byte(value), &l.state)
		}
		if err != nil {
			return fmt.Errorf("read where the last look ended: %w", err)
		}
		if l.state.Failures == nil {
			l.state.Failures = map[string]int{}
		}
		return nil
	})
}

func (l *look) save(ctx context.Context) error {
	doc, err := json.Marshal(l.state)
	if err != nil {
		return fmt.Errorf("encode where the look ended: %w", err)
	}
	return l.store.Update(ctx, func(tx catalog.Tx) error { return tx.Meta().Set(ctx, lookKey(l.opts.Source), string(doc)) })
}
