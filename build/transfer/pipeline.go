package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/assay-register/assay/build/harvest/source"
)

const (
	// chunkLines is how many lines a worker parses at a time: enough to make
	// the hand-over cheap.
	chunkLines = 32
	// chunkBytes ends a chunk of long lines.
	chunkBytes = 1 << 20
	// ahead is how many chunks are read ahead of those handed over: as many
	// lines as one transaction takes, so that parsing goes on while the store
	// writes.
	ahead = 32
)

// chunk is a run of lines that is parsed as one piece of work.
type chunk struct {
	lines []parsed
	done  chan struct{}
}

// pipeline reads lines, parses them on several processors and hands them over
// in their order.
type pipeline struct {
	lines  *source.Lines
	stream *source.Stream
	name   string
	work   chan *chunk
	order  chan *chunk
	// finish is called on each parsed record by the worker.
	finish func(*parsed)
	err    error
}

// each calls fn for every line that is not empty, in order, in the calling
// goroutine. It returns fn's first error, or that of the input.
func (p *pipeline) each(ctx context.Context, workers int, fn func(*parsed) error) error {
	ctx, cancel := context.WithCancel(ctx)
	p.work, p.order = make(chan *chunk, ahead), make(chan *chunk, ahead)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { p.read(ctx) })
	for range workers {
		running.Go(p.parse)
	}
	for c := range p.order {
		<-c.done
		for i := range c.lines {
			if err := fn(&c.lines[i]); err != nil {
				return err
			}
		}
	}
	if p.err != nil {
		return p.err
	}
	return ctx.Err()
}

// read cuts the input into chunks.
func (p *pipeline) read(ctx context.Context) {
	defer close(p.order)
	defer close(p.work)
	for {
		c := &chunk{done: make(chan struct{})}
		err := p.fill(c)
		if len(c.lines) > 0 {
			// Work first: a chunk that waits in order is always parsed.
			select {
			case p.work <- c:
			case <-ctx.Done():
				return
			}
			select {
			case p.order <- c:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.err = fmt.Errorf("read %s: %w", p.name, err)
			}
			return
		}
	}
}

// fill reads the lines of a chunk. A damaged input ends with a rejected line.
func (p *pipeline) fill(c *chunk) error {
	for size := 0; len(c.lines) < chunkLines && size < chunkBytes; {
		text, err := p.lines.Next()
		number := p.lines.Number()
		switch {
		case errors.Is(err, source.ErrLineTooLong):
			bad := fault(source.CodeRecordTooLarge, "the line is longer than the limit", "shorten the record")
			c.lines = append(c.lines, parsed{number: number, bad: bad})
			continue
		case errors.Is(err, io.EOF):
			if bad := p.stream.Problem(); bad != nil {
				c.lines = append(c.lines, parsed{number: number, bad: bad})
			}
			return err
		case err != nil:
			return err
		case len(bytes.TrimSpace(text)) == 0, p.lines.Unterminated() && p.stream.Problem() != nil:
			continue
		}
		c.lines = append(c.lines, parsed{number: number, raw: text})
		size += len(text)
	}
	return nil
}

func (p *pipeline) parse() {
	for c := range p.work {
		for i := range c.lines {
			l := &c.lines[i]
			if l.bad == nil {
				if l.rec, l.bad = parse(l.raw); l.bad == nil {
					l.repaired = repair(l)
					p.finish(l)
				}
			}
			for _, told := range []*source.Rejection{l.bad, l.repaired} {
				if told != nil && told.Place == "" {
					told.Place = fmt.Sprintf("%s:%d", p.name, l.number)
				}
			}
		}
		close(c.done)
	}
}
