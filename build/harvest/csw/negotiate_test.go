package csw

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// office is a catalogue service of one version that takes requests in the ways of
// which its capabilities speak.
type office struct {
	version   string
	get, post bool
	// schema is the one it knows beside Dublin Core.
	schema string
	// mute is a service that does not say what it can.
	mute bool
	// asked are the bodies that were posted, and the queries of the others.
	asked []string
}

func (o *office) capabilities() string {
	ways := ""
	if o.get {
		ways += `<ows:Get xlink:href="http://internal/csw"/>`
	}
	if o.post {
		ways += `<ows:Post xlink:href="http://internal/soap"><ows:Constraint name="PostEncoding"><ows:AllowedValues><ows:Value>SOAP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Post>` +
			`<ows:Post xlink:href="http://internal/csw"><ows:Constraint name="PostEncoding"><ows:Value>XML</ows:Value></ows:Constraint></ows:Post>`
	}
	return fmt.Sprintf(`<csw:Capabilities xmlns:csw="%s" xmlns:ows="http://www.opengis.net/ows/2.0" xmlns:xlink="http://www.w3.org/1999/xlink" version="%s"><ows:OperationsMetadata>`+
		`<ows:Operation name="DescribeRecord"><ows:DCP><ows:HTTP><ows:Get xlink:href="x"/><ows:Post xlink:href="x"/></ows:HTTP></ows:DCP></ows:Operation>`+
		`<ows:Operation name="GetRecords"><ows:DCP><ows:HTTP>%s</ows:HTTP></ows:DCP><ows:Parameter name="outputSchema"><ows:AllowedValues><ows:Value>%s</ows:Value><ows:Value>%s</ows:Value></ows:AllowedValues></ows:Parameter></ows:Operation>`+
		`</ows:OperationsMetadata></csw:Capabilities>`, space(o.version), o.version, ways, space(o.version), o.schema)
}

// ServeHTTP implements http.Handler.
func (o *office) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	version, schema, start, most := q.Get("version"), q.Get("outputSchema"), q.Get("startPosition"), q.Get("maxRecords")
	switch {
	case r.Method == http.MethodPost && o.post:
		var doc struct {
			XMLName xml.Name
			Version string `xml:"version,attr"`
			Schema  string `xml:"outputSchema,attr"`
			Start   string `xml:"startPosition,attr"`
			Max     string `xml:"maxRecords,attr"`
			Query   struct {
				Types string `xml:"typeNames,attr"`
				Set   string `xml:"ElementSetName"`
				CQL   string `xml:"Constraint>CqlText"`
			}
		}
		body, _ := io.ReadAll(r.Body)
		o.asked = append(o.asked, string(body))
		if err := xml.Unmarshal(body, &doc); err != nil || doc.XMLName.Space != space(o.version) || doc.XMLName.Local != "GetRecords" || doc.Query.Set != "full" || len(q) != 1 || q.Get("map") != "x" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		version, schema, start, most = doc.Version, doc.Schema, doc.Start, doc.Max
	case q.Get("request") == "GetCapabilities" && !o.mute:
		_, _ = io.WriteString(w, o.capabilities())
		return
	case r.Method == http.MethodPost, !o.get, q.Get("request") != "GetRecords":
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	default:
		o.asked = append(o.asked, r.URL.RawQuery)
	}
	if version != o.version || schema != o.schema && schema != space(o.version) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, exceptionReport)
		return
	}
	var list []string
	const n = 120
	for i := number(start); i < min(number(start)+number(most), n+1); i++ {
		if schema == o.schema {
			list = append(list, strings.ReplaceAll(iso(fmt.Sprint("r", i)), gmd, o.schema))
		} else {
			list = append(list, dc(fmt.Sprint("r", i)))
		}
	}
	next := number(start) + len(list)
	if next > n {
		next = 0
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(results(n, next, list...), core, space(o.version)))
}

// TestNegotiation reads services of both versions in the ways that they offer.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		office  office
		filters map[string]string
		asked   int
		posted  bool
	}{
		{"2.0.2 by GET", office{version: version2, get: true, schema: gmd}, nil, 3, false},
		{"2.0.2 by both", office{version: version2, get: true, post: true, schema: gmd}, nil, 3, false},
		{"2.0.2 by POST", office{version: version2, post: true, schema: gmd}, nil, 3, true},
		{"3.0 by GET", office{version: version3, get: true, schema: gmd}, nil, 3, false},
		{"3.0 by POST", office{version: version3, post: true, schema: gmd}, map[string]string{FilterConstraint: "AnyText LIKE '%<water>%'"}, 3, true},
		{"Dublin Core only", office{version: version3, get: true, schema: core3}, nil, 3, false},
		{"it does not say", office{version: version2, get: true, schema: gmd, mute: true}, nil, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := &c.office
			server := httptest.NewServer(o)
			defer server.Close()
			session := fetch.New(fetch.Options{Client: server.Client(), Gap: time.Microsecond, Attempts: 1}).Session(nil)
			var marks []string
			expected := 0
			in := source.Input{Name: server.URL + "/csw?map=x", Source: catalog.Source{ID: "s", URL: server.URL + "/csw?map=x", Filters: c.filters}, Now: sourcetest.Now, Fetch: session.Fetch,
				AllowPrivate: true, Mark: func(cursor string) error { marks = append(marks, cursor); return nil }, Expect: func(n int) { expected = n }}
			got := sourcetest.Run(t, Connector{}, in)
			if len(got.Drafts) != 120 || len(got.Rejections) != 0 || len(o.asked) != c.asked || expected != 120 {
				t.Fatalf("%d drafts of %d, %v, asked %d: %q", len(got.Drafts), expected, got.Rejections, len(o.asked), o.asked)
			}
			if posted := strings.HasPrefix(o.asked[0], "<?xml"); posted != c.posted || c.filters != nil && !strings.Contains(o.asked[0], "&lt;water&gt;") {
				t.Errorf("asked %s", o.asked[0])
			}
			if e := got.Drafts[0].Entry; strings.Contains(e.SourceSeedURL, "#") || !strings.Contains(e.PrimarySourceURL, "version="+o.version) {
				t.Errorf("found at %s, shown at %s", e.SourceSeedURL, e.PrimarySourceURL)
			}
			in.Cursor = marks[1]
			if rest := sourcetest.Run(t, Connector{}, in); len(rest.Drafts) != 20 || rest.Drafts[0].Entry.UpstreamRef != got.Drafts[100].Entry.UpstreamRef {
				t.Errorf("from the cursor %s on: %d drafts, %v", in.Cursor, len(rest.Drafts), rest.Rejections)
			}
		})
	}
}

// TestPostAddress: what is posted goes where the service states it, unless that
// is a host that only the service can reach.
func TestPostAddress(t *testing.T) {
	t.Parallel()
	for stated, want := range map[string]string{"https://geo.example.gov/post": "https://geo.example.gov/post", "http://localhost:8080/csw": endpoint, "": endpoint, ":": endpoint} {
		a := abilities{version: version2, post: true, postAt: stated}
		ways := a.ways(mustURL(t, endpoint), nil)
		if i := slices.IndexFunc(ways, func(w string) bool { return strings.HasPrefix(w, want+"?") && strings.HasSuffix(w, "#post") }); i != 0 {
			t.Errorf("%q: %q", stated, ways)
		}
	}
}

func mustURL(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
