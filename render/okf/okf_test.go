package okf

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"github.com/assay-register/assay/render/wire"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/okf/okfcheck"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func checkAll(tb testing.TB, tree fstest.MapFS) {
	tb.Helper()
	for _, f := range okfcheck.Check(tree) {
		tb.Error(f)
	}
}

func TestTreeKeepsTheRules(t *testing.T) { checkAll(t, render(t, freeze(t, noon, rows()...))) }

func TestEmptyTreeKeepsTheRules(t *testing.T) {
	tree := render(t, freeze(t, noon))
	checkAll(t, tree)
	if tree["bundle.tar.gz"] == nil {
		t.Error("an empty register has no bundle")
	}
}

func TestGolden(t *testing.T) {
	tree := render(t, freeze(t, noon, rows()...))
	for _, name := range []string{"index.md", "log.md", "apis/business-register.md", "apis/log-1.md", "datasets/population.md",
		"mcp-servers/law-server.md", "apis/index.md", "countries/index.md", "countries/gr/index.md", "institutions/index.md",
		"institutions/gr-elstat/index.md"} {
		path := filepath.Join("testdata", strings.ReplaceAll(name, "/", "_"))
		if tree[name] == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		if *update {
			if err := os.WriteFile(path, tree[name].Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(want, tree[name].Data) {
			t.Errorf("%s differs from its golden file (%v); run with -update and look at the difference", name, err)
		}
	}
}

// TestArchiveIsTheTree unpacks the bundle and compares it with the files.
func TestArchiveIsTheTree(t *testing.T) {
	tree := render(t, freeze(t, noon, rows()...))
	zip, err := gzip.NewReader(bytes.NewReader(tree["bundle.tar.gz"].Data))
	if err != nil || zip.Name != "" || !zip.ModTime.IsZero() {
		t.Fatal("gzip header has a name or a time:", err, zip.Name, zip.ModTime)
	}
	in, names := tar.NewReader(zip), []string{}
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil || !bytes.Equal(body, tree[h.Name].Data) {
			t.Errorf("%s differs: %v", h.Name, err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" || h.Mode != 0o644 || !h.ModTime.Equal(noon.AddDate(0, 0, -2)) {
			t.Errorf("%s has the header %+v", h.Name, h)
		}
		names = append(names, h.Name)
	}
	want := slices.DeleteFunc(slices.Sorted(maps.Keys(tree)), func(n string) bool { return !strings.HasSuffix(n, ".md") })
	if !slices.Equal(names, want) {
		t.Errorf("the archive holds %q, the tree %q", names, want)
	}
}

func TestSummaryNamesTheBundle(t *testing.T) {
	tree := render(t, freeze(t, noon, rows()...))
	var s wire.OKFSummary
	if err := json.Unmarshal(tree["summary"].Data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Bundle.SHA256 != fmt.Sprintf("%x", sum256(tree["bundle.tar.gz"].Data)) || s.Bundle.Bytes != int64(len(tree["bundle.tar.gz"].Data)) {
		t.Errorf("the summary names another bundle: %+v", s.Bundle)
	}
	if s.Concepts != 4 || s.AsOf != "2026-11-18T12:00:00Z" || s.OKFVersion != "0.1" {
		t.Errorf("summary: %+v", s)
	}
	var late wire.OKFSummary
	err := Aggregates(freeze(t, noon, rows()...), func(f artifact.File) error {
		if f.Body != nil && strings.HasSuffix(f.Route, "/summary") {
			return json.Unmarshal(f.Body, &late)
		}
		return nil
	})
	if err != nil || late.Bundle != s.Bundle {
		t.Errorf("a taker that streams later gets %+v, %v", late.Bundle, err)
	}
}

// TestLargeIndexIsSplit groups more entries than a page lists.
func TestLargeIndexIsSplit(t *testing.T) {
	var list []*catalog.Row
	for i := range 3 * pageMax {
		list = append(list, entry(catalog.TypeDataset, fmt.Sprintf("data-%04d", i), fmt.Sprint("Data ", i)))
	}
	list = append(list, entry(catalog.TypeDataset, "data-", "x"), entry(catalog.TypeDataset, "data", "y"))
	tree := render(t, freeze(t, noon, list...))
	checkAll(t, tree)
	groups := 0
	for name, f := range tree {
		if strings.HasSuffix(name, "index.md") && bytes.Count(f.Data, []byte("\n* ")) > pageMax {
			t.Errorf("%s lists more than %d", name, pageMax)
		}
		if strings.Contains(name, "/by/") {
			groups++
		}
	}
	if groups < 4 {
		t.Errorf("%d groups", groups)
	}
}
