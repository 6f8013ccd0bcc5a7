package output

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// Lock keeps a second build out of a tree until the returned function is
// called; the lock ends with the process in any case.
func Lock(root string) (func(), error) {
	dir := filepath.Join(root, HiddenDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("another build is at work in this directory, or a publish or service that fills it: %w", err)
	}
	return func() {
		// A process that was forked and does not run its program yet has the file
		// open too, and would go on with the lock of one that is only closed.
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
		f.Close()
	}, nil
}

// KeepSnapshot moves a finished snapshot directory to its name. One that is
// there already is the same and stays; it gets the by-products that an older
// release did not write.
func (t *Tree) KeepSnapshot(stage, id string, byProducts ...string) error {
	path := t.Join(HiddenDir, id)
	if _, err := os.Stat(path); err != nil {
		return os.Rename(stage, path)
	}
	for _, name := range byProducts {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			continue
		}
		if err := os.Rename(filepath.Join(stage, name), filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return os.RemoveAll(stage)
}

// KeepBeside moves a finished by-product beside the encoded snapshot; one that
// is the same stays.
func (t *Tree) KeepBeside(stage, id, name string) error {
	path := t.Join(HiddenDir, id, name)
	f, err := os.Open(stage)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if same, err := sameFile(path, f, info.Size()); err != nil || same {
		return errors.Join(err, os.Remove(stage))
	}
	return os.Rename(stage, path)
}

// Pinned collects the pages that bear a snapshot's name.
type Pinned struct {
	tree  *Tree
	id    string
	stage string
}

// StagePinned begins the pages of a snapshot. They are put in place one by one
// if the snapshot is published already, else all at once by Commit.
func (t *Tree) StagePinned(id string) (*Pinned, error) {
	p := &Pinned{tree: t, id: id}
	if _, err := os.Stat(t.Join("s", id)); err == nil {
		return p, nil
	}
	p.stage = t.Unfinished("pinned")
	return p, os.MkdirAll(p.stage, 0o755)
}

// Put writes one page.
func (p *Pinned) Put(f artifact.File) error {
	if p.stage == "" {
		return p.tree.Put(f)
	}
	path := filepath.Join(p.stage, p.tree.Path(f.Route, f.Type)[len(p.tree.Join("s", p.id)):])
	return p.tree.stage(path, f)
}

// Commit publishes the staged pages. The directory's time of modification
// tells the retention when the snapshot was published.
func (p *Pinned) Commit(now time.Time) error {
	if p.stage == "" {
		// A snapshot that comes back, or whose build was killed, is published
		// anew; one that is rebuilt keeps its time.
		if current, err := Current(p.tree.root); err == nil && current == p.id {
			return nil
		}
		return os.Chtimes(p.tree.Join("s", p.id), time.Time{}, now)
	}
	if err := os.Chtimes(p.stage, time.Time{}, now); err != nil {
		return err
	}
	return place(p.stage, p.tree.Join("s", p.id))
}

// Aged is a snapshot that was replaced, by its name and the time at which it was
// published.
type Aged struct {
	Name string
	At   time.Time
}

// Expired names those of the replaced snapshots that are neither among the newest keep,
// which the present one is too, nor were replaced less than keepFor ago.
func Expired(list []Aged, keep int, keepFor time.Duration, now time.Time) (names []string) {
	for i := range list {
		if list[i].At.After(now) {
			list[i].At = now
		}
	}
	slices.SortFunc(list, func(a, b Aged) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Name, a.Name))
	})
	replaced := now
	for i, p := range list {
		if i+1 >= keep && now.Sub(replaced) >= keepFor {
			names = append(names, p.Name)
		}
		replaced = p.At
	}
	return names
}

// Expire removes the snapshots that are neither among the newest keep nor were
// replaced less than keepFor ago. The present one always stays.
func (t *Tree) Expire(present string, keep int, keepFor time.Duration, now time.Time) error {
	dirs, err := os.ReadDir(t.Join("s"))
	if err != nil {
		return err
	}
	var list []Aged
	stays := map[string]bool{present: true}
	for _, d := range dirs {
		info, err := d.Info()
		if err == nil && snapshot.IsID(d.Name()) && d.Name() != present {
			list = append(list, Aged{d.Name(), info.ModTime()})
			stays[d.Name()] = true
		}
	}
	for _, name := range Expired(list, keep, keepFor, now) {
		stays[name] = false
		err = errors.Join(err, t.remove(t.Join("s", name)))
	}
	hidden, errHidden := os.ReadDir(t.Join(HiddenDir))
	err = errors.Join(err, errHidden)
	for _, d := range hidden {
		if snapshot.IsID(d.Name()) && !stays[d.Name()] {
			err = errors.Join(err, t.remove(t.Join(HiddenDir, d.Name())))
		}
	}
	return err
}

