package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

// SnapshotFile is a snapshot file that is open. It implements Pages.
type SnapshotFile struct {
	Pack *pack.Reader
	// ID is that of the snapshot, Modified the time of the file.
	ID       string
	Modified time.Time
	file     *os.File
}

// Present is the snapshot that a folder of snapshot files presents, "" for one that holds
// none or a tree.
func Present(folder string) (string, error) {
	b, err := os.ReadFile(filepath.Join(folder, snapshot.PresentFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	id := strings.TrimSpace(string(b))
	if err == nil && !snapshot.IsID(id) {
		err = fmt.Errorf("%s names no snapshot", filepath.Join(folder, snapshot.PresentFile))
	}
	return id, err
}

// OpenPresent opens the file that readers of a folder get, nil where there is none.
func OpenPresent(folder string) (*SnapshotFile, error) {
	id, err := Present(folder)
	if err != nil || id == "" {
		return nil, err
	}
	return OpenSnapshot(filepath.Join(folder, snapshot.FileOf(id)))
}

// OpenSnapshot opens a snapshot file.
func OpenSnapshot(path string) (*SnapshotFile, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &SnapshotFile{file: in}
	info, err := in.Stat()
	if err == nil {
		s.Modified = info.ModTime()
		s.ID, _ = snapshot.IDOf(info.Name())
		s.Pack, err = pack.Open(in, info.Size())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), in.Close())
	}
	return s, nil
}

// Close closes the file.
func (s *SnapshotFile) Close() error { return s.file.Close() }

// Open implements Pages.
func (s *SnapshotFile) Open(_ context.Context, route, _ string) (io.ReadCloser, error) {
	in, err := s.Document(route)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(in), nil
}

// Document opens the document of a route; fs.ErrNotExist where there is none.
func (s *SnapshotFile) Document(route string) (*io.SectionReader, error) {
	found, err := s.Pack.Route(route)
	if err == nil && found == nil {
		err = fmt.Errorf("%s: %w", route, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	c := s.Pack.Open(found)
	return io.NewSectionReader(c, 0, c.Size()), nil
}

// Site is a built site, in either form.
type Site interface {
	Pages
	io.Closer
	// Snapshot is the id of what it presents.
	Snapshot() (string, error)
	// Stored opens the document at a path of the tree, in a form that lies beside it or as
	// it is for none; the time is the same for all forms.
	Stored(route, path string, form *Form) (Stored, error)
	// Forms lists the compressed forms that a document is to lie in.
	Forms(path, mediaType string, size int64) []Form
}

// Stored is a document that is open for being stored elsewhere.
type Stored struct {
	io.ReadSeekCloser
	Size     int64
	Modified time.Time
}

// OpenSite opens what was built in a folder: a tree, or the present one of the snapshot files.
func OpenSite(folder string) (Site, error) {
	s, err := OpenPresent(folder)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return s, nil
	}
	return Dir(folder), nil
}

// Snapshot implements Site.
func (s *SnapshotFile) Snapshot() (string, error) { return s.ID, nil }

// Forms implements Site: what lies precompressed in a tree does where a snapshot file
// is published to.
func (s *SnapshotFile) Forms(_, mediaType string, size int64) []Form {
	if size <= siblingMin || !compressible(mediaType) {
		return nil
	}
	return allForms()
}

// Stored implements Site.
func (s *SnapshotFile) Stored(route, _ string, form *Form) (Stored, error) {
	in, err := s.Document(route)
	if err != nil {
		return Stored{}, err
	}
	if form == nil {
		return Stored{nopCloser{in}, in.Size(), s.Modified}, nil
	}
	out, err := compressed(in, form.Ext)
	if err != nil {
		return Stored{}, fmt.Errorf("%s: %w", route, err)
	}
	info, err := out.Stat()
	if err != nil {
		return Stored{}, errors.Join(err, out.Close())
	}
	return Stored{out, info.Size(), s.Modified}, nil
}

type nopCloser struct{ io.ReadSeeker }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }

// compressed makes a compressed form in a file without a name.
func compressed(in io.Reader, ext string) (*os.File, error) {
	out, err := os.CreateTemp("", "assay-form-")
	if err != nil {
		return nil, err
	}
	err = os.Remove(out.Name())
	for i := range encoders {
		if encoders[i].ext == ext {
			err = errors.Join(err, encoders[i].write(out, in))
		}
	}
	if _, seek := out.Seek(0, io.SeekStart); err != nil || seek != nil {
		return nil, errors.Join(err, seek, out.Close())
	}
	return out, nil
}

// Close implements Site.
func (d Dir) Close() error { return nil }

// Snapshot implements Site.
func (d Dir) Snapshot() (string, error) { return Current(string(d)) }

// Forms implements Site: those that lie beside the document.
func (d Dir) Forms(path, _ string, _ int64) []Form {
	return forms(filepath.Join(string(d), filepath.FromSlash(path)))
}

// Stored implements Site.
func (d Dir) Stored(_, path string, form *Form) (Stored, error) {
	if form != nil {
		path += form.Ext
	}
	f, err := os.Open(filepath.Join(string(d), filepath.FromSlash(path)))
	if err != nil {
		return Stored{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return Stored{}, errors.Join(err, f.Close())
	}
	return Stored{f, info.Size(), info.ModTime()}, nil
}
