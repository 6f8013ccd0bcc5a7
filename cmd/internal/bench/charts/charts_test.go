package charts

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/profile"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// samples are the files behind the profiles of the sample register.
const samples = "../../sample/data"

// TestPicturesAreARecount compares what the pages draw of 200 files, and of those of the sample register, with
// what recount.py counts in the files.
func TestPicturesAreARecount(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("there is no python3")
	}
	if err != nil {
		t.Fatal(err)
	}
	dir, files := t.TempDir(), map[string][]byte{}
	for n := range 200 {
		name, data := madeFile(n)
		files[name] = data
	}
	list, err := os.ReadDir(samples)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if files[f.Name()], err = os.ReadFile(filepath.Join(samples, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	frame, site := snapshot.NewFrame(rendertest.Site, rendertest.At, nil, nil, nil), pages.New()
	for name, data := range files {
		p, err := profile.Sample(context.Background(), bytes.NewReader(data), profile.Hint{URL: "https://data.example.org/" + name})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		row := &catalog.Row{Entry: catalog.Entry{ID: rendertest.ID(name), Type: catalog.TypeDataset, Name: name, Slug: strings.Split(name, ".")[0], Status: catalog.StatusActive,
			CreatedAt: rendertest.At, UpdatedAt: rendertest.At}, Profile: &p}
		fragments, err := site.Fragments(frame.Score(row, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		write(t, filepath.Join(dir, name), data)
		for _, f := range fragments {
			write(t, filepath.Join(dir, name+"."+f.Stream[strings.LastIndexByte(f.Stream, '-')+1:]+".html"), f.Body)
			f.Free()
		}
	}
	out, err := exec.Command(python, "recount.py", dir).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
