package dcatap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

const prefixes = "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix hydra: <http://www.w3.org/ns/hydra/core#> .\n"

// paged answers with a page for each address.
type paged struct {
	pages map[string]string
	media string
	asked []string
	marks []string
}

func (p *paged) input() source.Input {
	return source.Input{Name: "http://data.example.org/catalogue", Source: catalog.Source{ID: "s", URL: "http://data.example.org/catalogue"}, Now: sourcetest.Now,
		Fetch: func(_ context.Context, r source.Request) (*source.Response, error) {
			p.asked = append(p.asked, r.URL)
			text, ok := p.pages[r.URL]
			if !ok || r.Accept != rdf.Accept {
				return nil, &source.FetchError{URL: r.URL, Code: source.CodeUnreadable, Status: 404, Attempts: 1, Err: errors.New("not found")}
			}
			return &source.Response{Body: io.NopCloser(strings.NewReader(text)), URL: r.URL, Header: http.Header{"Content-Type": {p.media}}}, nil
		},
		Mark: func(cursor string) error { p.marks = append(p.marks, cursor); return nil }}
}

// page is a page with one dataset and the statement that leads on.
func page(n int, on string) string {
	return fmt.Sprintf("%s<http://data.example.org/d/%d> a dcat:Dataset ; dct:title \"Set %d\"@en ; dcat:landingPage <http://data.example.org/p/%d> .\n%s", prefixes, n, n, n, on)
}

func TestPages(t *testing.T) {
	const view = "<http://data.example.org/catalogue?page=%d> a hydra:PartialCollectionView ; hydra:next <?page=%d> .\n"
	const collection = "[] a hydra:PagedCollection ; hydra:nextPage \"http://data.example.org/catalogue?page=%d\" .\n"
	for name, on := range map[string]func(int) string{
		"partial view":     func(n int) string { return fmt.Sprintf(view, n-1, n) },
		"paged collection": func(n int) string { return fmt.Sprintf(collection, n) },
		"both":             func(n int) string { return fmt.Sprintf(view, n-1, n) + fmt.Sprintf(collection, n) },
	} {
		p := &paged{media: "text/turtle; charset=utf-8", pages: map[string]string{
			"http://data.example.org/catalogue":        page(1, on(2)),
			"http://data.example.org/catalogue?page=2": page(2, on(3)),
			"http://data.example.org/catalogue?page=3": page(3, ""),
		}}
		o := sourcetest.Run(t, Connector{}, p.input())
		marks := []string{"http://data.example.org/catalogue?page=2", "http://data.example.org/catalogue?page=3"}
		if len(o.Drafts) != 3 || len(o.Rejections) != 0 || !slices.Equal(p.marks, marks) || o.Drafts[1].Entry.SourceSeedURL != marks[0] {
			t.Errorf("%s: %d drafts, %v, marks %q", name, len(o.Drafts), o.Rejections, p.marks)
		}
		p.asked = nil
		in := p.input()
		in.Cursor = marks[1]
		if o = sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 1 || !slices.Equal(p.asked, marks[1:]) {
			t.Errorf("%s: resumed with %d drafts, asked %q", name, len(o.Drafts), p.asked)
		}
	}
}

// TestServiceOfAnotherPage reads which service serves a dataset where the dataset is; the service is no
// record there.
func TestServiceOfAnotherPage(t *testing.T) {
	const service = "<http://data.example.org/s/1>"
	p := &paged{media: "text/turtle", pages: map[string]string{
		"http://data.example.org/catalogue": page(1, "<http://data.example.org/catalogue> a hydra:PartialCollectionView ; hydra:next <?page=2> .\n") +
			service + ` a dcat:DataService ; dct:title "Service"@en ; dcat:endpointURL <http://data.example.org/wms> ; dcat:servesDataset <http://data.example.org/d/1> .` + "\n",
		"http://data.example.org/catalogue?page=2": page(2, service+" dcat:servesDataset <http://data.example.org/d/2>, <http://data.example.org/d/3> .\n"),
	}}
	o := sourcetest.Run(t, Connector{}, p.input())
	if len(o.Drafts) != 3 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	want := map[string]catalog.RelationKind{"Service": catalog.RelationServes, "Set 2": catalog.RelationServedBy}
	for _, d := range o.Drafts {
		kind, linked := want[d.Entry.Name]
		if linked != (len(d.Entry.Relations) == 1) || linked && d.Entry.Relations[0].Kind != kind {
			t.Errorf("%s leads to %v", d.Entry.Name, d.Entry.Relations)
		}
	}
}

