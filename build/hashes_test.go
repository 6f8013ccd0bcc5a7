package build_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/wire"
)

// openHashes opens the index of the present snapshot.
func openHashes(t *testing.T, dir string) (path string, x *hashindex.Reader) {
	t.Helper()
	id, err := output.Current(dir)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, output.HiddenDir, id, hashindex.File)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if x, err = hashindex.Open(f); err != nil {
		t.Fatal(err)
	}
	return path, x
}

// TestEveryPageIsFoundByItsHashes looks up every file that routes.ndjson names,
// and what the manifests of the JSON pages name.
func TestEveryPageIsFoundByItsHashes(t *testing.T) {
	r := register(t, 30)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	path, x := openHashes(t, dir)
	f, err := os.Open(filepath.Join(dir, "routes.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pages, sealed := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l wire.RouteLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.SameAs != "" {
			continue
		}
		pages++
		expect := func(text string, manifest bool) {
			var sum [sha256.Size]byte
			if _, err := hex.Decode(sum[:], []byte(text)); err != nil {
				t.Fatal(err)
			}
			got, err := x.Find(sum)
			if err != nil || !slices.Contains(got, hashindex.Match{Route: l.Route, Manifest: manifest}) && len(got) < 100 {
				t.Errorf("%s, manifest %t: %v, %v", l.Route, manifest, got, err)
			}
		}
		expect(l.SHA256, false)
		if l.Type != artifact.JSON {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, artifact.Path(l.Route, l.Type)))
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Manifest *wire.Manifest `json:"manifest"`
		}
		if json.Unmarshal(body, &page) == nil && page.Manifest != nil {
			sealed++
			expect(page.Manifest.AnswerSHA256, true)
		}
	}
	if pages < 500 || sealed < 200 {
		t.Errorf("only %d pages, %d of them sealed", pages, sealed)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The same snapshot built again has the same index, also when it was lost.
	os.Remove(path)
	mustBuild(t, r.Store, options(dir, r.Now))
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the index changed: %v, %d and %d bytes", err, len(before), len(after))
	}
	t.Logf("%d pages, %d sealed, %d bytes of index", pages, sealed, len(before))
}
