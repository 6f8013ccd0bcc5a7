package build_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

// overlaid are the documents over the present snapshot file by route, and the routes that
// are no more.
func overlaid(t *testing.T, folder string) (documents map[string]string, gone map[string]bool) {
	t.Helper()
	documents, gone = map[string]string{}, map[string]bool{}
	id, err := output.Present(folder)
	if err != nil {
		t.Fatal(err)
	}
	s, err := output.OpenSnapshot(filepath.Join(folder, snapshot.OverlayOf(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return documents, gone
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Pack.Each(func(f *pack.Found) error {
		var b bytes.Buffer
		if err := s.Pack.Verify(&b, f); err != nil {
			return err
		}
		documents[f.Document.Route] = b.String()
		return nil
	})
	var list map[string][]string
	if err == nil {
		err = json.NewDecoder(s.Pack.Section(snapshot.GonePart)).Decode(&list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, routes := range list {
		for _, route := range routes {
			gone[route] = true
		}
	}
	return documents, gone
}

// TestOverlayHasWhatTheNextBuildHas changes entries and lays their pages over the
// snapshot file: those that show an entry alone are those of the next build, which
// leaves nothing over it.
func TestOverlayHasWhatTheNextBuildHas(t *testing.T) {
	t.Parallel()
	r := register(t, 20)
	folder := filepath.Join(tempDir(t), "snapshots")
	mustBuild(t, r.Store, options(folder, r.Now))
	for _, kind := range []buildtest.Kind{buildtest.Edit, buildtest.Add, buildtest.Deprecate, buildtest.Check, buildtest.Override, buildtest.Rename, buildtest.Remove} {
		id := mustChange(t, r, kind)
		_, before := openPack(t, folder)
		done, err := build.Refresh(t.Context(), r.Store, options(folder, r.Now), []string{id})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if _, after := openPack(t, folder); !bytes.Equal(before, after) {
			t.Errorf("%s: the snapshot file was changed", kind)
		}
		documents, gone := overlaid(t, folder)
		err = build.NewLinker().Link(t.Context(), r.Store, options(folder, r.Now), []string{id})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		both, _ := overlaid(t, folder)
		mustBuild(t, r.Store, options(folder, r.Now))
		x, _ := openPack(t, folder)
		for route, body := range both {
			f, err := x.Route(route)
			var b bytes.Buffer
			if err != nil || f == nil || x.Verify(&b, f) != nil || b.String() != body {
				t.Errorf("%s: %s differs from the build's: %v", kind, route, err)
			}
		}
		for route := range gone {
			if f, err := x.Route(route); err != nil || f != nil {
				t.Errorf("%s: %s is gone, and built: %v", kind, route, err)
			}
		}
		if kind == buildtest.Remove {
			if len(documents) > 0 || !gone["/api/v1/entries/"+id] || len(done.Gone) != 1 {
				t.Errorf("removed: %d documents, gone %v", len(documents), gone)
			}
		} else if len(documents) < 8 || len(both) <= len(documents) || len(gone) > 0 {
			t.Errorf("%s: %d documents, %d with those beside others, gone %v", kind, len(documents), len(both), gone)
		}
		if left, routes := overlaid(t, folder); len(left)+len(routes) > 0 {
			t.Errorf("%s: %d documents and %d routes are left over the new file", kind, len(left), len(routes))
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) > 20 {
		t.Errorf("%d files in the folder, %v", len(files), err)
	}
}

// TestOverlayOutlivesABuild changes an entry while a build is at work that does not know
// it yet: what lies over the old file lies over the new one, from its first instant.
func TestOverlayOutlivesABuild(t *testing.T) {
	t.Parallel()
	r := register(t, 15)
	folder := filepath.Join(tempDir(t), "snapshots")
	mustBuild(t, r.Store, options(folder, r.Now))
	o := options(folder, r.Now)
	shown := mustChange(t, r, buildtest.Edit)
	added := mustChange(t, r, buildtest.Add)
	if _, err := build.Refresh(t.Context(), r.Store, options(folder, r.Now), []string{shown, added}); err != nil {
		t.Fatal(err)
	}
	o.At = r.Now
	o.Live = func(id string) bool { return id == added }
	mustBuild(t, r.Store, o)
	documents, _ := overlaid(t, folder)
	for route := range documents {
		if strings.Contains(route, shown) {
			t.Errorf("%s is left over a file that has it", route)
		}
	}
	if documents["/api/v1/entries/"+added] == "" {
		t.Error("what changed while the build was at work is lost")
	}
}
