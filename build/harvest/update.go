package harvest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// reasonGone is the status reason of an entry that its source no longer lists
// (decisions §4).
const reasonGone = "upstream_gone"

// update takes the new content of a known entry over. Identity, slug, life
// cycle, admission and a curator's overrides stay as they are.
func (r *run) update(ctx context.Context, b *batchPlan, found *catalog.Entry, c *candidate) error {
	next := overlay(found, c, r.opts.Now)
	it := &item{origin: found, entry: &next}
	changes, err := r.content(ctx, b, it, c)
	if err != nil {
		return err
	}
	if err := r.revive(it); err != nil {
		return err
	}
	if err := r.reconsider(ctx, b, it, c); err != nil {
		return err
	}
	if len(changes) == 0 && len(it.events) == 0 {
		b.report.Unchanged++
		b.seen[found.ID] = true
		return nil
	}
	if err := next.Validate(); err != nil {
		b.report.reject(invalid(c, err))
		return nil
	}
	if len(changes) > 0 {
		if err := r.replaceTrail(ctx, b, it, c.trail(next.UpstreamRef, r.in)); err != nil {
			return err
		}
	}
	if len(it.events) == 0 && !slices.ContainsFunc(changes, func(x catalog.FieldChange) bool { return !slices.Contains(referring, x.Field) }) {
		b.report.Unchanged++
	} else {
		b.report.Updated++
	}
	b.add(it)
	return nil
}

// referring are the fields that say by what an entry is found again.
var referring = []string{"upstream_ref", "upstream_aliases"}

// content completes the new state by what other listings filled in and by its
// proofs, and tells how it differs from the stored one.
func (r *run) content(ctx context.Context, b *batchPlan, it *item, c *candidate) ([]catalog.FieldChange, error) {
	it.entry.Signals = r.rules.reprove(it.origin.Signals, c.entry.Signals, it.entry)
	changes, err := identity.Changes(it.origin, it.entry)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	if err := r.keepFilled(ctx, b, it); err != nil {
		return nil, err
	}
	it.entry.Signals = r.rules.reprove(it.origin.Signals, c.entry.Signals, it.entry)
	return identity.Changes(it.origin, it.entry)
}

// revive reactivates an entry that was gone from its source and is back.
func (r *run) revive(it *item) error {
	if it.entry.Status != catalog.StatusDeprecated || it.entry.StatusReason != reasonGone {
		return nil
	}
	kind, err := it.entry.Transition(catalog.Change{To: catalog.StatusActive, At: r.opts.Now})
	if err != nil {
		return err
	}
	it.events = append(it.events, catalog.Event{Type: kind, OccurredAt: r.opts.Now})
	return nil
}

// overlay is the stored entry with the content of a record of its source.
func overlay(found *catalog.Entry, c *candidate, now time.Time) catalog.Entry {
	next := own(&c.entry)
	life(&next, found)
	if next.SunsetAt.IsZero() {
		next.SunsetAt = found.SunsetAt
	}
	next.UpstreamRef, next.UpstreamAliases = identity.Refs(found, &c.entry, c.ambiguous)
	keepTargets(found, &next)
	identity.StampDetails(&next, found, now)
	return next
}

// life gives an entry the names and the life of another one.
func life(next, found *catalog.Entry) {
	next.ID, next.Slug, next.FormerSlugs = found.ID, found.Slug, found.FormerSlugs
	next.Status, next.StatusReason, next.Admission = found.Status, found.StatusReason, found.Admission
	next.DeprecatedAt, next.RemovedAt = found.DeprecatedAt, found.RemovedAt
	next.SuccessorID, next.MergedIntoID = found.SuccessorID, found.MergedIntoID
	next.CreatedAt, next.UpdatedAt, next.PublishedAt = found.CreatedAt, found.UpdatedAt, found.PublishedAt
	next.ContentChangedAt, next.Revision = found.ContentChangedAt, found.Revision
}

// own is a copy of an entry whose details are its own, so that stamping them
// leaves the original as it is.
func own(e *catalog.Entry) catalog.Entry {
	c := *e
	c.API, c.Dataset, c.MCP = clone(e.API), clone(e.Dataset), clone(e.MCP)
	if c.Dataset != nil {
		c.Dataset.Distributions = slices.Clone(c.Dataset.Distributions)
	}
	return c
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// load reads the provenance of an item whose entry is stored.
func (b *batchPlan) load(ctx context.Context, it *item) error {
	if it.rows != nil || it.origin == nil {
		return nil
	}
	p, err := b.tx.Provenances().Get(ctx, it.entry.ID)
	if errors.Is(err, catalog.ErrNotFound) {
		it.rows = []catalog.FieldRow{}
		return nil
	}
	if err != nil {
		return fmt.Errorf("provenance of %s: %w", it.entry.ID, err)
	}
	it.rows = p.Rows
	return nil
}

// replaceTrail puts the rows of this harvest in place of the source's earlier
// ones, before those of other sources. A row that says the same as before
// keeps the time it was first observed; admission, curators' rows, what other
// listings filled in and what the register saw of a field that the source does not
// deliver stay.
func (r *run) replaceTrail(ctx context.Context, b *batchPlan, it *item, fresh []catalog.FieldRow) error {
	if err := b.load(ctx, it); err != nil {
		return err
	}
	rows := make([]catalog.FieldRow, 0, len(fresh)+len(it.rows))
	for _, row := range fresh {
		if it.saw(row.Field) != nil && (row.Basis == catalog.BasisNotDelivered || sights[row.Field].over) {
			continue
		}
		if i := indexRow(it.rows, &row); i >= 0 {
			row.ObservedAt = it.rows[i].ObservedAt
		}
		rows = append(rows, row)
	}
	for _, row := range it.rows {
		if row.Basis == catalog.BasisObserved && (!it.seen(&row) || slices.ContainsFunc(rows, func(r catalog.FieldRow) bool { return r.Field == row.Field })) {
			continue
		}
		if row.SourceID != r.in.Source.ID || row.Field == "admission" || row.Note == catalog.NoteFilled {
			rows = append(rows, row)
		}
	}
	it.rows, it.trail = rows, true
	return nil
}

// indexRow finds the row that says the same, whenever that was observed.
func indexRow(rows []catalog.FieldRow, want *catalog.FieldRow) int {
	for i := range rows {
		row := rows[i]
		if row.ObservedAt = want.ObservedAt; row == *want {
			return i
		}
	}
	return -1
}
