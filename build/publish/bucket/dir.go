package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-register/assay/build/output"
)

// Dir is a bucket in a directory. Types and caching are not kept: whoever
// serves the directory says them (see render/edge).
type Dir struct {
	root, tmp string
	serial    atomic.Int64
	unlock    func()
	// fresh tells that nobody reads the directory as a site yet.
	fresh bool
}

// OpenDir opens a directory as a bucket, making it if needed, and keeps others from it
// until Close. It refuses one that holds a
// stranger's files.
func OpenDir(root string) (*Dir, error) {
	names, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(names) > 0 {
		if _, err := os.Stat(filepath.Join(root, ".assay", "bucket")); err != nil {
			return nil, fmt.Errorf("%s holds %s and is no directory that assay publish made: choose an empty one", root, names[0].Name())
		}
	}
	d := &Dir{root: filepath.Clean(root), tmp: filepath.Join(root, ".assay", "tmp")}
	if d.unlock, err = output.Lock(root); err != nil {
		return nil, err
	}
	err = errors.Join(os.RemoveAll(d.tmp), os.MkdirAll(d.tmp, 0o755), os.WriteFile(filepath.Join(root, ".assay", "bucket"), nil, 0o644))
	if err != nil {
		d.unlock()
		return nil, err
	}
	_, err = os.Stat(filepath.Join(root, filepath.FromSlash(StateKey)))
	d.fresh = errors.Is(err, fs.ErrNotExist)
	return d, nil
}

// Close lets others at the directory.
func (d *Dir) Close() { d.unlock() }

func (d *Dir) path(key string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(key)) {
		return "", fmt.Errorf("key %q leads out of the directory", key)
	}
	return filepath.Join(d.root, filepath.FromSlash(key)), nil
}

// Get implements Bucket.
func (d *Dir) Get(_ context.Context, key string) (io.ReadCloser, error) {
	path, err := d.path(key)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Put implements Bucket. The bytes are on disk before they bear the name, so that no loss
// of power leaves half a document under it; in a directory that is no site yet, Sync puts
// all of them there.
func (d *Dir) Put(_ context.Context, key string, body io.ReadSeeker, o Object) error {
	path, err := d.path(key)
	if err != nil {
		return err
	}
	tmp := d.unfinished()
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, body)
	if err == nil && (!d.fresh || strings.HasPrefix(key, Books)) {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if !o.Modified.IsZero() {
		if err := os.Chtimes(tmp, time.Time{}, o.Modified); err != nil {
			return err
		}
	}
	return place(tmp, path)
}

// Copy implements Bucket. As objects are replaced by renaming, both may be one
// file.
func (d *Dir) Copy(_ context.Context, from, to string) error {
	source, errFrom := d.path(from)
	path, errTo := d.path(to)
	if err := errors.Join(errFrom, errTo); err != nil {
		return err
	}
	tmp := d.unfinished()
	if err := os.Link(source, tmp); err != nil {
		return err
	}
	if err := place(tmp, path); err != nil {
		return err
	}
	// A rename between two names of one file does nothing and leaves both.
	if err := os.Remove(tmp); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d *Dir) unfinished() string {
	return filepath.Join(d.tmp, strconv.FormatInt(d.serial.Add(1), 36))
}

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

// Exists implements Bucket.
func (d *Dir) Exists(_ context.Context, key string) (bool, error) {
	path, err := d.path(key)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Delete implements Bucket. Folders that become empty go, too.
func (d *Dir) Delete(_ context.Context, key string) error {
	path, err := d.path(key)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(path); dir != d.root && dir != d.tmp; dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			break // it holds something else
		}
	}
	return nil //nolint:nilerr // the object is gone; a folder that stays does no harm
}

// Sync implements Bucket: names and folders reach the disk.
func (d *Dir) Sync(context.Context) error { return output.Sync(d.root) }

// List implements Bucket.
func (d *Dir) List(_ context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		top, err := d.path(strings.TrimSuffix(prefix, "/"))
		if prefix == "" {
			top, err = d.root, nil
		}
		if err == nil {
			_, err = os.Stat(top)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			err = d.walk(top, yield)
		}
		if err != nil {
			yield(Listed{}, err)
		}
	}
}

// walk yields the files below a folder.
func (d *Dir) walk(top string, yield func(Listed, error) bool) error {
	return filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went while we looked
		}
		if err != nil {
			return err
		}
		if !yield(Listed{filepath.ToSlash(path[len(d.root)+1:]), info.Size()}, nil) {
			return fs.SkipAll
		}
		return nil
	})
}
