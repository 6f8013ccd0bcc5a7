package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// batchPlan is what one transaction will write. It is made anew whenever the
// transaction runs again, so it counts in a report of its own.
type batchPlan struct {
	tx     catalog.Tx
	book   *identity.Book
	report Report
	seen   map[string]bool
	// items are the entries to write, in the order of their first mention.
	items []*item
	byID  map[string]*item
	// waiting are the records that wait, freed the entries of which one does no
	// longer; released counts those that waited in earlier batches and have an
	// outcome now.
	waiting  waiting
	freed    map[string]bool
	released int
}

// item is one entry of the batch that is created or may have changed.
type item struct {
	// origin is the stored state, nil for a new entry.
	origin *catalog.Entry
	entry  *catalog.Entry
	// rows is the provenance; nil while it was not looked at.
	rows []catalog.FieldRow
	// trail tells that the provenance changed.
	trail bool
	// events come before the entry.updated of the changes.
	events []catalog.Event
	// audit is what is written down of a decision of its own, nil for none.
	audit *catalog.AuditRow
}

// plan decides what becomes of each record and writes the result.
func (r *run) plan(ctx context.Context, tx catalog.Tx, batch []*candidate) (*batchPlan, error) {
	entries := make([]*catalog.Entry, len(batch))
	var more []string
	for i, c := range batch {
		entries[i] = &c.entry
		more = append(more, c.former...)
		more = append(more, c.ambiguous...)
		for _, ref := range c.refs {
			more = append(more, ref.Ref)
		}
	}
	book, err := identity.Open(ctx, tx, entries, more...)
	if err != nil {
		return nil, err
	}
	b := &batchPlan{tx: tx, book: book, report: Report{unbounded: true}, seen: map[string]bool{}, byID: map[string]*item{}, waiting: waiting{}, freed: map[string]bool{}}
	if err := r.meetDuplicates(ctx, b, batch); err != nil {
		return nil, err
	}
	for _, c := range batch {
		if err := r.place(ctx, b, c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.place, err)
		}
	}
	if err := r.putStated(ctx, b, batch); err != nil {
		return nil, err
	}
	if err := r.put(ctx, b); err != nil {
		return nil, err
	}
	return b, r.keepRaw(ctx, tx, batch)
}

// place gives one record its outcome.
func (r *run) place(ctx context.Context, b *batchPlan, c *candidate) error {
	c.is = ""
	own, err := r.recognise(ctx, b, c)
	if err != nil {
		return err
	}
	found, again := own, false
	var duplicate, likely *identity.Duplicate
	switch {
	case own == nil:
		if duplicate, err = b.book.Elsewhere(ctx, r.record(b, c)); duplicate == nil {
			break
		}
		if duplicate.Same {
			found = duplicate.Entry
		} else {
			duplicate, likely = nil, duplicate
		}
	case own.MergedIntoID != "" || own.SourceID != "" && own.SourceID != r.in.Source.ID:
		found, err = b.book.Survivor(ctx, own)
		own = nil
	default:
		again = r.met(b, own.ID)
	}
	if err != nil {
		return err
	}
	if found != nil {
		b.seen[found.ID] = true
		c.of(found)
	}
	switch {
	case c.rejection != nil:
		b.report.reject(*c.rejection)
		return nil
	case found == nil:
		return r.create(ctx, b, c, likely)
	case found.Status == catalog.StatusRemoved:
		b.report.Suppressed++
		return nil
	case duplicate != nil:
		return r.join(ctx, b, duplicate, c)
	case own == nil || c.edition && !c.has(own.UpstreamRef):
		return r.merge(ctx, b, found, c)
	case again:
		return r.again(ctx, b, found, c)
	case r.outdated(found, c):
		b.waiting[found.ID] = c
		return nil
	default:
		return r.compare(ctx, b, found, c)
	}
}

