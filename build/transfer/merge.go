package transfer

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// complete fills what can be computed from the record alone.
func complete(e *catalog.Entry) {
	if e.FreeAccessClass == "" {
		e.FreeAccessClass = catalog.AccessUnknown
	}
	if e.AuthType == "" {
		e.AuthType = catalog.AuthUnknown
	}
	if e.ID == "" {
		e.Tags = source.Tags(e.Tags...)
	}
	if e.IdentityKey != "" && e.MatchKey != "" {
		return
	}
	keys := *e
	identity.Keys(&keys)
	if e.IdentityKey == "" {
		e.IdentityKey = keys.IdentityKey
	}
	if e.MatchKey == "" {
		e.MatchKey = keys.MatchKey
	}
}

// merge adds entries to a register that lives: each is new, changed or
// unchanged.
func (b *batchResult) merge(ctx context.Context, tx catalog.Tx, list []*parsed) error {
	if len(list) == 0 {
		return nil
	}
	entries := make([]*catalog.Entry, len(list))
	for i, l := range list {
		e := *l.rec.Entry // the transaction may run again
		entries[i] = &e
	}
	book, err := identity.Open(ctx, tx, entries)
	if err != nil {
		return err
	}
	var writes []catalog.Write
	for i, l := range list {
		w, bad, err := b.place(ctx, tx, book, entries[i], &l.rec)
		if err != nil {
			return err
		}
		if bad != nil {
			b.reject(l, bad)
			continue
		}
		b.entries[entries[i].ID] = true
		if len(w.Events) > 0 {
			book.Keep(w.Entry)
			writes = append(writes, w)
		}
	}
	if len(writes) == 0 {
		return nil
	}
	return tx.Entries().Put(ctx, writes...)
}

// place decides what becomes of one entry e, a copy of the record's.
func (b *batchResult) place(ctx context.Context, tx catalog.Tx, book *identity.Book, e *catalog.Entry,
	r *record) (catalog.Write, *source.Rejection, error) {
	same, err := book.Find(ctx, e)
	if err != nil {
		return catalog.Write{}, nil, err
	}
	found := same
	if e.ID != "" {
		found = book.ByID(e.ID)
		if same != nil && same.ID != e.ID && same.Status != catalog.StatusRemoved && e.Status != catalog.StatusRemoved {
			return catalog.Write{}, fault(CodeDuplicateIdentity, "the register has this source as entry "+same.ID,
				"leave the id out to update that entry"), nil
		}
	} else if found != nil && found.Status == catalog.StatusRemoved {
		return catalog.Write{}, fault(CodeRemoved, "entry "+found.ID+" was removed from the register",
			"give the entry's id to change it all the same"), nil
	}
	for _, s := range append([]string{e.Slug}, e.FormerSlugs...) {
		if owner := book.SlugOwner(s); s != "" && owner != "" && owner != e.ID && (found == nil || owner != found.ID) {
			return catalog.Write{}, fault(CodeDuplicateSlug, fmt.Sprintf("the slug %q belongs to entry %s", s, owner),
				"leave the slug out or choose another"), nil
		}
	}
	if found == nil {
		return b.create(ctx, book, e, r)
	}
	return b.update(ctx, tx, found, e, r.provenance())
}

// create makes a new entry of a record and fills what it leaves out.
func (b *batchResult) create(ctx context.Context, book *identity.Book, e *catalog.Entry, r *record) (catalog.Write, *source.Rejection, error) {
	if err := book.Assign(ctx, e); err != nil {
		return catalog.Write{}, nil, err
	}
	now := b.m.opts.Now
	if e.CreatedAt.IsZero() {
		e.CreatedAt = now
		if !e.UpdatedAt.IsZero() && e.UpdatedAt.Before(now) {
			e.CreatedAt = e.UpdatedAt
		}
	}
	if e.UpdatedAt.IsZero() {
		e.UpdatedAt = e.CreatedAt
	}
	if e.ContentChangedAt.IsZero() {
		e.ContentChangedAt = e.UpdatedAt
	}
	if e.Status == "" {
		e.Status = catalog.StatusActive
	}
	publish(e, now)
	identity.StampDetails(e, nil, now)
	if err := e.Validate(); err != nil {
		return catalog.Write{}, invalid(err), nil
	}
	b.report.Created++
	created := catalog.Event{Type: createdKind[e.Status], OccurredAt: now}
	if r.trail != "" {
		return catalog.Write{Entry: e, ProvenanceDoc: string(r.trail), Events: []catalog.Event{created}}, nil, nil
	}
	p := r.Provenance
	if p == nil {
		p = &catalog.Provenance{Rows: b.origin(e)}
	}
	return write(e, p, created), nil, nil
}

// createdKind is the event of an entry that comes in with a status.
var createdKind = map[catalog.Status]catalog.EventKind{
	catalog.StatusActive: catalog.EventCreated, catalog.StatusDeprecated: catalog.EventCreated,
	catalog.StatusPending: catalog.EventSubmissionReceived, catalog.StatusRemoved: catalog.EventRemoved,
}

// origin is the provenance of an entry that came without one.
func (b *batchResult) origin(e *catalog.Entry) []catalog.FieldRow {
	row := catalog.FieldRow{Field: "admission", Basis: catalog.BasisCurator, SourceID: e.SourceID, ObservedAt: b.m.opts.Now}
	if e.Admission != nil {
		row.Transform, row.Note = string(e.Admission.Rule), e.Admission.Reason
	}
	return []catalog.FieldRow{row}
}

func write(e *catalog.Entry, p *catalog.Provenance, events ...catalog.Event) catalog.Write {
	w := catalog.Write{Entry: e, Events: events}
	if p != nil {
		w.Provenance = &catalog.Provenance{EntryID: e.ID, Rows: p.Rows}
	}
	return w
}
