package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// ambiguousMax is how many references and entries of a source are remembered.
const ambiguousMax = 20_000

// ambiguous is what only a look at the whole of a source tells about single
// records. It stays with the store, so that the next run, and one that was
// resumed, knows it from its first record on.
type ambiguous struct {
	// refs are references that the source gave to several records.
	refs map[string]bool
	// entries are those of which the source listed an older record before the
	// newest.
	entries map[string]bool
	changed bool
}

type ambiguousDoc struct {
	Refs    []string `json:"refs,omitempty"`
	Entries []string `json:"entries,omitempty"`
}

func ambiguousKey(sourceID string) string { return "harvest.ambiguous." + sourceID }

// load reads what earlier runs found.
func (a *ambiguous) load(ctx context.Context, tx catalog.Tx, sourceID string) error {
	value, err := tx.Meta().Get(ctx, ambiguousKey(sourceID))
	if err != nil {
		return fmt.Errorf("read what records of %s share: %w", sourceID, err)
	}
	var doc ambiguousDoc
	if value != "" {
		if err := json.Unmarshal([]byte(value), &doc); err != nil {
			return fmt.Errorf("read what records of %s share: %w", sourceID, err)
		}
	}
	a.refs, a.entries = set(doc.Refs), set(doc.Entries)
	return nil
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// add remembers a reference or the id of an entry.
func (a *ambiguous) add(to *map[string]bool, key string) {
	if *to == nil {
		*to = map[string]bool{}
	}
	if m := *to; !m[key] && len(m) < ambiguousMax {
		m[key], a.changed = true, true
	}
}

// save stores what is known, if this run found something.
func (a *ambiguous) save(ctx context.Context, tx catalog.Tx, sourceID string) error {
	if !a.changed {
		return nil
	}
	doc, err := json.Marshal(ambiguousDoc{slices.Sorted(maps.Keys(a.refs)), slices.Sorted(maps.Keys(a.entries))})
	if err != nil {
		return fmt.Errorf("encode what records of %s share: %w", sourceID, err)
	}
	return tx.Meta().Set(ctx, ambiguousKey(sourceID), string(doc))
}
