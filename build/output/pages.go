package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// maxPage bounds one page read from a remote site, in bytes.
const maxPage = 1 << 30

// Pages gives access to a published site, wherever it is.
type Pages interface {
	// Open returns the bytes of a route; fs.ErrNotExist when there is none.
	Open(ctx context.Context, route, mediaType string) (io.ReadCloser, error)
}

// Dir is a directory that holds every document of a site as a file, and nothing that
// tells of them but the documents themselves.
type Dir string

// Open implements Pages.
func (d Dir) Open(_ context.Context, route, mediaType string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(d), filepath.FromSlash(artifact.Path(route, mediaType))))
}

// Remote is a site behind HTTP.
type Remote struct {
	Base   string
	Client *http.Client
}

// tries is how often a page is asked for of a service that says when to ask again, and
// patience the longest that is waited between.
const (
	tries    = 10
	patience = time.Minute
)

// Open implements Pages. A service that is asked too often is asked again when it says so
// (RFC 9110, section 10.2.3).
func (r Remote) Open(ctx context.Context, route, _ string) (io.ReadCloser, error) {
	for try := 1; ; try++ {
		page, wait, err := r.open(ctx, route)
		if err == nil || wait < 0 || try == tries {
			return page, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(wait, patience)):
		}
	}
}

// open asks once; wait is below 0 where asking again is of no use.
func (r Remote) open(ctx context.Context, route string) (page io.ReadCloser, wait time.Duration, err error) {
	wait = -1
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.Base+route, nil)
	if err != nil {
		return nil, wait, err
	}
	resp, err := r.Client.Do(req)
	if err != nil {
		return nil, wait, err
	}
	switch resp.StatusCode {
	case http.StatusOK:
		return &bounded{resp.Body, maxPage, resp.Header.Get(wire.SnapshotHeader) == wire.PendingSnapshot}, wait, nil
	case http.StatusNotFound, http.StatusGone:
		err = fs.ErrNotExist
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if seconds, bad := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 16); bad == nil {
			wait = time.Duration(seconds) * time.Second
		}
		fallthrough
	default:
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil, wait, errors.Join(err, resp.Body.Close())
}

// bounded is a body of which no more than left bytes are read.
type bounded struct {
	io.ReadCloser
	left  int64
	newer bool
}

// Newer tells that a service answers with an entry as it is now, which is of no snapshot yet.
func (b *bounded) Newer() bool { return b.newer }

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("is longer than %d MiB, the most that is read over HTTP; check the folder of the site instead", maxPage>>20)
	}
	return n, err
}
