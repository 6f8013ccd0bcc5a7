package ogc

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

// broken is a file that cannot be read to its end.
type broken struct{ io.Reader }

func (b broken) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, errStop
}

func (broken) Close() error { return nil }

// TestFailures: an input that cannot be read, and a run that cannot take what
// it is given, end the harvest with their own error; nothing is made up.
func TestFailures(t *testing.T) {
	const good = `<WMS_Capabilities><Service><Title>T</Title></Service><Capability><Request><GetCapabilities><Get><OnlineResource href="https://a.example.gov.uk/"/></Get></GetCapabilities></Request></Capability></WMS_Capabilities>`
	open := func(r io.Reader) func(context.Context) (io.ReadCloser, error) {
		return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(r), nil }
	}
	keep := func(source.Draft) error { return nil }
	stop := func(source.Draft) error { return errStop }
	for _, c := range []struct {
		name string
		in   source.Input
		emit func(source.Draft) error
	}{
		{"no input", source.Input{}, keep},
		{"file that is not there", source.Input{Open: func(context.Context) (io.ReadCloser, error) { return nil, errStop }}, keep},
		{"file that breaks", source.Input{Open: func(context.Context) (io.ReadCloser, error) {
			return broken{strings.NewReader(good[:len(good)/2])}, nil
		}}, keep},
		{"page that is not there", source.Input{Fetch: func(context.Context, source.Request) (*source.Response, error) {
			return nil, &source.FetchError{Err: errStop}
		}}, keep},
		{"page that breaks", source.Input{Fetch: func(context.Context, source.Request) (*source.Response, error) {
			return &source.Response{Body: broken{strings.NewReader(good[:len(good)/2])}}, nil
		}}, keep},
		{"store that refuses", source.Input{Open: open(strings.NewReader(good))}, stop},
		{"store that refuses a file of a folder", source.Input{Files: fstest.MapFS{"a.xml": {Data: []byte(good)}}}, stop},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.Name, c.in.Source = "input", catalog.Source{ID: "s", URL: "https://x.example.gov.uk/"}
			err := (Connector{}).Run(context.Background(), c.in, c.emit, func(r source.Rejection) error { t.Error(r); return nil })
			if err == nil || c.name != "no input" && !errors.Is(err, errStop) {
				t.Errorf("got %v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := source.Input{Name: "input", Files: fstest.MapFS{"a.xml": {Data: []byte(good)}}}
	if err := (Connector{}).Run(ctx, in, keep, func(source.Rejection) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
