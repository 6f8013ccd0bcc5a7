package harvest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// picky is a store that refuses whole transactions for the sake of one entry,
// and runs every transaction twice before it commits.
type picky struct{ catalog.Store }

func (p picky) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	errUndo := fmt.Errorf("undone")
	err := p.Store.Update(ctx, func(tx catalog.Tx) error {
		if err := fn(pickyTx{tx}); err != nil {
			return err
		}
		return errUndo
	})
	if err != errUndo {
		return err
	}
	return p.Store.Update(ctx, func(tx catalog.Tx) error { return fn(pickyTx{tx}) })
}

type pickyTx struct{ catalog.Tx }

func (p pickyTx) Entries() catalog.Entries { return pickyEntries{p.Tx.Entries()} }

type pickyEntries struct{ catalog.Entries }

func (p pickyEntries) Put(ctx context.Context, writes ...catalog.Write) error {
	for _, w := range writes {
		if strings.Contains(w.Entry.Name, "poison") {
			return fmt.Errorf("put %s: %w", w.Entry.Name, catalog.ErrInvalid)
		}
	}
	return p.Entries.Put(ctx, writes...)
}

func TestOneRefusedRecordCostsOneRecord(t *testing.T) {
	w := newWorld(t)
	w.st = picky{w.st}
	var list []source.Draft
	for i := range 40 {
		name := fmt.Sprintf("Service %d", i)
		if i == 17 || i == 18 {
			name = fmt.Sprintf("poison %d", i)
		}
		list = append(list, draft(fmt.Sprintf("h:k:%d", i), name, fmt.Sprintf("%s/%d", tides, i)))
	}
	r := w.run(w.official, harvest.Options{Batch: 25}, list...)
	if r.In != 40 || r.Created != 38 || r.RejectedBy[harvest.CodeStoreRefused] != 2 || len(w.entries()) != 38 {
		t.Fatal(r.Summary())
	}
}
