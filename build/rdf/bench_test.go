package rdf

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// document is a real catalogue.
func document(b *testing.B, name string) []byte {
	b.Helper()
	f, err := os.Open(sourcetest.Shared(b, "data/dcat-large/"+name))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

func benchmark(b *testing.B, syntax Syntax, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	triples := 0
	for b.Loop() {
		err := Read(bytes.NewReader(data), syntax, Options{Base: "http://localhost/"}, func(Triple) error { triples++; return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(triples)/b.Elapsed().Seconds(), "triples/s")
}

func BenchmarkTurtle(b *testing.B) {
	benchmark(b, Turtle, document(b, "belgium-part-2025-04.ttl.gz"))
}

func BenchmarkNTriples(b *testing.B) {
	var nt bytes.Buffer
	err := Read(bytes.NewReader(document(b, "belgium-part-2025-04.ttl.gz")), Turtle, Options{}, func(t Triple) error {
		_, err := nt.WriteString(t.String() + "\n")
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, NTriples, nt.Bytes())
}

func BenchmarkXML(b *testing.B) {
	benchmark(b, RDFXML, document(b, "belgium-biodiversity-2025-04.rdf.gz"))
}

// BenchmarkJSON reads a graph of flat nodes behind their context.
func BenchmarkJSON(b *testing.B) {
	nodes := map[string]map[string]any{}
	var order []string
	err := Read(bytes.NewReader(document(b, "belgium-part-2025-04.ttl.gz")), Turtle, Options{}, func(t Triple) error {
		id := func(x Term) string { return strings.Trim(x.String(), "<>") }
		node := nodes[id(t.Subject)]
		if node == nil {
			node = map[string]any{"@id": id(t.Subject)}
			nodes[id(t.Subject)] = node
			order = append(order, id(t.Subject))
		}
		value := map[string]any{"@id": id(t.Object)}
		if t.Object.Kind == Literal {
			value = map[string]any{"@value": t.Object.Value, "@language": t.Object.Lang}
			if t.Object.Lang == "" {
				value = map[string]any{"@value": t.Object.Value, "@type": t.Object.Datatype}
			}
		}
		key := strings.Replace(t.Predicate.Value, "http://purl.org/dc/terms/", "dct:", 1)
		list, _ := node[key].([]any)
		node[key] = append(list, value)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	out.WriteString(`{"@context":{"dct":"http://purl.org/dc/terms/"},"@graph":[`)
	for i, id := range order {
		data, err := json.Marshal(nodes[id])
		if err != nil {
			b.Fatal(err)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(data)
	}
	out.WriteString("]}")
	benchmark(b, JSONLD, out.Bytes())
}

// TestReadFile reads the file that RDF_FILE names, for comparisons with other
// readers, and counts its triples.
func TestReadFile(t *testing.T) {
	name := os.Getenv("RDF_FILE")
	if name == "" {
		t.Skip("RDF_FILE names no file")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	triples := 0
	if err := Read(f, Extension(name), Options{}, func(Triple) error { triples++; return nil }); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d triples", triples)
	if triples == 0 {
		t.Error("no triples")
	}
}
