package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type provenances struct{ c *conn }

var (
	provenanceList    = docs[catalog.Provenance]("provenances", "entry_id")
	insertProvenances = newInsert("provenances", "entry_id doc", "ON CONFLICT (entry_id) DO UPDATE SET doc = excluded.doc")
)

func (a provenances) put(ctx context.Context, writes []catalog.Write) error {
	var list []catalog.Provenance
	var values []any
	for i := range writes {
		w := &writes[i]
		switch {
		case w.ProvenanceDoc != "":
			values = append(values, w.Entry.ID, w.ProvenanceDoc)
		case w.Provenance != nil:
			list = append(list, catalog.Provenance{EntryID: w.Entry.ID, Rows: w.Provenance.Rows})
		}
	}
	docs, err := encode(list)
	if err != nil {
		return err
	}
	for i := range list {
		values = append(values, list[i].EntryID, docs[i])
	}
	if _, err := a.c.insertRows(ctx, insertProvenances, values); err != nil {
		return fmt.Errorf("put %d provenances: %w", len(values)/2, err)
	}
	return nil
}

func (a provenances) Get(ctx context.Context, entryID string) (*catalog.Provenance, error) {
	return provenanceList.one(ctx, a.c, "entry_id", entryID)
}

func (a provenances) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Provenance) error) error {
	return provenanceList.scan(ctx, a.c, r, nil, fn)
}

// putDocs stores records as documents behind their key columns.
func putDocs[T any](ctx context.Context, c *conn, i insert, list []T, keys func(*T) []any) error {
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(list)*len(i.cols))
	for k := range list {
		row := keys(&list[k])
		for n, key := range row {
			if key == "" {
				return fmt.Errorf("put %s: no %s: %w", i.into, i.cols[n], catalog.ErrInvalid)
			}
		}
		values = append(append(values, row...), docs[k])
	}
	if _, err := c.insertRows(ctx, i, values); err != nil {
		return fmt.Errorf("put %d %s: %w", len(list), i.into, err)
	}
	return nil
}
