package rdf

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestRealFiles reads real catalogues and compares the number of triples with
// what two other readers found.
func TestRealFiles(t *testing.T) {
	dir := sourcetest.Shared(t, "data/dcat")
	f, err := os.Open(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		data, err := os.ReadFile(filepath.Join(dir, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		syntax, html := Detect(data[:min(len(data), 1024)], "", row[0])
		if want := map[string]Syntax{"xml": RDFXML, "turtle": Turtle, "json-ld": JSONLD}[row[1]]; syntax != want || html {
			t.Errorf("%s is taken for %v", row[0], syntax)
		}
		g, problems, err := lenient(syntax, string(data), "http://localhost/"+row[0])
		lost := 0
		for _, p := range problems {
			if p.Lost {
				lost++
			}
		}
		if row[2] != "valid" {
			if err == nil && lost == 0 {
				t.Errorf("%s was read, although it is %s", row[0], row[2])
			}
			continue
		}
		if want, _ := strconv.Atoi(row[3]); err != nil || lost > 0 || len(g) != want {
			t.Errorf("%s: %d triples, not %s; %v, %v", row[0], len(g), row[3], err, problems)
		}
	}
}

// lenient reads a document and collects what the reader reports.
func lenient(syntax Syntax, text, base string) (graph, []Problem, error) {
	return lenientWith(syntax, text, Options{Base: base})
}
