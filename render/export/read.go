package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// pieces are those of all entries in one of the package's streams. A snapshot
// that was opened again has none: only a build makes exports.
func pieces(c *snapshot.Catalog, name string) (*io.SectionReader, error) {
	s := c.Streams[name]
	n := len(c.Lines)
	if n > 0 && (s == nil || len(s.Ends) != n) {
		return nil, fmt.Errorf("snapshot %s has no stream %s of %d entries: %w", c.ID, name, n, catalog.ErrInvalid)
	}
	return s.Pieces(0, n), nil
}

// Records reads the records of all entries back from their pieces, in id order
// and one at a time. After an error it ends.
func Records(c *snapshot.Catalog) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		body, err := pieces(c, jsonStream)
		if err != nil {
			yield(nil, err)
			return
		}
		in, buf, start := bufio.NewReaderSize(body, 1<<16), []byte(nil), int64(0)
		for i := range c.Lines {
			end := c.Streams[jsonStream].Ends[i]
			r, err := readRecord(in, &buf, int(end-start))
			if err != nil {
				err = fmt.Errorf("record of entry %s: %w", c.Lines[i].ID, err)
			}
			if !yield(r, err) || err != nil {
				return
			}
			start = end
		}
	}
}

// readRecord reads a piece of n bytes: a comma and an object.
func readRecord(in io.Reader, buf *[]byte, n int) (*Record, error) {
	if cap(*buf) < n {
		*buf = make([]byte, 2*n)
	}
	piece := (*buf)[:n]
	if _, err := io.ReadFull(in, piece); err != nil {
		return nil, err
	}
	if n < 2 {
		return nil, io.ErrUnexpectedEOF
	}
	r := &Record{}
	return r, json.Unmarshal(piece[1:], r)
}
