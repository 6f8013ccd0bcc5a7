package check

import (
	"fmt"
	"hash"
	"io"

	"github.com/assay-register/assay/render/wire"
)

// classTotal is what snapshot.json says of a class of documents.
type classTotal struct {
	files int
	bytes int64
	sum   hash.Hash
}

func (t *classTotal) add(l *wire.RouteLine) {
	t.files++
	t.bytes += int64(l.Bytes)
	fmt.Fprintf(t.sum, "%s %s\n", l.Route, l.SHA256)
}

// counted counts the bytes that are read.
type counted struct {
	r io.Reader
	n int
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}
