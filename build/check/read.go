package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/output"
)

// readMax is the largest page that is held in memory, in bytes.
const readMax = 64 << 20

// readPage reads a page of which a site has one, or one for each entry.
func readPage(ctx context.Context, p output.Pages, route, mediaType string) ([]byte, error) {
	f, err := p.Open(ctx, route, mediaType)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page, err := io.ReadAll(io.LimitReader(f, readMax+1))
	if err == nil && len(page) > readMax {
		return nil, fmt.Errorf("is longer than %d MiB", readMax>>20)
	}
	return page, err
}

// isJSON tells whether a page is one JSON value, without holding it.
func isJSON(page io.Reader) bool {
	d, depth, values := json.NewDecoder(page), 0, 0
	for {
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
