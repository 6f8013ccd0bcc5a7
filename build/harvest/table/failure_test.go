package table

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

var errStop = errors.New("stop")

// TestFailures: an input that cannot be read, and a run that cannot take what
// it is given, end the harvest with their own error.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		connector source.Connector
		good      string
	}{
		"csv":    {CSV{}, "name,url\nA,https://a.example.gov.uk\n"},
		"ndjson": {NDJSON{}, `{"name":"A","url":"https://a.example.gov.uk"}`},
	} {
		read := func(ctx context.Context, in source.Input, emit func(source.Draft) error) error {
			in.Name, in.Source = "input", catalog.Source{ID: "s", URL: "https://x.example.gov.uk/"}
			return c.connector.Run(ctx, in, emit, func(r source.Rejection) error { t.Error(r); return nil })
		}
		opened := source.Input{Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.good)), nil }}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		keep := func(source.Draft) error { return nil }
		for what, err := range map[string]error{
			"absent file": read(context.Background(), source.Input{Open: func(context.Context) (io.ReadCloser, error) { return nil, errStop }}, keep),
			"absent page": read(context.Background(), source.Input{Fetch: func(context.Context, source.Request) (*source.Response, error) { return nil, errStop }}, keep),
			"store":       read(context.Background(), opened, func(source.Draft) error { return errStop }),
		} {
			if !errors.Is(err, errStop) {
				t.Errorf("%s, %s: got %v", name, what, err)
			}
		}
		if err := read(ctx, opened, keep); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: got %v", name, err)
		}
		if err := read(context.Background(), source.Input{}, keep); err == nil {
			t.Errorf("%s: no input is no error", name)
		}
	}
}

func TestLive(t *testing.T) {
	for connector, body := range map[source.Connector]string{
		CSV{}: "name,url\nA,https://a.example.gov.uk\n", NDJSON{}: `[{"name":"A","url":"https://a.example.gov.uk"}]`,
	} {
		in := source.Input{Name: "https://x.example.gov.uk/list", Source: catalog.Source{ID: "s"},
			Fetch: func(_ context.Context, r source.Request) (*source.Response, error) {
				if r.URL != "https://x.example.gov.uk/list" {
					t.Errorf("asked for %s", r.URL)
				}
				return &source.Response{URL: r.URL, Body: io.NopCloser(strings.NewReader(body))}, nil
			}}
		o := sourcetest.Run(t, connector, in)
		if len(o.Drafts) != 1 || o.Drafts[0].Entry.SourceSeedURL != in.Name {
			t.Errorf("%T: %+v %v", connector, o.Drafts, o.Rejections)
		}
	}
}

func TestKind(t *testing.T) {
	for _, c := range []struct {
		kind, url string
		want      catalog.EntryType
		spec      string
	}{
		{"API", "https://a.example.gov.uk/v1", catalog.TypeAPI, ""},
		{"service", "https://a.example.gov.uk/openapi.json", catalog.TypeAPI, "openapi"},
		{"", "https://a.example.gov.uk/sparql", catalog.TypeAPI, "sparql"},
		{"", "https://a.example.gov.uk/x", catalog.TypeDataset, ""},
		{"data-set", "https://a.example.gov.uk/x", catalog.TypeDataset, ""},
		{"Mcp_Server", "https://a.example.gov.uk/x", catalog.TypeMCPServer, ""},
		{"catalogue", "https://a.example.gov.uk/x", "", ""},
	} {
		o := sourcetest.Run(t, CSV{}, input([]byte("name,url,type\nA,"+c.url+","+c.kind+"\n")))
		if c.want == "" {
			if o.Codes()[source.CodeInvalidField] != 1 {
				t.Errorf("%s: %v", c.kind, o.Rejections)
			}
			continue
		}
		if len(o.Drafts) != 1 {
			t.Fatalf("%+v: %v", c, o.Rejections)
		}
		e := o.Drafts[0].Entry
		spec := ""
		if e.API != nil {
			spec = e.API.SpecFormat
		}
		if e.Type != c.want || spec != c.spec || (e.API != nil) != (c.want == catalog.TypeAPI) || (e.MCP != nil) != (c.want == catalog.TypeMCPServer) ||
			(e.Dataset != nil) != (c.want == catalog.TypeDataset) {
			t.Errorf("%+v: %+v", c, e)
		}
	}
}

func TestTextOf(t *testing.T) {
	for raw, want := range map[string]string{`"a"`: "a", `1.50`: "1.50", `true`: "true", `null`: "", `["a","b"]`: "a|b"} {
		if got, ok := textOf([]byte(raw), true); got != want || !ok {
			t.Errorf("%s: %q, %v", raw, got, ok)
		}
	}
	for _, raw := range []string{`{}`, `[1]`, `[["a"]]`, `x`} {
		if got, ok := textOf([]byte(raw), true); ok {
			t.Errorf("%s: %q", raw, got)
		}
	}
	if _, ok := textOf([]byte(`["a"]`), false); ok {
		t.Error("a list where one text belongs")
	}
}
