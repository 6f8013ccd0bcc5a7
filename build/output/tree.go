package output

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/assay-register/assay/render/artifact"
)

// HiddenDir holds what belongs to the tree but is never served: the encoded
// snapshots and unfinished files.
const HiddenDir = ".assay"

// tmpDir is the place for unfinished files in the hidden directory.
const tmpDir = "tmp"

// Counts tell what a build did to the tree, in files.
type Counts struct {
	Written, Unchanged, Removed, Bytes atomic.Int64
}

// Tree is a published tree that is updated in place.
type Tree struct {
	// root is where files are put: the tree itself or, while it is empty, a
	// site among the unfinished files that appears as a whole.
	root   string
	home   string
	tmp    string
	Counts Counts
	serial atomic.Int64
	// beside marks a tree for changes of single files.
	beside bool
	// underway is the mark of Begin, nil before it and after Done.
	underway *os.File
}

// Open prepares a tree for writing and clears what a killed build left
// unfinished, its mark included. Files put into an empty tree appear when Publish is called.
func Open(root string) (*Tree, error) {
	root = filepath.Clean(root)
	t := &Tree{root: root, home: root, tmp: filepath.Join(root, HiddenDir, tmpDir)}
	if err := errors.Join(os.RemoveAll(t.tmp), t.unmark()); err != nil {
		return nil, fmt.Errorf("clear unfinished files: %w", err)
	}
	if err := os.MkdirAll(t.tmp, 0o755); err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	if err := clearTwin(root); err != nil {
		return nil, fmt.Errorf("clear what a killed build left: %w", err)
	}
	names, err := os.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	if len(names) > 1 {
		return t, nil
	}
	t.root = t.Unfinished("site")
	if err := os.Mkdir(t.root, 0o755); err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	return t, nil
}

// Fresh tells that nothing of the tree is published yet.
func (t *Tree) Fresh() bool { return t.root != t.home }

// last is the order in which the parts of a new site appear after all others:
// what leads to other pages follows them.
var last = []string{"s", "api", "robots.txt", "sitemap.xml", "index.html", "routes.ndjson", "snapshot.json"}

// Publish lets the first site of an empty tree appear.
func (t *Tree) Publish() error {
	if !t.Fresh() {
		return nil
	}
	list, err := os.ReadDir(t.root)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(slices.Index(last, a), slices.Index(last, b)) })
	for _, name := range names {
		if err := os.Rename(filepath.Join(t.root, name), filepath.Join(t.home, name)); err != nil {
			return fmt.Errorf("publish: %w", err)
		}
	}
	t.root = t.home
	return nil
}

// Sync waits until the tree is on its disk.
func (t *Tree) Sync() error { return Sync(t.home) }

// Close removes the place for unfinished files, and the mark of a build that
// failed.
func (t *Tree) Close() error {
	var err error
	if t.underway != nil {
		err = t.unmark()
	}
	return errors.Join(err, os.RemoveAll(t.tmp))
}

// Path is where the tree keeps a route.
func (t *Tree) Path(route, mediaType string) string {
	return t.root + string(filepath.Separator) + filepath.FromSlash(artifact.Path(route, mediaType))
}

// Join is a path below the tree's root.
func (t *Tree) Join(parts ...string) string {
	root := t.root
	if len(parts) > 0 && parts[0] == HiddenDir {
		root = t.home
	}
	return filepath.Join(append([]string{root}, parts...)...)
}

// Unfinished is a path for a file that is not published yet.
func (t *Tree) Unfinished(name string) string { return filepath.Join(t.tmp, name) }

// UnfinishedFile is a new path for a file that is not published yet.
func (t *Tree) UnfinishedFile() string {
	return t.Unfinished(strconv.FormatInt(t.serial.Add(1), 36))
}

// Put writes a file under its routes if its bytes differ from those on disk.
func (t *Tree) Put(f artifact.File) error {
	path := t.Path(f.Route, f.Type)
	if t.Fresh() {
		return t.putFresh(path, f)
	}
	if same, err := t.keep(path, &f); err != nil || same {
		return err
	}
	if err := t.write(path, f); err != nil {
		return fmt.Errorf("write %s: %w", f.Route, err)
	}
	return nil
}

// Changed leaves the files alone that have their bytes already and returns the
// others.
func (t *Tree) Changed(files []artifact.File) (changed []artifact.File, err error) {
	for i := range files {
		same, err := t.keep(t.Path(files[i].Route, files[i].Type), &files[i])
		if err != nil {
			return nil, err
		}
		if !same {
			changed = append(changed, files[i])
		}
	}
	return changed, nil
}

// keep tells whether a file has its bytes already, and then sees to it that its
// other name leads to it.
func (t *Tree) keep(path string, f *artifact.File) (bool, error) {
	same, err := sameBytes(path, f.Body)
	if err != nil || !same || len(f.Body) > siblingMin && !siblingsFit(path) {
		return false, err
	}
	t.Counts.Unchanged.Add(1)
	if f.Alias == "" {
		return true, nil
	}
	if err := t.link(path, t.Path(f.Alias, f.Type)); err != nil {
		return true, fmt.Errorf("link %s: %w", f.Alias, err)
	}
	return true, nil
}

// putFresh writes a file that is not there yet.
func (t *Tree) putFresh(path string, f artifact.File) error {
	if err := t.stage(path, f); err != nil {
		return fmt.Errorf("write %s: %w", f.Route, err)
	}
	if f.Alias == "" {
		return nil
	}
	alias := t.Path(f.Alias, f.Type)
	if err := inFolder(alias, func() error { return os.Link(path, alias) }); err != nil {
		return fmt.Errorf("link %s: %w", f.Alias, err)
	}
	return nil
}

