package transfer

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// The two modes of an import.
const (
	// modeRestore brings a whole register back as it was: revisions and event
	// numbers included.
	modeRestore = "restore"
	// modeMerge adds to a register that lives.
	modeMerge = "merge"
)

// Options steer an import.
type Options struct {
	// Name stands for the input in messages, a path for example.
	Name string
	// Now is the time of the import.
	Now time.Time
	// Batch is how many lines one transaction takes; 0 is 1,000.
	Batch int
	// Progress is told after each batch how many lines were taken.
	Progress func(lines int)
	// Strict makes Import return ErrRejected when it rejected a record. What
	// gets in is the same.
	Strict bool
	// Workers is how many goroutines parse; 0 is one per processor.
	Workers int
	// Limits bounds the input; zero fields take their defaults.
	Limits source.Limits
}

func (o Options) orDefault() Options {
	if o.Name == "" {
		o.Name = "import"
	}
	if o.Batch <= 0 {
		o.Batch = 1000
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Limits = o.Limits.OrDefault()
	return o
}

// batchBytes ends a batch of long lines.
const batchBytes = 64 << 20

// importer is one import under way.
type importer struct {
	store  catalog.Store
	opts   Options
	report Report
	known  *known
	seen   *duplicates
	// batch are the lines that the next transaction takes, size is their sum
	// in bytes.
	batch []*parsed
	size  int
	// late are the lines that refer to an entry which has not come yet.
	late []*parsed
	// restore is the state of a restore, nil in a merge.
	restore *restore
}

// Import reads what Export wrote, or any lines of entries. A file that begins
// with the header of a register is restored as it is when the store is empty,
// or when it is the one whose restore was interrupted; everything else is
// merged, entry by entry. A bad record is counted in the report and never
// stops the run.
func Import(ctx context.Context, st catalog.Store, r io.Reader, opts Options) (Report, error) {
	opts = opts.orDefault()
	m := &importer{store: st, opts: opts, report: newReport(), seen: newDuplicates()}
	err := m.run(ctx, r)
	switch {
	case err != nil:
		return m.report, fmt.Errorf("import %s: %w", opts.Name, err)
	case opts.Strict && m.report.Rejected > 0:
		return m.report, fmt.Errorf("import %s: %d %w", opts.Name, m.report.Rejected, ErrRejected)
	}
	return m.report, m.report.check()
}

func (m *importer) run(ctx context.Context, r io.Reader) error {
	stream, err := source.NewStream(r, m.opts.Name, m.opts.Limits)
	if err != nil {
		return err
	}
	lines := source.NewLines(stream, m.opts.Limits.Record)
	head, err := lines.Peek()
	if err != nil {
		return fmt.Errorf("read the first line: %w", err)
	}
	if m.restore, err = choose(ctx, m.store, head); err != nil {
		return err
	}
	m.report.Mode = modeMerge
	if m.restore != nil {
		m.report.Mode = modeRestore
	}
	if m.known, err = loadKnown(ctx, m.store); err != nil {
		return err
	}
	p := pipeline{lines: lines, stream: stream, name: m.opts.Name, finish: m.finish}
	if err := p.each(ctx, m.opts.Workers, func(l *parsed) error { return m.take(ctx, l) }); err != nil {
		return err
	}
	if err := m.flush(ctx); err != nil {
		return err
	}
	if err := m.settle(ctx); err != nil {
		return err
	}
	if m.restore != nil && stream.Problem() == nil {
		return m.restore.done(ctx, m.store)
	}
	return nil
}

// finish is what a worker does with a record that needs no store.
func (m *importer) finish(l *parsed) {
	if l.rec.Kind != kindEntry {
		return
	}
	if m.restore == nil {
		complete(l.rec.Entry)
		return
	}
	if err := l.rec.Entry.Validate(); err != nil {
		l.bad = invalid(err)
	}
}

// take takes the next line.
func (m *importer) take(ctx context.Context, l *parsed) error {
	m.report.Lines++
	if m.restore != nil {
		if err := m.restore.pass(l); err != nil {
			return err
		}
	}
	if l.bad == nil {
		if bad := m.seen.check(l); bad != nil {
			l.bad = m.placed(l, bad)
		}
	}
	size := len(l.raw)
	l.raw = nil
	switch {
	case l.bad != nil:
		m.report.reject(*l.bad)
	case m.restore != nil && l.number <= m.restore.resumed:
		m.report.Resumed++
		m.recall(l)
		return nil
	default:
		if l.repaired != nil {
			m.report.repair(*l.repaired)
		}
		m.batch = append(m.batch, l)
		m.size += size
	}
	if len(m.batch) < m.opts.Batch && m.size < batchBytes {
		return nil
	}
	return m.flush(ctx)
}
