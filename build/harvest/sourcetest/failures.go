package sourcetest

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

var errStop = errors.New("stop")

// torn is a body that breaks off with an error.
type torn struct{ io.Reader }

// Read implements io.Reader.
func (b torn) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, errStop
}

// Close implements io.Closer.
func (torn) Close() error { return nil }

// Failures checks that an input that cannot be read, and a run that cannot take
// what it is given, end a harvest with their own error and make nothing up.
// good is a document with one record, name its file in a folder.
func Failures(t *testing.T, c source.Connector, name, good string) {
	t.Helper()
	half := func() io.ReadCloser { return torn{strings.NewReader(good[:len(good)/2])} }
	whole := func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(good)), nil }
	folder := fstest.MapFS{name: {Data: []byte(good)}}
	keep := func(source.Draft) error { return nil }
	stop := func(source.Draft) error { return errStop }
	for _, x := range []struct {
		name string
		in   source.Input
		emit func(source.Draft) error
	}{
		{"no input", source.Input{}, keep},
		{"file that is not there", source.Input{Open: func(context.Context) (io.ReadCloser, error) { return nil, errStop }}, keep},
		{"file that breaks", source.Input{Open: func(context.Context) (io.ReadCloser, error) { return half(), nil }}, keep},
		{"page that is not there", source.Input{Fetch: func(context.Context, source.Request) (*source.Response, error) {
			return nil, &source.FetchError{Err: errStop}
		}}, keep},
		{"page that breaks", source.Input{Fetch: func(context.Context, source.Request) (*source.Response, error) {
			return &source.Response{Body: half()}, nil
		}}, keep},
		{"store that refuses", source.Input{Open: whole}, stop},
		{"store that refuses a file of a folder", source.Input{Files: folder}, stop},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.in.Name, x.in.Source = "input", catalog.Source{ID: "s", URL: "https://x.example.gov.uk/"}
			err := c.Run(context.Background(), x.in, x.emit, func(r source.Rejection) error { t.Error(r); return nil })
			if err == nil || x.name != "no input" && !errors.Is(err, errStop) {
				t.Errorf("got %v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := source.Input{Name: "input", Files: folder}
	if err := c.Run(ctx, in, keep, func(source.Rejection) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