// inFolder does what makes a new file at path, after its folder if needed. An
// index mostly is the first file of its folder, and its folder often the first
// one of another.
func inFolder(path string, do func() error) error {
	dir, name := filepath.Split(path)
	if strings.HasPrefix(name, "index.") {
		err := os.Mkdir(dir, 0o755)
		if errors.Is(err, fs.ErrNotExist) && os.Mkdir(filepath.Dir(filepath.Clean(dir)), 0o755) == nil {
			err = os.Mkdir(dir, 0o755)
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			return do()
		}
	} else if err := do(); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return do()
}

// Has tells whether the file of a route lies in the tree.
func (t *Tree) Has(route, mediaType string) bool {
	_, err := os.Stat(t.Path(route, mediaType))
	return err == nil
}

// HasEntry tells whether the page of an entry lies in the tree.
func (t *Tree) HasEntry(id string) bool {
	_, err := os.Stat(t.Path("/api/v1/entries/"+id, artifact.JSON))
	return err == nil
}

func sameBytes(path string, body []byte) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() != int64(len(body)) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	old, err := os.ReadFile(path)
	return bytes.Equal(old, body), err
}

func (t *Tree) write(path string, f artifact.File) error {
	if err := t.mark(path, f.Body); err != nil {
		return err
	}
	tmp := t.UnfinishedFile()
	if err := create(tmp, f.Body); err != nil {
		return err
	}
	t.Counts.Written.Add(1)
	t.Counts.Bytes.Add(int64(len(f.Body)))
	var err error
	if len(f.Body) <= siblingMin {
		err = dropSiblings(path)
	} else {
		err = placeSiblings(tmp, path, f.Body)
	}
	if err != nil {
		return err
	}
	// The other name first: a page that names its new slug must not appear
	// before the slug leads to it.
	if f.Alias != "" {
		if err := t.link(tmp, t.Path(f.Alias, f.Type)); err != nil {
			return fmt.Errorf("link %s: %w", f.Alias, err)
		}
	}
	return place(tmp, path)
}

// place moves a finished file to its path, making the directory if needed.
func place(tmp, path string) error {
	err := os.Rename(tmp, path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// link makes alias another name of path, replacing what it named before.
func (t *Tree) link(path, alias string) error {
	a, errA := os.Stat(path)
	b, errB := os.Stat(alias)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return nil
	}
	if errors.Is(errB, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(alias), 0o755); err != nil {
			return err
		}
		return os.Link(path, alias)
	}
	tmp := t.UnfinishedFile()
	if err := os.Link(path, tmp); err != nil {
		return err
	}
	return os.Rename(tmp, alias)
}

// PutEntry writes the files that one format made of one entry. A new entry
// appears as a whole, with one rename of the first file's directory; files that
// lie elsewhere, and those of an entry that exists, are put one by one.
func (t *Tree) PutEntry(files []artifact.File) error {
	if len(files) == 0 {
		return nil
	}
	if t.Fresh() {
		for i := range files {
			if err := t.Put(files[i]); err != nil {
				return err
			}
		}
		return nil
	}
	dir := filepath.Dir(t.Path(files[0].Route, files[0].Type))
	within, rest := t.split(files, dir+string(filepath.Separator))
	if _, err := os.Stat(dir); err == nil {
		within, rest = nil, files
	}
	if len(within) > 0 {
		if err := t.placeDir(dir, within); err != nil {
			return err
		}
	}
	for _, f := range rest {
		if err := t.Put(f); err != nil {
			return err
		}
	}
	return nil
}

// split separates the files below a directory from the others.
func (t *Tree) split(files []artifact.File, dir string) (within, rest []artifact.File) {
	for _, f := range files {
		if strings.HasPrefix(t.Path(f.Route, f.Type), dir) {
			within = append(within, f)
		} else {
			rest = append(rest, f)
		}
	}
	return within, rest
}

// placeDir publishes a new directory with its files in one step.
func (t *Tree) placeDir(dir string, files []artifact.File) error {
	stage := t.UnfinishedFile()
	if err := os.Mkdir(stage, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := t.mark(t.Path(f.Route, f.Type), f.Body); err != nil {
			return err
		}
		if err := t.stage(filepath.Join(stage, t.Path(f.Route, f.Type)[len(dir):]), f); err != nil {
			return fmt.Errorf("stage %s: %w", f.Route, err)
		}
	}
	if err := place(stage, dir); err != nil {
		return fmt.Errorf("place %s: %w", files[0].Route, err)
	}
	for _, f := range files {
		if f.Alias == "" {
			continue
		}
		if err := t.link(t.Path(f.Route, f.Type), t.Path(f.Alias, f.Type)); err != nil {
			return fmt.Errorf("link %s: %w", f.Alias, err)
		}
	}
	return nil
}

// stage writes a file, and its siblings, that nobody reads yet.
func (t *Tree) stage(path string, f artifact.File) error {
	if err := inFolder(path, func() error { return create(path, f.Body) }); err != nil {
		return err
	}
	t.Counts.Written.Add(1)
	t.Counts.Bytes.Add(int64(len(f.Body)))
	if len(f.Body) > siblingMin {
		return writeSiblings(path, f.Body)
	}
	return nil
}
