package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/output"
)

// What is held of one page, in bytes. What is made of a page may take many times its
// size, so those of which all is kept at once are the smallest.
const (
	readMax = 64 << 20
	// snapshotMax bounds snapshot.json, which has a member for each class of documents.
	snapshotMax = 1 << 20
	// feedMax bounds a feed, which has some hundred items.
	feedMax = 8 << 20
	// htmlMax bounds an HTML page, and stoneMax a line of tombstones.ndjson.
	htmlMax  = 16 << 20
	stoneMax = 1 << 20
)

// roomMax bounds what is remembered of all pages until the last one is read, in bytes:
// a register of a million entries needs some 300 MiB.
const roomMax = 512 << 20

// nameCost is what a remembered name takes besides its bytes, with its place in a map.
const nameCost = 96

// remember counts a name that is kept until the end.
func (c *checker) remember(bytes int) { c.room -= bytes + nameCost }

// crowded is the error of a site whose pages name more than may be remembered.
func (c *checker) crowded() error {
	if c.room >= 0 {
		return nil
	}
	return fmt.Errorf("the pages name more than %d MiB of places, files and forms, far more than a register that assay built: nothing behind that is checked", roomMax>>20)
}

// readPage reads a page of which a site has one, or one for each entry, of at most most bytes.
func readPage(ctx context.Context, p output.Pages, route, mediaType string, most int64) ([]byte, error) {
	f, err := p.Open(ctx, route, mediaType)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(&capped{in: f, most: most})
}

// capped is a reader of which at most most bytes are read in one go.
type capped struct {
	in      io.Reader
	n, most int64
}

// Read implements io.Reader.
func (c *capped) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	if c.n += int64(n); c.n > c.most {
		return 0, fmt.Errorf("is longer than %d MiB", c.most>>20)
	}
	return n, err
}

// each decodes the elements of a JSON array one by one, so that a page is not many times
// its size in memory. It stops without an error at what is none.
func each[T any](array json.RawMessage, fn func(*T)) {
	d := json.NewDecoder(bytes.NewReader(array))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return
	}
	for d.More() {
		var v T
		if d.Decode(&v) != nil {
			return
		}
		fn(&v)
	}
}

// isJSON tells whether a page is one JSON value, without holding it.
func isJSON(page io.Reader) bool {
	in := &capped{in: page, most: readMax}
	d, depth, values := json.NewDecoder(in), 0, 0
	for {
		in.n = 0 // a token is held whole
		token, err := d.Token()
		if err != nil {
			return errors.Is(err, io.EOF) && depth == 0 && values == 1
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			values++
		}
	}
}
