package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// flush stores the batch.
func (m *importer) flush(ctx context.Context) error {
	batch := m.batch
	m.batch, m.size = nil, 0
	if len(batch) == 0 {
		return nil
	}
	if err := m.write(ctx, batch, true); err != nil {
		return err
	}
	if m.opts.Progress != nil {
		m.opts.Progress(m.report.Lines)
	}
	return nil
}

// write stores a batch in one transaction. When the store refuses it for one
// record's sake, the halves are tried, so that only that record is lost. last
// says that nothing of the lines taken so far remains to be stored after it.
func (m *importer) write(ctx context.Context, batch []*parsed, last bool) error {
	var b *batchResult
	err := m.store.Update(ctx, func(tx catalog.Tx) error {
		b = newBatchResult(m)
		if err := b.apply(ctx, tx, batch); err != nil {
			return err
		}
		if m.restore == nil || !last {
			return nil
		}
		return m.restore.mark(ctx, tx)
	})
	switch {
	case err == nil:
		m.report.add(&b.report)
		m.known.add(b)
		m.late = append(m.late, b.late...)
		return nil
	case !errors.Is(err, catalog.ErrConflict) && !errors.Is(err, catalog.ErrInvalid) && !errors.Is(err, catalog.ErrNotFound):
		return err
	case len(batch) == 1:
		m.report.reject(*m.placed(batch[0], fault(CodeStoreRefused, err.Error(), "correct the record")))
		return nil
	}
	half := len(batch) / 2
	if err := m.write(ctx, batch[:half], false); err != nil {
		return err
	}
	return m.write(ctx, batch[half:], last)
}

// placed says where the line of a fault stands.
func (m *importer) placed(l *parsed, bad *source.Rejection) *source.Rejection {
	bad.Place = fmt.Sprintf("%s:%d", m.opts.Name, l.number)
	return bad
}
