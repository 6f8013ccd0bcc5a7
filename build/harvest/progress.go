package harvest

import (
	"context"
	"io"
	"sync/atomic"
)

// Progress is how far the harvest of a source is.
type Progress struct {
	// Records is how many records were taken.
	Records int
	// Share is how much of the whole that is, from 0 to 1: of the records that the
	// source states to have, else of the bytes of its file. It is negative while
	// nobody knows.
	Share float64
}

// unknown is the share of a source that does not tell how much it has.
const unknown = -1

// far notes how far a run is. A connector reads on while a batch is written.
type far struct {
	listener                      func(Progress)
	records, expected, read, size atomic.Int64
}

// tell tells the listener how far the run is.
func (f *far) tell() {
	if f.listener == nil {
		return
	}
	p := Progress{Records: int(f.records.Load()), Share: unknown}
	if all := f.expected.Load(); all > 0 {
		p.Share = min(1, float64(p.Records)/float64(all))
	} else if size := f.size.Load(); size > 0 {
		p.Share = min(1, float64(f.read.Load())/float64(size))
	}
	f.listener(p)
}

// readStep is how many bytes are read between two calls of the listener.
const readStep = 1 << 20

// counting opens an input of a known size so that its bytes are counted.
func (f *far) counting(open func(context.Context) (io.ReadCloser, error), size int64) func(context.Context) (io.ReadCloser, error) {
	f.size.Store(size)
	return func(ctx context.Context) (io.ReadCloser, error) {
		r, err := open(ctx)
		if err != nil {
			return nil, err
		}
		f.read.Store(0)
		return &counted{r, f}, nil
	}
}

type counted struct {
	io.ReadCloser
	far *far
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if after := c.far.read.Add(int64(n)); after/readStep != (after-int64(n))/readStep {
		c.far.tell()
	}
	return n, err
}
