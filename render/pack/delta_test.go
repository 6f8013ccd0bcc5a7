package pack

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/rdfxml"
)

// quoting is a document of the records of entries, each behind a line of its own.
func quoting(records [][]byte, from int) func(io.Writer) error {
	return func(w io.Writer) error {
		for i, r := range records {
			if _, err := fmt.Fprintf(w, "record %d of %d\n", i, len(records)); err != nil {
				return err
			}
			if err := artifact.WriteQuote(w, "records", i, from, r[from:]); err != nil {
				return err
			}
		}
		return nil
	}
}

// routes is what a list of all documents says.
func routes(list []*Group) func(io.Writer) error {
	return func(w io.Writer) error {
		for i, g := range list {
			if err := artifact.WriteQuote(w, "routes", i, 0, g.Routes(nil)); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestDelta: a document that quotes others is the same with references and without, whole
// and in part, with its gzip copy, and takes nearly nothing.
func TestDelta(t *testing.T) {
	t.Parallel()
	const n = 400
	list := groups(t, n)
	records := make([][]byte, n)
	for i := range records {
		records[i] = entry(i)[0].Body
	}
	for name, f := range map[string]artifact.File{
		"whole":     {Route: "/all", Type: artifact.NDJSON, Stream: quoting(records, 0)},
		"routes":    {Route: "/all", Type: artifact.NDJSON, Stream: routes(list)},
		"from":      {Route: "/all", Type: artifact.NDJSON, Stream: quoting(records, 100)},
		"with copy": {Route: "/all", Gzip: "/all.gz", Type: artifact.NDJSON, Stream: quoting(records, 0)},
		"a body":    artifact.File{Route: "/all", Type: artifact.NDJSON, Body: append([]byte("> "), records[7]...), Quotes: []artifact.Quote{{Stream: "records", Ordinal: 7, At: 2, Length: len(records[7])}}}.Streamed(),
	} {
		var want, file, packed bytes.Buffer
		if err := f.Stream(&want); err != nil {
			t.Fatal(err)
		}
		w := NewWriter(&file)
		for _, g := range list {
			if err := w.Append(g); err != nil {
				t.Fatal(err)
			}
		}
		s, err := compressor.StreamIn(&packed, "all", &f, FrameMax, func(stream string, ordinal int) (Source, bool) {
			if stream == "routes" {
				return RoutesOf(ordinal), true
			}
			return Source{Group: ordinal}, stream == "records" && ordinal%7 != 3
		})
		if err != nil || !s.Refers() {
			t.Fatalf("%s: %v, refers %v", name, err, s.Refers())
		}
		if err := w.AppendStreamed(s, &packed); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := open(t, file.Bytes())
		found, err := r.Route("/all")
		if got := body(t, r, found, err); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: %d bytes are read, not the %d", name, len(got), want.Len())
		}
		c := r.Open(found)
		for from := 0; from < want.Len(); from += max(1, want.Len()/11) {
			part := make([]byte, min(20_000, want.Len()-from))
			if k, err := c.ReadAt(part, int64(from)); k != len(part) || !bytes.Equal(part, want.Bytes()[from:from+k]) {
				t.Errorf("%s from %d: %d bytes, %v", name, from, k, err)
			}
		}
		if c.Zstd() != nil {
			t.Errorf("%s is said to be zstd", name)
		}
		other := NewWriter(io.Discard)
		if err := other.Keep(r, r.Directory.Groups-1); err != nil {
			t.Error(err)
		}
		if _, err := other.Close(); err == nil {
			t.Errorf("%s: a group that refers to others of its file is copied into another one", name)
		}
		if f.Gzip != "" {
			copied, err := r.Route(f.Gzip)
			z, err2 := gzip.NewReader(bytes.NewReader(body(t, r, copied, err)))
			if err2 != nil {
				t.Fatal(err2)
			}
			if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("%s: the copy holds %d bytes, %v", name, len(got), err)
			}
		}
	}
}

// ofJSONLD is the document of an entry in JSON-LD, where its nodes begin, and what these become as RDF/XML.
func ofJSONLD(t testing.TB, i int) (doc []byte, at int, xml []byte) {
	t.Helper()
	head := `{"@context":{"dct":"http://purl.org/dc/terms/"},"@graph":[` + "\n"
	doc = []byte(head)
	for j := range 20 + i%7 {
		doc = fmt.Appendf(doc, `{"@id":"https://a.example/%d#%d","dct:title":["the <%d> title \"%d\" of an entry",{"@value":"titre","@language":"fr"}]},`+"\n", i, j, i, j)
	}
	x, err := rdfxml.New(doc)
	if err == nil {
		err = x.Nodes(doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return append(doc, "\n]}\n"...), len(head), x.Out
}

// TestDeltaOfRDFXML: what documents of JSON-LD become as RDF/XML is copied from them, also where a frame ends
// within one, and nothing of it is in the file; what is no JSON-LD gives an error.
func TestDeltaOfRDFXML(t *testing.T) {
	t.Parallel()
	const n = 50
	var file, packed, want bytes.Buffer
	w := NewWriter(&file)
	at, xml := make([]int, n), make([][]byte, n)
	for i := range n {
		var doc []byte
		doc, at[i], xml[i] = ofJSONLD(t, i)
		g, err := compressor.Compress(fmt.Sprint("entry ", i), []artifact.File{entry(i)[0], {Route: fmt.Sprintf("/id/%d.jsonld", i), Type: "application/ld+json", Body: doc}})
		if err == nil {
			err = w.Append(g)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	page := artifact.File{Route: "/1.rdf", Type: rdfxml.Type, Stream: func(to io.Writer) error {
		for i, x := range xml {
			if err := artifact.WriteQuote(to, "rdf", i, 0, x); err != nil {
				return err
			}
		}
		return artifact.WriteQuote(to, "rdf", 7, 100, xml[7][100:])
	}}
	if err := page.Stream(&want); err != nil {
		t.Fatal(err)
	}
	add := func(route string, document int) {
		page.Route = route
		packed.Reset()
		s, err := compressor.StreamIn(&packed, route, &page, 5000, func(_ string, i int) (Source, bool) {
			return Source{Group: i, Document: document, Offset: int64(at[i]), RDFXML: true}, true
		})
		if err == nil && (!s.Refers() || packed.Len() > n*40) {
			t.Errorf("%s takes %d bytes, refers %v", route, packed.Len(), s.Refers())
		}
		if err == nil {
			err = w.AppendStreamed(s, &packed)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("/1.rdf", 1)
	add("/wrong.rdf", 0)
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, file.Bytes())
	found, err := r.Route("/1.rdf")
	if got := body(t, r, found, err); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes are read, not the %d", len(got), want.Len())
	}
	part := make([]byte, 999)
	for from := 0; from+len(part) < want.Len(); from += 1777 {
		if _, err := r.Open(found).ReadAt(part, int64(from)); err != nil || !bytes.Equal(part, want.Bytes()[from:][:len(part)]) {
			t.Errorf("from %d: other bytes, %v", from, err)
		}
	}
	wrong, err := r.Route("/wrong.rdf")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Write(io.Discard, wrong, 0, wrong.Document.Size); !errors.Is(err, ErrForm) {
		t.Errorf("of what is no JSON-LD: %v", err)
	}
}

// FuzzSteps: no bytes make a delta hold anything but as many bytes as it is said to.
func FuzzSteps(f *testing.F) {
	raw := bytes.Repeat([]byte("a line\n"), 99)
	_, good := compressor.delta(raw, []quoted{{10, 300, Source{Group: 3, Document: 1, Offset: 20}}, {400, 100, Source{Group: 2}}, {500, 100, Source{Group: 1, Document: 2, RDFXML: true, Skip: 7}}})
	f.Add(good, len(raw))
	f.Add(good, len(raw)-1)
	f.Add(good[:len(good)-3], len(raw))
	f.Add([]byte{}, 0)
	f.Fuzz(func(t *testing.T, packed []byte, size int) {
		if size < 0 || size > FrameMax {
			return
		}
		list, err := steps(packed, size)
		at := 0
		for _, s := range list {
			if err == nil && (s.at != at || s.n <= 0) {
				t.Errorf("a step at %d, not %d", s.at, at)
			}
			at += s.n
		}
		if err == nil && at != size {
			t.Errorf("%d bytes, not %d", at, size)
		}
	})
}
