package dcatap

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// TestLive walks a catalogue over HTTP: the first address redirects, the second
// page is compressed and in another syntax than the first.
func TestLive(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/catalogue", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Accept"), "text/turtle") {
			http.Error(w, "ask for Turtle", http.StatusNotAcceptable)
			return
		}
		http.Redirect(w, r, "/v2/catalogue.ttl", http.StatusFound)
	})
	mux.HandleFunc("/v2/catalogue.ttl", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/turtle")
		_, _ = io.WriteString(w, page(1, "<?page=1> a hydra:PartialCollectionView ; hydra:next <2> ."))
	})
	mux.HandleFunc("/v2/2", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/">
			<dcat:Dataset rdf:about="d/2"><dct:title xml:lang="en">Set 2</dct:title><dcat:landingPage rdf:resource="http://data.example.org/p/2"/></dcat:Dataset></rdf:RDF>`)
		_ = z.Close()
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	session := fetch.New(fetch.Options{Client: server.Client(), Gap: time.Millisecond}).Session(nil)
	in := source.Input{Name: server.URL + "/catalogue", Source: catalog.Source{ID: "s", URL: server.URL + "/catalogue"}, Now: sourcetest.Now, Fetch: session.Fetch}
	var marks []string
	in.Mark = func(cursor string) error { marks = append(marks, cursor); return nil }
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 2 || len(o.Rejections) != 0 || len(marks) != 1 || marks[0] != server.URL+"/v2/2" {
		t.Fatalf("%d drafts, %+v, marks %q", len(o.Drafts), o.Rejections, marks)
	}
	if d := o.ByName(t, "Set 2"); !strings.HasSuffix(d.Entry.UpstreamRef, ":dataset:"+server.URL+"/v2/d/2") || d.Entry.SourceSeedURL != server.URL+"/v2/2" {
		t.Errorf("%+v", d.Entry)
	}
}
