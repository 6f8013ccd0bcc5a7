package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// insertEntries leaves an entry alone whose creation time differs: such a row
// is another entry, which the count of touched rows reveals.
var insertEntries = newInsert("entries",
	"id slug type status match_key upstream_ref published_at created_at updated_at revision doc",
	`ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, type = excluded.type, status = excluded.status,
	match_key = excluded.match_key, upstream_ref = excluded.upstream_ref, published_at = excluded.published_at,
	updated_at = excluded.updated_at, revision = excluded.revision, doc = excluded.doc
	WHERE entries.created_at = excluded.created_at`)

func (a entries) Put(ctx context.Context, writes ...catalog.Write) error {
	for i := range writes {
		if err := checkWrite(&writes[i]); err != nil {
			return err
		}
		if len(writes[i].Events) == 0 {
			return fmt.Errorf("put entry %s: no event: %w", writes[i].Entry.ID, catalog.ErrInvalid)
		}
	}
	if len(writes) == 0 {
		return nil
	}
	return a.c.atomic(ctx, func() error {
		if err := a.number(ctx, writes); err != nil {
			return err
		}
		if err := a.takeDown(ctx, writes); err != nil {
			return err
		}
		return a.store(ctx, writes)
	})
}

// takeDown forgets what sources published of entries that leave the register.
func (a entries) takeDown(ctx context.Context, writes []catalog.Write) error {
	var ids []string
	for i := range writes {
		if e := writes[i].Entry; e.Status == catalog.StatusRemoved && e.MergedIntoID == "" {
			ids = append(ids, e.ID)
		}
	}
	return rawRecords(a).Forget(ctx, ids...)
}

func (a entries) Restore(ctx context.Context, writes ...catalog.Write) error {
	var highest int64
	for i := range writes {
		if err := checkWrite(&writes[i]); err != nil {
			return err
		}
		if len(writes[i].Events) > 0 {
			return fmt.Errorf("restore entry %s: it brings events: %w", writes[i].Entry.ID, catalog.ErrInvalid)
		}
		highest = max(highest, writes[i].Entry.Revision)
	}
	if len(writes) == 0 {
		return nil
	}
	return a.c.atomic(ctx, func() error {
		if err := a.store(ctx, writes); err != nil {
			return err
		}
		return events(a).raise(ctx, highest)
	})
}

func checkWrite(w *catalog.Write) error {
	switch {
	case w.Entry == nil || w.Entry.ID == "":
		return fmt.Errorf("put entry without id: %w", catalog.ErrInvalid)
	case w.Entry.Slug == "":
		return fmt.Errorf("put entry %s: no slug: %w", w.Entry.ID, catalog.ErrInvalid)
	case w.Provenance != nil && w.Provenance.EntryID != w.Entry.ID && w.Provenance.EntryID != "":
		return fmt.Errorf("put entry %s: provenance of %s: %w", w.Entry.ID, w.Provenance.EntryID, catalog.ErrInvalid)
	case w.ProvenanceDoc != "" && (w.Provenance != nil || !strings.HasPrefix(w.ProvenanceDoc, `{"entry_id":"`+w.Entry.ID+`",`)):
		return fmt.Errorf("put entry %s: the provenance document is not its own: %w", w.Entry.ID, catalog.ErrInvalid)
	}
	return nil
}

// number gives the events of all writes their numbers, stores them and makes
// the last one of each write the entry's revision.
func (a entries) number(ctx context.Context, writes []catalog.Write) error {
	var list []*catalog.Event
	for i := range writes {
		for k := range writes[i].Events {
			writes[i].Events[k].EntryID, writes[i].Events[k].Unpublished = writes[i].Entry.ID, writes[i].Entry.PublishedAt.IsZero()
			list = append(list, &writes[i].Events[k])
		}
	}
	if err := events(a).append(ctx, list); err != nil {
		return err
	}
	for i := range writes {
		writes[i].Entry.Revision = writes[i].Events[len(writes[i].Events)-1].Number
	}
	return nil
}

func (a entries) store(ctx context.Context, writes []catalog.Write) error {
	// An entry that comes twice is written twice, because its creation time
	// and slugs are compared both times.
	seen := make(map[string]bool, len(writes))
	var first, again []catalog.Write
	for _, w := range writes {
		if seen[w.Entry.ID] {
			again = append(again, w)
			continue
		}
		seen[w.Entry.ID] = true
		first = append(first, w)
	}
	if err := a.storeDistinct(ctx, first); err != nil || len(again) == 0 {
		return err
	}
	return a.store(ctx, again)
}

func (a entries) storeDistinct(ctx context.Context, writes []catalog.Write) error {
	list := make([]*catalog.Entry, len(writes))
	for i := range writes {
		list[i] = writes[i].Entry
	}
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(list)*len(insertEntries.cols))
	for i, e := range list {
		values = append(values, e.ID, e.Slug, string(e.Type), string(e.Status), lookupKey(e.MatchKey), lookupKey(e.UpstreamRef),
			microsOrNull(e.PublishedAt), micros(e.CreatedAt), micros(e.UpdatedAt), e.Revision, docs[i])
	}
	touched, err := a.c.insertRows(ctx, insertEntries, values)
	if err != nil {
		return fmt.Errorf("put %d entries: %w", len(list), err)
	}
	if touched < int64(len(list)) {
		return a.recreated(ctx, list)
	}
	if err := a.claim(ctx, list); err != nil {
		return err
	}
	if err := a.putKeys(ctx, list); err != nil {
		return err
	}
	return provenances(a).put(ctx, writes)
}

// recreated names the entry that exists with another creation time.
func (a entries) recreated(ctx context.Context, list []*catalog.Entry) error {
	for _, e := range list {
		var at int64
		err := a.c.query(ctx, func(s scanner) error { return s.Scan(&at) },
			"SELECT created_at FROM entries WHERE id = $1", e.ID)
		if err != nil {
			return fmt.Errorf("put entry %s: %w", e.ID, err)
		}
		if at != micros(e.CreatedAt) {
			return fmt.Errorf("put entry %s created %s: it exists, created %s: %w",
				e.ID, e.CreatedAt, fromMicros(at), catalog.ErrConflict)
		}
	}
	return fmt.Errorf("put %d entries: one was not stored: %w", len(list), catalog.ErrConflict)
}