// TestLinksLeftOutAreCounted: of more links from services of other pages than are read the number is told.
func TestLinksLeftOutAreCounted(t *testing.T) {
	var text strings.Builder
	text.WriteString(page(1, ""))
	const each, services = valuesMax - 1, elsewhereMax/(valuesMax-1) + 1
	for s := range services {
		fmt.Fprintf(&text, "<s/%d> dcat:servesDataset <d/1>", s)
		for d := range each - 1 {
			fmt.Fprintf(&text, ",<x%d>", d)
		}
		text.WriteString(" .\n")
	}
	o := sourcetest.Run(t, Connector{}, input("c.ttl", []byte("@base <http://data.example.org/> . "+text.String())))
	want := fmt.Sprintf("%d links", each*services-elsewhereMax)
	if len(o.Drafts) != 1 || len(o.Rejections) != 1 || o.Rejections[0].Code != CodeLinks || !strings.HasPrefix(o.Rejections[0].Reason, want) {
		t.Errorf("%d drafts, %v, want %s to be told", len(o.Drafts), o.Rejections, want)
	}
}

// TestRealPages walks pages that udata's tests are made of.
func TestRealPages(t *testing.T) {
	for _, first := range []string{"udata__paged-collection-1.jsonld", "udata__partial-collection-1.jsonld"} {
		p := &paged{media: "application/ld+json", pages: map[string]string{
			"http://data.example.org/catalogue":          read(t, first),
			"http://data.test.org/catalog.jsonld?page=2": read(t, "udata__paged-collection-2.jsonld"),
		}}
		if o := sourcetest.Run(t, Connector{}, p.input()); len(o.Drafts) != 4 || len(p.marks) != 1 {
			t.Errorf("%s: %d drafts, %+v, marks %q", first, len(o.Drafts), o.Rejections, p.marks)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	r, err := file(sourcetest.Shared(t, "data/dcat/"+name)).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPageFile reads a page from a file: it stays with that page.
func TestPageFile(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input("p.ttl", []byte(page(1, "<> hydra:next <http://data.example.org/2> ."))))
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestLoop(t *testing.T) {
	p := &paged{media: "text/turtle", pages: map[string]string{
		"http://data.example.org/catalogue": page(1, "<> hydra:next <http://data.example.org/2> ."),
		"http://data.example.org/2":         page(2, "<> hydra:next <http://data.example.org/catalogue> ."),
	}}
	o := sourcetest.Run(t, Connector{}, p.input())
	if len(o.Drafts) != 2 || len(o.Rejections) != 1 || o.Rejections[0].Code != source.CodeRepeatedPage || o.Rejections[0].Place != "http://data.example.org/2" ||
		!strings.Contains(o.Rejections[0].Reason, "http://data.example.org/catalogue") {
		t.Errorf("%d drafts, %+v", len(o.Drafts), o.Rejections)
	}
}

// TestBrokenWalk checks that a walk that does not come to its end is an error,
// and what was read is not lost.
func TestBrokenWalk(t *testing.T) {
	const second = "http://data.example.org/2"
	for name, answer := range map[string]string{
		"web page": "<!DOCTYPE html><html>please log in</html>", "broken XML": "<?xml version='1.0'?><rdf:RDF", "missing": "",
		"bad next": page(2, "<> hydra:next <mailto:a@b.example> ."),
	} {
		p := &paged{media: "text/turtle", pages: map[string]string{"http://data.example.org/catalogue": page(1, "<> hydra:next <"+second+"> ."), second: answer}}
		if answer == "" {
			delete(p.pages, second)
		}
		drafts, rejected := 0, 0
		err := Connector{}.Run(t.Context(), p.input(), func(source.Draft) error { drafts++; return nil }, func(source.Rejection) error { rejected++; return nil })
		if err == nil || !strings.Contains(err.Error(), second) || drafts == 0 || !slices.Equal(p.marks, []string{second}) {
			t.Errorf("%s: %v, %d drafts, marks %q", name, err, drafts, p.marks)
		}
	}
	stop := errors.New("stop")
	p := &paged{media: "text/turtle", pages: map[string]string{"http://data.example.org/catalogue": page(1, "<> hydra:next <"+second+"> .")}}
	in := p.input()
	in.Mark = func(string) error { return stop }
	if err := (Connector{}).Run(t.Context(), in, func(source.Draft) error { return nil }, nil); !errors.Is(err, stop) {
		t.Error(err)
	}
}
