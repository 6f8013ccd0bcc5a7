package query

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// files is the shelf of a folder of snapshot files.
type files struct{ dir string }

func (f files) page() string { return filepath.Join(f.dir, snapshot.PresentFile) }

func (f files) present() (string, error) {
	b, err := os.ReadFile(f.page())
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(b))
	if !snapshot.IsID(id) {
		return "", fmt.Errorf("%s names no snapshot", f.page())
	}
	return id, nil
}

// building is never so: a file appears when it is complete.
func (f files) building() bool { return false }

func (f files) ids() (ids []string) {
	names, err := os.ReadDir(f.dir)
	if err != nil {
		return nil
	}
	for _, n := range names {
		if id, ok := snapshot.IDOf(n.Name()); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func (f files) has(id string) bool {
	_, err := os.Stat(filepath.Join(f.dir, snapshot.FileOf(id)))
	return err == nil
}

// openFile opens the file of a snapshot. The garbage collector closes it when
// nothing refers to it any more.
func openFile(dir, id string) (*File, error) { return openNamed(dir, snapshot.FileOf(id)) }

func openNamed(dir, name string) (*File, error) {
	f, err := os.OpenInRoot(dir, name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	x, err := pack.Open(f, info.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return &File{x, info, f}, nil
}

func (f files) open(id string) (*encoded, error) {
	file, err := openFile(f.dir, id)
	if err != nil {
		return nil, err
	}
	var parts [4]*pack.Content
	for i, name := range []string{snapshot.HeadFile, snapshot.LinesFile, snapshot.ItemsFile, snapshot.ThroughFile} {
		if parts[i], err = file.part(name); err != nil {
			return nil, err
		}
	}
	e := &encoded{head: whole(parts[0]), lines: whole(parts[1]), items: parts[2], size: parts[1].Size(), file: file}
	if _, err := fmt.Fscan(io.LimitReader(whole(parts[3]), throughMax), &e.through); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", snapshot.FileOf(id), snapshot.ThroughFile, err)
	}
	e.segment = func() (*segment.Segment, error) {
		s := file.Section(segment.File)
		if s == nil {
			return nil, nil
		}
		_, at, n := s.Outer()
		return mapSegment(file.file, id, at, n)
	}
	return e, nil
}

func (f *File) part(name string) (*pack.Content, error) {
	found, err := f.Route(snapshot.PartRoute(name))
	if err == nil && found == nil {
		err = fmt.Errorf("%s has no %s", f.Info.Name(), name)
	}
	if err != nil {
		return nil, err
	}
	return f.Open(found), nil
}

func whole(c *pack.Content) io.ReadCloser { return io.NopCloser(io.NewSectionReader(c, 0, c.Size())) }

func (f files) find(id string, sum [sha256.Size]byte) (list []hashindex.Match, err error) {
	file, err := openFile(f.dir, id)
	if err != nil {
		return nil, err
	}
	defer file.file.Close()
	found, err := file.Hashes(sum)
	for _, d := range found {
		if strings.HasPrefix(d.Document.Route, "/") {
			list = append(list, hashindex.Match{Route: d.Document.Route, Manifest: d.Document.Sum != sum})
		}
	}
	return list, err
}

// refreshed is nothing: no page is written beside the builds.
func (f files) refreshed() *refreshed { return nil }
