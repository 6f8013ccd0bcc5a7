package dcat

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got; -update accepts it):\n%s", name, d)
	}
}

func TestGolden(t *testing.T) {
	r := New(Options{})
	c := freeze(t, r, fixture())
	all := files(t, r, c)
	page := PageRoute(c.ID, 1, "ttl")
	for name, route := range map[string]string{
		"dcat.ttl": "/api/v1/catalog/dcat.ttl", "dcat.jsonld": "/api/v1/catalog/dcat.jsonld",
		"dcat-quality.ttl": "/api/v1/catalog/dcat-quality.ttl", "entry.ttl": "/id/" + id(1) + ".ttl",
		"catalog.jsonld": "/catalog.jsonld", "def.ttl": "/def.ttl", "institution.ttl": "/id/institution/" + institutions[0].ID + ".ttl",
	} {
		golden(t, name, all[route])
	}
	golden(t, "page.ttl", strings.ReplaceAll(all[page], c.ID, "SNAPSHOT"))
}
