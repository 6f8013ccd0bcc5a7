package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/render/catalog"
)

// picky refuses whole transactions for the sake of one entry, and runs every
// transaction twice before it commits.
type picky struct{ catalog.Store }

var errUndo = errors.New("undone")

func (p picky) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	err := p.Store.Update(ctx, func(tx catalog.Tx) error {
		if err := fn(pickyTx{tx}); err != nil {
			return err
		}
		return errUndo
	})
	if !errors.Is(err, errUndo) {
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
	var lines []string
	for n := range 40 {
		line := bare(n, "")
		if n == 17 || n == 18 {
			line = strings.Replace(line, "Service", "poison", 1)
		}
		lines = append(lines, line)
	}
	st := open(t)
	r := load(t, picky{st}, []byte(strings.Join(lines, "\n")))
	if r.Created != 38 || r.RejectedBy[transfer.CodeStoreRefused] != 2 || r.Rejections[0].Place != "import:18" {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
	if r := load(t, st, []byte(strings.Join(lines, "\n"))); r.Unchanged != 38 || r.Created != 2 {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
}

func TestBrokenStoreStopsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := transfer.Import(ctx, open(t), strings.NewReader(bare(1, "")), transfer.Options{Now: now}); err == nil {
		t.Error("an import that was cancelled reports success")
	}
}