// PutFile publishes a file that is too large to hold. f must lie among the
// unfinished files; it is moved.
func (t *Tree) PutFile(route, mediaType string, f *os.File) error {
	path := t.Path(route, mediaType)
	// It may have been written before the snapshot had a name.
	if err := os.Chtimes(f.Name(), time.Time{}, time.Now()); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	same, err := sameFile(path, f, info.Size())
	if err != nil {
		return err
	}
	large := info.Size() > siblingMin && compressible(mediaType)
	if same && (!large || siblingsFit(path)) {
		t.Counts.Unchanged.Add(1)
		return nil
	}
	t.Counts.Written.Add(1)
	t.Counts.Bytes.Add(info.Size())
	if !large {
		if err := dropSiblings(path); err != nil {
			return err
		}
		return place(f.Name(), path)
	}
	if err := compressFile(f, info); err != nil {
		return fmt.Errorf("siblings of %s: %w", route, err)
	}
	for _, e := range encoders {
		if err := place(f.Name()+e.ext, path+e.ext); err != nil {
			return err
		}
	}
	return place(f.Name(), path)
}

// OpenZipped opens the file at a route that ends in ".gz" when it is the
// up-to-date sibling of a document; it is nil when there is none.
func (t *Tree) OpenZipped(route string) (*os.File, error) {
	path := t.Path(route, artifact.Gzip)
	if !siblingsFit(strings.TrimSuffix(path, ".gz")) {
		return nil, nil
	}
	t.Counts.Unchanged.Add(1)
	return os.Open(path)
}

// compressFile writes the compressed forms of a file beside it, all at a time:
// the largest files are made when nothing else is left to do.
func compressFile(f *os.File, info fs.FileInfo) error {
	var g errgroup.Group
	for i := range encoders {
		e := &encoders[i]
		g.Go(func() error {
			path := f.Name() + e.ext
			out, err := os.Create(path)
			if err != nil {
				return err
			}
			err = e.write(out, io.NewSectionReader(f, 0, info.Size()))
			return errors.Join(err, out.Close(), os.Chtimes(path, time.Time{}, info.ModTime()))
		})
	}
	return g.Wait()
}

func sameFile(path string, f *os.File, size int64) (bool, error) {
	old, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer old.Close()
	if info, err := old.Stat(); err != nil || info.Size() != size {
		return false, err
	}
	return sameContent(old, f)
}

func sameContent(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, endA, errA := fill(a, x)
		m, endB, errB := fill(b, y)
		if errA != nil || errB != nil {
			return false, errors.Join(errA, errB)
		}
		if endA != endB || !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if endA {
			return true, nil
		}
	}
}

// fill reads until the buffer is full or the input ends. Unlike io.ReadFull it
// tells an end from a compressed stream that breaks off.
func fill(r io.Reader, b []byte) (n int, end bool, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = r.Read(b[n:])
		n += k
	}
	if err == io.EOF {
		return n, true, nil
	}
	return n, false, err
}

// Current names the snapshot that a tree publishes, "" when it has none.
func Current(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "snapshot.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var page struct {
		Snapshot string `json:"snapshot"`
	}
	if err := json.Unmarshal(b, &page); err != nil || !snapshot.IsID(page.Snapshot) {
		return "", fmt.Errorf("snapshot.json names no snapshot: %w", err)
	}
	return page.Snapshot, nil
}

// EachPublished calls fn for the entries of the tree's present snapshot.
func EachPublished(root string, fn func(id, slug string, published int64)) error {
	id, err := Current(root)
	if err != nil || id == "" {
		return err
	}
	f, err := os.Open(filepath.Join(root, HiddenDir, id, snapshot.LinesFile))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := EachLine(f, fn); err != nil {
		return fmt.Errorf("snapshot %s: %w", id, err)
	}
	return nil
}

// EachLine calls fn for the entries that the lines of an encoded snapshot name.
func EachLine(in io.Reader, fn func(id, slug string, published int64)) error {
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	for dec.More() {
		var l struct {
			ID        string `json:"id"`
			Slug      string `json:"slug"`
			Published int64  `json:"published"`
		}
		if err := dec.Decode(&l); err != nil {
			return err
		}
		fn(l.ID, l.Slug, l.Published)
	}
	return nil
}
