package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// goneAfter is how many complete harvests in a row must miss an entry before
// it is deprecated (decisions §4).
const goneAfter = 3

// shrunk is the share of a listing, one part in so many, beyond which its loss
// is doubted.
const shrunk = 5

// gap is what a complete run did not meet.
type gap struct {
	// listed is how many entries the last accepted run met, lost how many of
	// them this one did not.
	listed, lost int
	// missing are all entries of the source that this run did not meet.
	missing []string
}

// doubtful tells whether the listing is empty or lost more than a fifth: that
// says something about the source, not about its entries (an emptied portal
// still answers 200).
func (g *gap) doubtful() bool { return g.lost*shrunk > g.listed }

// absent finds the active entries of the source that a complete run did not
// meet; it is nil for any other run. A run that broke off, that the source
// answered with "unchanged", or that asked only for changes tells nothing.
func (r *run) absent(ctx context.Context) (*gap, error) {
	if r.report.State != catalog.RunComplete || !r.opts.Complete || !r.row.Since.IsZero() {
		return nil, nil
	}
	for _, code := range unsure {
		if r.report.RejectedBy[code] > 0 {
			r.report.Notice = "parts of the input could not be read, so nothing is counted as missing"
			return nil, nil
		}
	}
	g := &gap{}
	err := r.store.View(ctx, func(tx catalog.Tx) error {
		before, err := counts(ctx, tx, missingKey(r.in.Source.ID))
		if err != nil {
			return err
		}
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.Status != catalog.StatusActive || e.SourceID != r.in.Source.ID && !listedBy(e, r.in.Source.ID) {
				return nil
			}
			if before[e.ID] == 0 {
				g.listed++
			}
			if r.seen[e.ID] || r.refused(e) {
				return nil
			}
			if g.missing = append(g.missing, e.ID); before[e.ID] == 0 {
				g.lost++
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("look for missing entries of %s: %w", r.in.Source.ID, err)
	}
	slices.Sort(g.missing)
	return g, nil
}

// refused tells whether the record of an entry was met and rejected.
func (r *run) refused(e *catalog.Entry) bool {
	return slices.ContainsFunc(append([]string{e.UpstreamRef}, e.UpstreamAliases...), func(ref string) bool { return ref != "" && r.refs[refKey(ref)] })
}

// judgeGap counts what is missing, or holds a doubtful listing until a person
// confirms it.
func (r *run) judgeGap(ctx context.Context, tx catalog.Tx, g *gap) error {
	if g == nil {
		return nil
	}
	r.report.Missing = len(g.missing)
	if g.doubtful() && !r.opts.Confirmed {
		r.report.State = catalog.RunQuarantined
		r.report.Notice = fmt.Sprintf("the source lists only %d of the %d entries known from it; none is counted as missing until a person confirms it",
			g.listed-g.lost, g.listed)
		return r.holdBack(ctx, tx, g)
	}
	if err := putHeld(ctx, tx, r.in.Source.ID, nil); err != nil {
		return err
	}
	gone, err := countMissing(ctx, tx, r.in.Source.ID, g.missing, r.opts.Now)
	r.report.Gone = gone
	return err
}

// holdBack remembers what a doubtful listing lacks. Entries that it has are
// not missing any more, whatever it lacks.
func (r *run) holdBack(ctx context.Context, tx catalog.Tx, g *gap) error {
	key := missingKey(r.in.Source.ID)
	before, err := counts(ctx, tx, key)
	if err != nil {
		return err
	}
	still := map[string]int{}
	for _, id := range g.missing {
		if before[id] > 0 {
			still[id] = before[id]
		}
	}
	if err := putCounts(ctx, tx, key, before, still); err != nil {
		return err
	}
	return putHeld(ctx, tx, r.in.Source.ID, &held{Run: r.row.ID, Missing: g.missing})
}

// countMissing counts one more complete harvest that missed the entries, none
// for all others of the source, and deprecates those that have been missed
// often enough. It returns how many those are.
func countMissing(ctx context.Context, tx catalog.Tx, sourceID string, missing []string, at time.Time) (int, error) {
	key := missingKey(sourceID)
	before, err := counts(ctx, tx, key)
	if err != nil {
		return 0, err
	}
	now := map[string]int{}
	var gone []string
	for _, id := range missing {
		if now[id] = before[id] + 1; now[id] >= goneAfter {
			gone = append(gone, id)
			delete(now, id)
		}
	}
	n, err := letGo(ctx, tx, sourceID, gone, at)
	if err != nil {
		return 0, err
	}
	return n, putCounts(ctx, tx, key, before, now)
}

func missingKey(sourceID string) string { return "harvest.missing." + sourceID }

func counts(ctx context.Context, tx catalog.Tx, key string) (map[string]int, error) {
	value, err := tx.Meta().Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("read missing entries: %w", err)
	}
	m := map[string]int{}
	if value == "" {
		return m, nil
	}
	if err := json.Unmarshal([]byte(value), &m); err != nil {
		return nil, fmt.Errorf("read missing entries: %w", err)
	}
	return m, nil
}

func putCounts(ctx context.Context, tx catalog.Tx, key string, before, now map[string]int) error {
	if maps.Equal(before, now) {
		return nil
	}
	if len(now) == 0 {
		return tx.Meta().Set(ctx, key, "")
	}
	doc, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("encode missing entries: %w", err)
	}
	return tx.Meta().Set(ctx, key, string(doc))
}