// create makes a new entry of a record, if the rules admit it. likely is the entry
// of another catalogue that may be the same, or nil.
func (r *run) create(ctx context.Context, b *batchPlan, c *candidate, likely *identity.Duplicate) error {
	v := r.judge(c, &c.entry)
	if v.rejection != nil {
		b.report.reject(*v.rejection)
		return nil
	}
	e, err := r.newEntry(ctx, b, c)
	if err != nil {
		return err
	}
	v.apply(&e, &r.opts)
	if err := e.Validate(); err != nil {
		b.report.reject(invalid(c, err))
		return nil
	}
	kind := catalog.EventCreated
	if e.Status == catalog.StatusPending {
		kind = catalog.EventSubmissionReceived
		b.report.Quarantined++
	} else {
		b.report.Created++
	}
	it := &item{entry: &e, rows: append(c.trail(e.UpstreamRef, r.in), v.row(r.in)), trail: true,
		events: []catalog.Event{{Type: kind, OccurredAt: r.opts.Now}}, audit: v.audit(e.ID, r.opts.Now)}
	b.add(it)
	c.is = e.ID
	return r.propose(ctx, b, it, likely)
}

// newEntry is a record as an entry with an id, a slug and clocks of its own.
func (r *run) newEntry(ctx context.Context, b *batchPlan, c *candidate) (catalog.Entry, error) {
	e := own(&c.entry)
	if err := b.book.Assign(ctx, &e); err != nil {
		return e, err
	}
	identity.StampDetails(&e, nil, r.opts.Now)
	e.CreatedAt, e.UpdatedAt, e.ContentChangedAt = r.opts.Now, r.opts.Now, r.opts.Now
	return e, nil
}

func invalid(c *candidate, err error) source.Rejection {
	x := source.Rejection{Place: c.place, Code: source.CodeInvalidField, Reason: err.Error(), UpstreamRef: c.entry.UpstreamRef}
	var f *catalog.FieldError
	if errors.As(err, &f) {
		x.Remedy = f.Remedy
	}
	return x
}

func (b *batchPlan) add(it *item) {
	b.items = append(b.items, it)
	b.byID[it.entry.ID] = it
	b.seen[it.entry.ID] = true
	b.book.Keep(it.entry)
}

// put writes what the batch created or changed.
func (r *run) put(ctx context.Context, b *batchPlan) error {
	var writes []catalog.Write
	var audits []catalog.AuditRow
	for _, it := range b.items {
		w, err := r.writeOf(it)
		if err != nil {
			return err
		}
		if len(w.Events) == 0 {
			continue
		}
		if writes = append(writes, w); it.audit != nil {
			audits = append(audits, *it.audit)
		}
	}
	if len(writes) == 0 {
		return nil
	}
	if err := b.tx.Entries().Put(ctx, writes...); err != nil {
		return err
	}
	return b.tx.Audits().Append(ctx, audits...)
}

// judged are the fields that say what the register thinks of a source, not
// what the source is.
var judged = []string{"signals", "admission", "published_at", "upstream_ref", "upstream_aliases"}

func isContent(c catalog.FieldChange) bool { return !slices.Contains(judged, c.Field) }

func (r *run) writeOf(it *item) (catalog.Write, error) {
	w := catalog.Write{Entry: it.entry, Events: it.events}
	if it.trail {
		w.Provenance = &catalog.Provenance{EntryID: it.entry.ID, Rows: it.rows}
	}
	if it.origin == nil {
		return w, nil
	}
	changes, err := identity.Changes(it.origin, it.entry)
	if err != nil {
		return w, err
	}
	if len(it.events) > 0 {
		w.Events[0].Changes, changes = identity.Split(changes)
	}
	if len(changes) > 0 {
		if slices.ContainsFunc(changes, isContent) {
			it.entry.ContentChangedAt = r.opts.Now
		}
		identity.TouchDetails(it.entry, changes, r.opts.Now)
	} else if it.trail {
		to, err := json.Marshal(r.in.Source.ID)
		if err != nil {
			return w, err
		}
		changes = []catalog.FieldChange{{Field: "provenance", From: json.RawMessage("null"), To: to}}
	}
	if len(changes) > 0 {
		w.Events = append(w.Events, catalog.Event{Type: catalog.EventUpdated, OccurredAt: r.opts.Now, Changes: changes})
	}
	if len(w.Events) > 0 && it.entry.UpdatedAt.Before(r.opts.Now) {
		it.entry.UpdatedAt = r.opts.Now
	}
	return w, nil
}
