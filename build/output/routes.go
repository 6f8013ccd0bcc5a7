package output

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// lineMax is the longest line of routes.ndjson that is read, in bytes: a route may
// have 2,000, and a line names two of them.
const lineMax = 16 << 10

// EachRoute calls fn for each line of a site's routes.ndjson.
func EachRoute(ctx context.Context, p Pages, fn func(*wire.RouteLine) error) error {
	f, err := p.Open(ctx, "/routes.ndjson", artifact.NDJSON)
	if err != nil {
		return fmt.Errorf("/routes.ndjson: %w", err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 1<<12), lineMax)
	n := 0
	for in.Scan() {
		n++
		var l wire.RouteLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			if in.Err() != nil {
				break // the line is cut where reading failed
			}
			return fmt.Errorf("/routes.ndjson, line %d: %w", n, err)
		}
		if err := fn(&l); err != nil {
			return err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("/routes.ndjson, line %d is longer than %d KiB: this is no list of routes that assay build wrote", n+1, lineMax>>10)
	} else if err != nil {
		return fmt.Errorf("/routes.ndjson, behind line %d: %w", n, err)
	}
	return nil
}

// Form is a compressed form of a document that lies beside it.
type Form struct {
	// Ext is the extension of its file, Coding the name of the content coding
	// (RFC 9110, section 8.4.1).
	Ext, Coding string
}

// codings names what the extensions of compressed forms stand for.
var codings = map[string]string{".gz": "gzip", ".zst": "zstd", ".br": "br"}

func allForms() (out []Form) {
	for _, ext := range siblingExtensions() {
		out = append(out, Form{ext, codings[ext]})
	}
	return out
}

// FormOf is the compressed form with an extension, nil for "".
func FormOf(ext string) *Form {
	if ext == "" {
		return nil
	}
	return &Form{ext, codings[ext]}
}
