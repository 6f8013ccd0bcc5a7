package dcat

import (
	"strconv"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/rdfxml"
)

// TestStart: a directory has the first page under a route that does not change, and its
// links lead to the pinned pages.
func TestStart(t *testing.T) {
	r := New(Options{})
	c := freeze(t, r, fixture())
	all := files(t, r, c)
	start, err := r.Start(c)
	if err != nil || len(start) != 3 {
		t.Fatalf("%d documents, %v", len(start), err)
	}
	for _, f := range start {
		ext := f.Route[strings.LastIndexByte(f.Route, '.')+1:]
		if f.Route != StartRoute(ext) || f.Cache != 0 || string(f.Body) != all[PageRoute(c.ID, 1, ext)] {
			t.Errorf("%s is not page 1 of %s", f.Route, c.ID)
		}
	}
}

// asXML is a part of a document of JSON-LD as RDF/XML.
func asXML(t *testing.T, doc, part []byte) string {
	x, err := rdfxml.New(doc)
	if err == nil {
		err = x.Nodes(part)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(x.Out)
}

// TestPagesQuoteEntries: what pages quote of an entry, in each form, one of the entry's own documents has, in
// RDF/XML as it becomes of the one in JSON-LD.
func TestPagesQuoteEntries(t *testing.T) {
	r := New(Options{})
	c := freeze(t, r, append(fixture(), hostile(0)...))
	own := map[string]string{}
	for i := range c.Lines {
		files, err := r.Related(c, i)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, q := range f.Quotes {
				b := f.Body[q.At:][:q.Length]
				own[q.Stream+strconv.Itoa(q.Ordinal)] = string(b)
				if q.Stream == StreamJSONLD {
					own[StreamRDFXML+strconv.Itoa(q.Ordinal)] = asXML(t, f.Body, b)
				}
			}
		}
	}
	for n := range r.Pages(c) {
		f, err := r.SnapshotPage(c, n+1)
		if err != nil {
			t.Fatal(err)
		}
		stream := "dcat" + f.Route[strings.LastIndexByte(f.Route, '.'):]
		for _, q := range f.Quotes {
			if q.Stream != stream || string(f.Body[q.At:][:q.Length]) != own[q.Stream+strconv.Itoa(q.Ordinal)] {
				t.Errorf("%s quotes %s of entry %d:\n%s", f.Route, q.Stream, q.Ordinal, f.Body[q.At:][:q.Length])
			}
		}
		if len(f.Quotes) != len(r.indexOf(c).exported) {
			t.Errorf("%s quotes %d of %d entries", f.Route, len(f.Quotes), len(r.indexOf(c).exported))
		}
	}
}
