package rdf

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden reads the same small catalogue in each syntax, with what is
// special to it, and compares the triples.
func TestGolden(t *testing.T) {
	for _, name := range []string{"catalogue.ttl", "catalogue.nt", "catalogue.rdf", "catalogue.jsonld"} {
		file := filepath.Join("testdata", name)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, err := read(Extension(name), string(data), "http://localhost/"+name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		lines := strings.Split(strings.TrimSpace(dump(g)), "\n")
		slices.Sort(lines)
		got := strings.Join(lines, "\n") + "\n"
		if *update {
			if err := os.WriteFile(file+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
	}
}
