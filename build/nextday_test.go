package build_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pack"
)

// TestNextDay builds a register again a day later. What tells of an entry whose scores
// stayed stays to the byte, but for the documents that show an age in days.
func TestNextDay(t *testing.T) {
	t.Parallel()
	r := register(t, 60)
	path := filepath.Join(tempDir(t), "snapshots")
	o := options(path, r.Now)
	o.Record = true
	mustBuild(t, r.Store, o)
	before := parts(t, path)
	o.At = o.At.Add(24 * time.Hour)
	mustBuild(t, r.Store, o)
	after, calm := parts(t, path), 0
	for route, body := range after {
		id, ok := strings.CutSuffix(route, "/quality-history")
		if !ok || !bytes.Equal(before[route], body) {
			continue
		}
		calm++
		for _, part := range []string{"/provenance", "/preview", "/checks"} {
			if !bytes.Equal(before[id+part], after[id+part]) {
				t.Errorf("%s%s is another one", id, part)
			}
		}
	}
	if calm < 5 {
		t.Errorf("the scores of %d entries stayed, too few to tell", calm)
	}
}

// parts are the JSON documents of entries.
func parts(t *testing.T, path string) map[string][]byte {
	t.Helper()
	x, _ := openPack(t, path)
	out := map[string][]byte{}
	err := x.Each(func(f *pack.Found) error {
		id, ok := strings.CutPrefix(f.Document.Route, "/api/v1/entries/")
		if id, _, _ := strings.Cut(id, "/"); !ok || !catalog.IsID(id) {
			return nil
		}
		var b bytes.Buffer
		err := x.Write(&b, f, 0, f.Document.Size)
		out[f.Document.Route] = b.Bytes()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
