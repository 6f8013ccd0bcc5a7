package bucket

import (
	"context"
	"io"
)

// Live reads the pages that a bucket holds, for the deploy gate and for `assay
// check`. It implements publish.Pages.
type Live struct {
	Bucket Bucket
	Keys   Keys
}

// Open implements publish.Pages.
func (l Live) Open(ctx context.Context, route, mediaType string) (io.ReadCloser, error) {
	return l.Bucket.Get(ctx, l.Keys.Of(route, mediaType))
}
