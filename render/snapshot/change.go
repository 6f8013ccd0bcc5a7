package snapshot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/assay-register/assay/render/search"
)

// OverlayMax is how many changed entries searches find before the next build: what
// changes more calls for one.
const OverlayMax = 1000

// Change is an entry as it is now, while a snapshot shows it as it was.
type Change struct {
	ID string `json:"id"`
	// Line and Item are the index line and the rendered list item that the next build will
	// make, Document is what a search finds it by. Line is nil for an entry that left.
	Line     *Line           `json:"line"`
	Item     []byte          `json:"item,omitempty"`
	Document search.Document `json:"document"`
}

// ReadChanges reads the changes in the section of an overlay, one JSON object a line.
func ReadChanges(in io.Reader) ([]Change, error) {
	var out []Change
	dec := json.NewDecoder(bufio.NewReader(in))
	for dec.More() {
		var c Change
		if err := dec.Decode(&c); err != nil {
			return nil, fmt.Errorf("change %d: %w", len(out)+1, err)
		}
		if c.Line != nil && c.Line.ID != c.ID {
			return nil, fmt.Errorf("change %d: the line is of another entry than %s", len(out)+1, c.ID)
		}
		out = append(out, c)
	}
	return out, nil
}
