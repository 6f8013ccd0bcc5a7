package publish

import (
	"context"

	"github.com/assay-register/assay/render/wire"
)

// EachRoute calls fn for each line of a site's routes.ndjson.
func EachRoute(ctx context.Context, p Pages, fn func(*wire.RouteLine) error) error {
	return lines(ctx, p, fn)
}

// Form is a compressed form of a document that lies beside it.
type Form struct {
	// Ext is the extension of its file, Coding the name of the content coding
	// (RFC 9110, section 8.4.1).
	Ext, Coding string
}

// codings names what the extensions of compressed forms stand for.
var codings = map[string]string{".gz": "gzip", ".zst": "zstd", ".br": "br"}

// forms lists the compressed forms of the document at a path. There are all or
// none, as in siblingsFit.
func forms(path string) []Form {
	if !siblingsFit(path) {
		return nil
	}
	return allForms()
}

func allForms() (out []Form) {
	for _, ext := range siblingExtensions() {
		out = append(out, Form{ext, codings[ext]})
	}
	return out
}
