package rdf

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// fuzz checks what holds for any document: no panic, a lenient reader takes
// all that a strict one takes and finds the same in it, and every triple is
// well formed.
func fuzz(f *testing.F, syntax Syntax, pattern string) {
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Options{Base: "http://example.org/", Limits: Limits{Token: 1 << 16, Depth: 32, Names: 100, Document: 1 << 17, Faults: 100}}
		strict := 0
		err := Read(bytes.NewReader(data), syntax, o, func(x Triple) error {
			strict++
			well(t, x)
			return nil
		})
		problems, found := 0, 0
		o.Lenient = func(Problem) error { problems++; return nil }
		again := Read(bytes.NewReader(data), syntax, o, func(x Triple) error { found++; well(t, x); return nil })
		switch {
		case err == nil && (again != nil || problems > 0 || found != strict):
			t.Fatalf("strict: %d triples; lenient: %d, %d problems, %v", strict, found, problems, again)
		case err != nil && again == nil && problems == 0:
			t.Fatalf("the lenient reader hides %v", err)
		}
	})
}

func well(t *testing.T, x Triple) {
	switch {
	case x.Subject.Kind != IRI && x.Subject.Kind != Blank, x.Predicate.Kind != IRI, x.Object.Kind == 0,
		x.Object.Kind == Literal && x.Object.Datatype == "", x.Subject.Value == "", x.Predicate.Value == "":
		t.Fatalf("%+v", x)
	}
}

func FuzzTurtle(f *testing.F)   { fuzz(f, Turtle, "*.ttl") }
func FuzzNTriples(f *testing.F) { fuzz(f, NTriples, "*.nt") }
func FuzzXML(f *testing.F)      { fuzz(f, RDFXML, "*.rdf") }
func FuzzJSON(f *testing.F)     { fuzz(f, JSONLD, "*.jsonld") }
func FuzzTriG(f *testing.F)     { fuzz(f, TriG, "*.trig") }
