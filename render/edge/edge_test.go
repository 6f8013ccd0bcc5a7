package edge

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestFiles(t *testing.T) {
	files, err := Files("https://register.example/")
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Files("https://register.example")
	for i, f := range files {
		if !bytes.Equal(f.Body, again[i].Body) {
			t.Errorf("%s is not the same twice", f.Path)
		}
		if bytes.Contains(f.Body, []byte("<no value>")) || bytes.Contains(f.Body, []byte("&#34;")) {
			t.Errorf("%s was not filled in", f.Path)
		}
		golden := filepath.Join("testdata", filepath.FromSlash(f.Path))
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, f.Body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || !bytes.Equal(want, f.Body) {
			t.Errorf("%s differs from %s (%v); run the test with -update", f.Path, golden, err)
		}
	}
}

// TestHostLimits: the hosts refuse larger files.
func TestHostLimits(t *testing.T) {
	files, err := Files("https://register.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		rules, dynamic := 0, 0
		for l := range strings.Lines(string(f.Body)) {
			if strings.HasPrefix(l, "/") {
				rules++
				if strings.ContainsAny(l, ":*") {
					dynamic++
				}
			}
		}
		if strings.HasPrefix(f.Path, "cloudflare/") && (rules > 2000 || dynamic > 100) {
			t.Errorf("%s has %d rules, %d of them with placeholders; at most 100 are taken", f.Path, rules, dynamic)
		}
	}
}

// TestEveryOperationHasAPlace: each path of the interface lies in the tree or
// goes to the service.
func TestEveryOperationHasAPlace(t *testing.T) {
	table := newTable("https://register.example")
	live := map[string]bool{}
	for _, path := range table.Live {
		live[path] = true
	}
	for _, op := range wire.Operations() {
		if !op.Static && !live[star(op.Path)] && !statically(star(op.Path)) {
			t.Errorf("%s %s goes nowhere", op.Method, op.Path)
		}
		if op.Static && live[star(op.Path)] {
			t.Errorf("%s lies in the tree and goes to the service", op.Path)
		}
	}
	for _, path := range []string{"/api/v1/entries", "/api/v1/catalog/dcat.ttl"} {
		if !strings.Contains(strings.Join(table.Asked, " "), path) {
			t.Errorf("%s takes parameters", path)
		}
	}
	if len(table.Zips) < 3 {
		t.Errorf("compressed documents: %v", table.Zips)
	}
}

func statically(path string) bool {
	for _, op := range wire.Operations() {
		if op.Static && star(op.Path) == path {
			return true
		}
	}
	return false
}
