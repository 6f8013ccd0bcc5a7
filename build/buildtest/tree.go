package buildtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// Early is before everything in a register.
var Early = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// File is a file of a tree as a test compares it.
type File struct {
	Body    string
	ModTime time.Time
	Inode   uint64
}

// Tree maps slash-separated paths below a root to files.
type Tree map[string]File

// ReadTree reads every file below the root but the lock of .assay.
func ReadTree(root string) (Tree, error) {
	tree := Tree{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if rel == ".assay/lock" {
			return nil
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := File{Body: string(body), ModTime: info.ModTime()}
		if s, ok := info.Sys().(*syscall.Stat_t); ok {
			f.Inode = s.Ino
		}
		tree[rel] = f
		return nil
	})
	return tree, err
}

// feedClass is what snapshot.json says of the feed of DCAT-AP.
var feedClass = regexp.MustCompile(`,?\{"class":"ldes"[^}]*\}`)

// WithoutFeed leaves out the feed of DCAT-AP and what is said of its documents: it has
// the history of the folder that it was built in, which a site made from nothing has not.
func (t Tree) WithoutFeed() Tree {
	out := Tree{}
	for path, f := range t {
		switch {
		case strings.HasPrefix(path, "api/v1/ldes/"), strings.HasPrefix(path, "routes.ndjson."):
			continue
		case path == "routes.ndjson":
			lines := slices.DeleteFunc(strings.Split(f.Body, "\n"), func(l string) bool { return strings.Contains(l, `"/api/v1/ldes`) })
			f.Body = strings.Join(lines, "\n")
		case path == "snapshot.json":
			f.Body = feedClass.ReplaceAllString(f.Body, "")
		}
		out[path] = f
	}
	return out
}

var pinned = regexp.MustCompile(`^(?:s|\.assay)/([0-9]{8}-[0-9a-f]{12})/`)

// Present leaves out the pinned pages and encoded snapshots of all snapshots
// but the one that snapshot.json names.
func (t Tree) Present() Tree {
	id, out := t.Snapshot(), Tree{}
	for path, f := range t {
		if m := pinned.FindStringSubmatch(path); m == nil || m[1] == id {
			out[path] = f
		}
	}
	return out
}

// Snapshot is the snapshot that the tree publishes, "" for none.
func (t Tree) Snapshot() string {
	var page struct{ Snapshot string }
	if json.Unmarshal([]byte(t["snapshot.json"].Body), &page) != nil {
		return ""
	}
	return page.Snapshot
}

// Snapshots lists the snapshots that have pinned pages.
func (t Tree) Snapshots() []string {
	found := map[string]bool{}
	for path := range t {
		if m := pinned.FindStringSubmatch(path); m != nil && strings.HasPrefix(path, "s/") {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Diff tells in which paths and bytes two trees differ, up to 20 lines.
func Diff(a, b Tree) []string {
	var out []string
	for _, path := range paths(a, b) {
		x, inA := a[path]
		y, inB := b[path]
		switch {
		case !inB:
			out = append(out, path+" is only in the first")
		case !inA:
			out = append(out, path+" is only in the second")
		case x.Body != y.Body:
			out = append(out, path+" differs: "+firstDifference(x.Body, y.Body))
		}
	}
	return out[:min(len(out), 20)]
}

// Touched lists the paths that were written: other bytes, time or inode, and
// those that are only in one of the trees.
func Touched(before, after Tree) []string {
	var out []string
	for _, path := range paths(before, after) {
		a, inA := before[path]
		b, inB := after[path]
		if inA != inB || a.Body != b.Body || !a.ModTime.Equal(b.ModTime) || a.Inode != b.Inode {
			out = append(out, path)
		}
	}
	return out
}

func paths(a, b Tree) []string {
	all := map[string]bool{}
	for p := range a {
		all[p] = true
	}
	for p := range b {
		all[p] = true
	}
	return slices.Sorted(maps.Keys(all))
}

func firstDifference(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	from := max(0, n-60)
	return fmt.Sprintf("at byte %d: %q and %q", n, a[from:min(len(a), n+60)], b[from:min(len(b), n+60)])
}

// Routes are all routes that lead to a file of the tree.
func (t Tree) Routes() map[string]bool {
	out := map[string]bool{}
	for path := range t {
		dir, base := filepath.Split(path)
		if strings.HasPrefix(base, "index.") {
			out["/"+strings.TrimSuffix(dir, "/")] = true
		}
		out["/"+path] = true
	}
	return out
}

// ReadSite reads every document of the present snapshot file of a folder, by the path
// that it has in a directory.
func ReadSite(folder string) (Tree, error) {
	tree := Tree{}
	return tree, present(folder, func(s *output.SnapshotFile) error {
		return s.Each(context.Background(), func(l *wire.RouteLine) error {
			body, err := read(s, l.Route)
			tree[artifact.Path(l.Route, l.Type)] = File{Body: string(body)}
			return err
		})
	})
}

// ReadRoute reads a route of the present snapshot file of a folder.
func ReadRoute(folder, route string) (body []byte, err error) {
	return body, present(folder, func(s *output.SnapshotFile) (err error) {
		body, err = read(s, route)
		return err
	})
}

// Unpack writes the documents of the present snapshot file of a folder into a new
// directory.
func Unpack(folder, dir string) error {
	return present(folder, func(s *output.SnapshotFile) error {
		_, err := output.Unpack(context.Background(), s, dir)
		return err
	})
}

// present reads the present snapshot file of a folder.
func present(folder string, do func(*output.SnapshotFile) error) error {
	s, err := output.OpenPresent(folder)
	if err == nil && s == nil {
		err = fmt.Errorf("%s holds no snapshot file", folder)
	}
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

func read(s *output.SnapshotFile, route string) ([]byte, error) {
	in, err := s.Document(route)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}
