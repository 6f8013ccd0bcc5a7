package rdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/sourcetest"
)

const (
	mf   = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	rdft = "http://www.w3.org/ns/rdftest#"
)

// suites are the test suites of the W3C and how many tests each must have.
var suites = []struct {
	folder string
	syntax Syntax
	tests  int
}{
	{"rdf-n-triples", NTriples, 70},
	{"rdf-turtle", Turtle, 313},
	{"rdf-xml", RDFXML, 166},
}

// TestW3C judges the strict readers by the suites of RDF 1.1: everything that
// is right is read as it is meant, everything that is wrong is refused.
func TestW3C(t *testing.T) {
	for _, s := range suites {
		t.Run(s.folder, func(t *testing.T) {
			dir := sourcetest.Shared(t, filepath.Join("standards", "rdf-tests", s.folder))
			base := "https://w3c.github.io/rdf-tests/rdf/rdf11/" + s.folder + "/"
			manifest, err := os.ReadFile(filepath.Join(dir, "manifest.ttl"))
			if err != nil {
				t.Fatal(err)
			}
			g, err := read(Turtle, string(manifest), base+"manifest.ttl")
			if err != nil {
				t.Fatal(err)
			}
			ran, failed := 0, 0
			for x := range g {
				if kind, ok := strings.CutPrefix(x.Object.Value, rdft+"Test"); ok && x.Predicate.Value == RDFType {
					ran++
					if !judge(t, g, dir, base, kind, x.Subject, s.syntax) {
						failed++
					}
				}
			}
			t.Logf("%d tests, %d failed", ran, failed)
			if ran != s.tests {
				t.Errorf("%d tests ran, not %d", ran, s.tests)
			}
		})
	}
}

// judge runs one test of a manifest. Files too large for the collection are
// absent from it; a test without its file fails.
func judge(t *testing.T, g graph, dir, base, kind string, test Term, syntax Syntax) bool {
	t.Helper()
	file := func(predicate string) (string, string) {
		for x := range g {
			if x.Subject == test && x.Predicate.Value == mf+predicate {
				text, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(x.Object.Value, base)))
				if err != nil {
					t.Error(err)
				}
				return string(text), x.Object.Value
			}
		}
		return "", ""
	}
	text, address := file("action")
	got, err := read(syntax, text, address)
	switch {
	case strings.HasSuffix(kind, "NegativeSyntax") || strings.HasSuffix(kind, "NegativeEval"):
		if err == nil {
			t.Errorf("%s was read\n%s", address, text)
		}
		return err != nil
	case err != nil:
		t.Errorf("%s: %v", address, err)
		return false
	case strings.HasSuffix(kind, "PositiveSyntax"):
		return true
	}
	result, _ := file("result")
	want, err := read(NTriples, result, "")
	if err != nil {
		t.Errorf("%s: result: %v", address, err)
		return false
	}
	if !isomorphic(got, want) {
		t.Errorf("%s:\n%s\nread as\n%swant\n%s", address, text, dump(got), dump(want))
		return false
	}
	return true
}

func dump(g graph) string {
	var b strings.Builder
	for x := range g {
		b.WriteString(x.String() + "\n")
	}
	return b.String()
}