// listedBy tells whether an entry has a backlink from a source.
func listedBy(e *catalog.Entry, sourceID string) bool {
	return slices.ContainsFunc(e.Signals, func(s catalog.Signal) bool {
		return s.Kind == catalog.SignalBacklink && s.Held && s.SourceID == sourceID
	})
}

// letGo deprecates the entries of the source, and takes back its backlink to
// those of another one. It returns how many were deprecated.
func letGo(ctx context.Context, tx catalog.Tx, sourceID string, ids []string, at time.Time) (int, error) {
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return 0, fmt.Errorf("load missing entries: %w", err)
	}
	var writes []catalog.Write
	deprecated := 0
	for i := range list {
		e := &list[i]
		if e.SourceID != sourceID {
			w, err := unlist(e, sourceID, at)
			if err != nil {
				return 0, err
			}
			if len(w.Events) > 0 {
				writes = append(writes, w)
			}
			continue
		}
		kind, err := e.Transition(catalog.Change{To: catalog.StatusDeprecated, Reason: reasonGone, At: at})
		if errors.Is(err, catalog.ErrConflict) {
			continue // it left the state ACTIVE since it was looked up
		}
		if err != nil {
			return 0, err
		}
		deprecated++
		writes = append(writes, catalog.Write{Entry: e, Events: []catalog.Event{{Type: kind, OccurredAt: at}}})
	}
	if len(writes) == 0 {
		return 0, nil
	}
	return deprecated, tx.Entries().Put(ctx, writes...)
}

// unlist takes the backlink of a source back. A write without events changes
// nothing.
func unlist(e *catalog.Entry, sourceID string, at time.Time) (catalog.Write, error) {
	before := *e
	e.Signals = slices.Clone(e.Signals)
	for i := range e.Signals {
		s := &e.Signals[i]
		if s.Kind == catalog.SignalBacklink && s.Held && s.SourceID == sourceID {
			s.Held, s.ObservedAt, s.Detail = false, at, fmt.Sprintf("the source has not listed it in %d complete harvests", goneAfter)
		}
	}
	changes, err := identity.Changes(&before, e)
	if err != nil || len(changes) == 0 {
		return catalog.Write{}, err
	}
	e.UpdatedAt = at
	return catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: at, Changes: changes}}}, nil
}
