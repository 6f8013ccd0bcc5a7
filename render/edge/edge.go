// Package edge writes the configuration by which servers and hosts of static
// sites answer as the service would: extensionless routes, media types, caching,
// compressed forms, errors, and what only the service can answer. All of it is
// made from the tables of media types and operations, so it cannot lag behind
// them; nothing in it depends on the entries, so a new snapshot needs no reload.
package edge

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/site"
)

// Dir is where a build keeps the files, below the root of the directory. Servers
// never serve it.
const Dir = ".assay/edge"

// File is one file of configuration, by its path below Dir.
type File struct {
	Path string
	Body []byte
}

//go:embed templates
var templates embed.FS

// sources are the templates by the files that they make.
var sources = []struct{ path, template string }{
	{"caddy/site.caddy", "site.caddy"},
	{"cloudflare/_headers", "headers"},
	{"cloudflare/_redirects", "redirects"},
	{"netlify/_headers", "headers"},
	{"netlify/_redirects", "redirects-netlify"},
	{"nginx/http.conf", "nginx-http.conf"},
	{"nginx/service.conf", "nginx-service.conf"},
	{"nginx/static.conf", "nginx-static.conf"},
}

// Files makes the configuration for a register at an address.
func Files(baseURL string) ([]File, error) {
	set, err := template.New("").Funcs(template.FuncMap{"quoted": quoted, "regex": pattern}).ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return nil, err
	}
	data := newTable(baseURL)
	var out []File
	for _, s := range sources {
		var b bytes.Buffer
		if err := set.ExecuteTemplate(&b, s.template+".tmpl", data); err != nil {
			return nil, fmt.Errorf("edge %s: %w", s.path, err)
		}
		out = append(out, File{s.path, b.Bytes()})
	}
	return out, nil
}

// quoted writes a value between double quotes, for nginx and Caddy.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// table is what the templates know.
type table struct {
	BaseURL string
	// Base is the path of the base URL without its last slash, "" for none.
	Base string
	// Types are extensions with their media types; Exact are routes whose type
	// the extension of their file does not tell.
	Types []typed
	Exact []exact
	// Feed is the type of JSON feeds.
	Feed string
	// Zips are the routes of compressed documents, which are no compressed form
	// of another one.
	Zips []string
	// Live are the patterns of paths that only the service answers, Asked those
	// that it answers when they have parameters; a star stands for a segment.
	Live, Asked []string
	// Text are the media types, without parameters, that compression helps,
	// Whole the same with their parameters: nginx compares all of a type.
	Text, Whole []string
	// Headers stand on every answer, Policy on pages.
	Headers []header
	Policy  string
	// Data and Pages are the names of the index files of extensionless routes
	// of the API and of all others, the likeliest first.
	Data, Pages []string
	// Languages are those of the interface whose pages lie below their code.
	Languages                  []string
	Revalidate, Pinned, Hashed string
}

type typed struct{ Ext, Media string }

type exact struct{ Route, Path, Media string }

type header struct{ Name, Value string }

func newTable(baseURL string) *table {
	t := &table{BaseURL: strings.TrimSuffix(baseURL, "/"), Base: wire.Path(snapshot.Site{BaseURL: baseURL}, ""), Feed: artifact.JSONFeed, Headers: headers, Policy: wire.FramedPolicy,
		Revalidate: wire.CacheRevalidate, Pinned: wire.CachePinned, Hashed: wire.CacheHashed,
		Data:  []string{"json", "svg", "rss", "atom", "xml", "csv", "ttl", "jsonld", "md", "txt", "ndjson", "rdf", "trig", "ics"},
		Pages: []string{"html", "json", "svg", "xml", "ttl", "jsonld", "md", "txt"}, Languages: site.Languages()[1:]}
	for ext, media := range artifact.Types() {
		t.Types = append(t.Types, typed{ext, media})
		t.compress(media)
	}
	slices.SortFunc(t.Types, func(a, b typed) int { return strings.Compare(a.Ext, b.Ext) })
	for path, media := range artifact.Exceptions() {
		route := "/" + strings.TrimSuffix(path, "/index.json")
		t.Exact = append(t.Exact, exact{route, "/" + path, media})
		t.compress(media)
	}
	slices.SortFunc(t.Exact, func(a, b exact) int { return strings.Compare(a.Route, b.Route) })
	t.compress(artifact.JSONFeed)
	for _, list := range []*[]string{&t.Text, &t.Whole} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	t.operations()
	return t
}

// nginxTypeMax is how long a media type may be for nginx to compress it, in
// bytes: it keeps them in buckets of a cache line.
const nginxTypeMax = 40

// compress adds a media type to those that compression helps, unless it is
// compressed by itself.
func (t *table) compress(media string) {
	switch kind := kindOf(media); {
	case kind == artifact.Gzip || kind == artifact.Parquet || kind == artifact.SQLite:
	case strings.HasPrefix(kind, "image/") && kind != "image/svg+xml":
	default:
		t.Text = append(t.Text, kind)
		if len(media) <= nginxTypeMax {
			t.Whole = append(t.Whole, media)
		}
	}
}

// operations sorts the paths of the interface by who answers them.
func (t *table) operations() {
	static := map[string]bool{}
	for _, op := range wire.Operations() {
		static[star(op.Path)] = static[star(op.Path)] || op.Static
		if strings.HasSuffix(op.Path, ".gz") {
			t.Zips = append(t.Zips, op.Path)
		}
	}
	for _, op := range wire.Operations() {
		path := star(op.Path)
		asked := slices.ContainsFunc(op.Params, func(p wire.Param) bool { return p.In != "path" })
		switch {
		case !static[path]:
			t.Live = append(t.Live, path)
		case asked && op.Method == "GET":
			t.Asked = append(t.Asked, path)
		}
	}
	t.Live = append(t.Live, wire.MCPPath, "/problems/*")
	for _, list := range []*[]string{&t.Live, &t.Asked, &t.Zips} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// star writes a path of the interface with stars for its parameters.
func star(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if before, rest, ok := strings.Cut(s, "{"); ok {
			_, after, _ := strings.Cut(rest, "}")
			segments[i] = before + "*" + after
		}
	}
	return strings.Join(segments, "/")
}

// headers are those that the service sets on each answer (decisions §3: reads
// are open to all origins, and no client guesses a type).
var headers = []header{
	{"Access-Control-Allow-Origin", "*"},
	{"Access-Control-Expose-Headers", wire.ExposedHeaders},
	{"Cross-Origin-Resource-Policy", "cross-origin"},
	{"Referrer-Policy", "strict-origin-when-cross-origin"},
	{"X-Content-Type-Options", "nosniff"},
}
