package usage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Target is one thing of an entry that code can read: a file or a service.
type Target struct {
	Kind Kind
	// URL is the file, or the base address of the service.
	URL string
	// Name is what people call it.
	Name string
	// Layer is the layer, feature type, coverage, collection or table of a
	// service that is asked for, "" for none known.
	Layer string
	// Path leads to the records within a document of JSON; Records tells that
	// it is known, as "" is the document itself.
	Path    string
	Records bool
	// Keyed tells that the records are the members of one object.
	Keyed bool
	// Separator and Encoding are the dialect of a text table, "" for the usual one.
	Separator, Encoding string
	// Codes are columns of a table that hold digits but no numbers: codes with
	// leading zeros.
	Codes []string
	// Auth is how the source lets one in.
	Auth catalog.AuthType
}

// codesMax bounds the columns that a sample names.
const codesMax = 5

// Targets lists what code can read of an entry, the most useful first, each
// address once: what was sampled, then the files by how well programs read
// their format, then services. A server of the Model Context Protocol has
// none; Clients is about these.
func Targets(e *catalog.Entry, p *catalog.Profile) []Target {
	var list []Target
	switch {
	case e.Type == catalog.TypeAPI && e.API != nil:
		list = services(e, p)
	case e.Type == catalog.TypeDataset && e.Dataset != nil:
		for i := range e.Dataset.Distributions {
			list = append(list, files(&e.Dataset.Distributions[i])...)
		}
	}
	list = slices.DeleteFunc(list, func(t Target) bool { return catalog.CheckURL("url", t.URL) != nil })
	for i := range list {
		list[i].Auth = e.AuthType
		list[i].sampled(p)
	}
	slices.SortStableFunc(list, func(a, b Target) int { return cmp.Compare(a.rank(p), b.rank(p)) })
	return distinct(list)
}

// Serves tells that an address is that of the target, or asks the service that it is.
func (t *Target) Serves(address string) bool {
	if !t.Kind.service() {
		return t.URL == address
	}
	base, _ := serviceBase(t.Kind, address)
	asked := askedService(address)
	return base == t.URL && (asked == "" || asked == t.Kind)
}

func distinct(list []Target) []Target {
	seen := make(map[[2]string]bool, len(list))
	return slices.DeleteFunc(list, func(t Target) bool {
		key := [2]string{t.URL, t.Layer}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// rank is the place of a target: what was sampled before all.
func (t *Target) rank(p *catalog.Profile) int {
	if p != nil && p.Status == catalog.ProfileOK && t.URL == p.Source {
		return -1
	}
	return slices.Index(kinds, t.Kind)
}

// sampled takes over what a sample found out about a file.
func (t *Target) sampled(p *catalog.Profile) {
	if p == nil || p.Status != catalog.ProfileOK || p.Source != t.URL {
		return
	}
	if k, ok := sampledKinds[p.Kind]; ok {
		t.Kind = k
	}
	switch t.Kind {
	case CSV, TSV:
		t.Separator, t.Encoding = p.Separator, strings.ToLower(p.Encoding)
		for i := range p.Fields {
			f := &p.Fields[i]
			if f.Type == "id" && len(t.Codes) < codesMax && !strings.HasPrefix(f.Name, "column_") {
				t.Codes = append(t.Codes, f.Name)
			}
		}
	case JSON:
		t.Path, t.Records = p.Records, !strings.ContainsAny(p.Records, "[]*")
		t.Keyed = p.Records == "" && len(p.Fields) > 0 && p.Fields[0].Name == "key"
		if p.Records == "" && p.SampledRecords == 1 {
			t.Records = false // the whole document was taken as one record
		}
	}
}

// sampledKinds are the kinds of profiles.
var sampledKinds = map[string]Kind{"csv": CSV, "tsv": TSV, "json": JSON, "ndjson": NDJSON, "geojson": GeoJSON, "xlsx": XLSX, "parquet": Parquet, "xml": XML}

// files are the targets of one distribution.
func files(d *catalog.Distribution) []Target {
	address := cmp.Or(d.DownloadURL, d.AccessURL)
	kind := kindOf(d.Format, d.MediaType, address, d.DownloadURL != "")
	if k := formatKinds[letters(Answered(d.DownloadURL))]; k != "" && kind.service() && !partial(d.DownloadURL) {
		kind = k // a call that gets all of it is a file
	}
	if kind == "" || address == "" || d.DownloadURL != "" && PageOf(d) {
		return nil
	}
	t := Target{Kind: kind, URL: address, Name: strings.TrimSpace(d.Title)}
	if kind.service() {
		t.URL, t.Layer = serviceBase(kind, address)
	}
	return []Target{t}
}

// services are the targets of an API: its first layers, its example requests,
// or the service itself.
func services(e *catalog.Entry, p *catalog.Profile) []Target {
	d := e.API
	address := cmp.Or(d.BaseURL, d.PingURL)
	kind := specKinds[d.SpecFormat]
	switch {
	case kind == GraphQL || d.GraphQLURL != "" && address == "":
		return []Target{{Kind: GraphQL, URL: cmp.Or(d.GraphQLURL, address), Name: e.Name}}
	case kind == "" || kind == REST:
		return requests(e, p, address)
	case kind == SOAP:
		return []Target{{Kind: SOAP, URL: cmp.Or(d.BaseURL, d.PingURL), Name: e.Name}}
	}
	base, layer := serviceBase(kind, address)
	t := Target{Kind: kind, URL: base, Layer: layer, Name: e.Name}
	if len(e.Members) == 0 || !kind.layered() {
		return []Target{t}
	}
	m := &e.Members[0]
	t.Layer, t.Name = m.Name, cmp.Or(m.Title, m.Name)
	if kind == ArcGIS && m.URL != "" {
		t.URL, t.Layer = m.URL, ""
	}
	return []Target{t}
}

// requests are the targets of an API of no protocol of its own: requests that
// its description gives with all values, an operation that needs none, or its
// base address.
func requests(e *catalog.Entry, p *catalog.Profile, address string) []Target {
	if p != nil {
		for i := range p.QueryExamples {
			if q := &p.QueryExamples[i]; q.Method == "GET" && catalog.CheckURL("url", q.URL) == nil {
				return []Target{{Kind: REST, URL: q.URL, Name: cmp.Or(q.Label, e.Name)}}
			}
		}
	}
	if address == "" {
		return nil
	}
	for i := range e.API.Endpoints {
		o := &e.API.Endpoints[i]
		if o.Method == "GET" && !strings.ContainsAny(o.Path, "{}") && strings.HasPrefix(o.Path, "/") && o.Path != "/" && plain(o.Path) && !strings.Contains(address, "?") {
			return []Target{{Kind: REST, URL: strings.TrimRight(address, "/") + o.Path, Name: cmp.Or(o.Summary, e.Name)}}
		}
	}
	return []Target{{Kind: REST, URL: address, Name: e.Name}}
}
