package output

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	"github.com/assay-register/assay/render/wire"
)

// SnapshotFile is a snapshot file that is open, a whole site. It implements Pages.
type SnapshotFile struct {
	Pack *pack.Reader
	// ID is that of the snapshot, Path and Modified are those of the file.
	ID, Path string
	Modified time.Time
	file     *os.File
}

// Present is the snapshot that a folder of snapshot files presents, "" for one that holds
// none.
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

// OpenFormer opens that file where it is of the form before (pack.OpenFormer), nil where it is not.
func OpenFormer(folder string) (*SnapshotFile, error) {
	id, err := Present(folder)
	if err != nil || id == "" {
		return nil, err
	}
	s, err := openAs(filepath.Join(folder, snapshot.FileOf(id)), pack.OpenFormer)
	if errors.Is(err, pack.ErrForm) {
		return nil, nil
	}
	return s, err
}

// OpenSnapshot opens a snapshot file.
func OpenSnapshot(path string) (*SnapshotFile, error) { return openAs(path, pack.Open) }

func openAs(path string, form func(io.ReaderAt, int64) (*pack.Reader, error)) (*SnapshotFile, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &SnapshotFile{Path: path, file: in}
	info, err := in.Stat()
	if err == nil {
		s.Modified = info.ModTime()
		s.ID, _ = snapshot.IDOf(info.Name())
		s.Pack, err = form(in, info.Size())
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

// Each calls fn for every document under each of its routes, in no order that means
// anything: those of routes.ndjson, that list itself and snapshot.json.
func (s *SnapshotFile) Each(ctx context.Context, fn func(*wire.RouteLine) error) error {
	return s.Pack.Each(func(f *pack.Found) error {
		d := f.Document
		if !strings.HasPrefix(d.Route, "/") {
			return nil // a part of the encoded snapshot
		}
		l := &wire.RouteLine{Route: d.Route, Type: d.Type, Class: string(d.Class), SHA256: hex.EncodeToString(d.Sum[:]), Bytes: int(d.Size)}
		if err := errors.Join(fn(l), ctx.Err()); err != nil || d.Alias == "" {
			return err
		}
		alias := *l
		alias.Route, alias.SameAs = d.Alias, d.Route
		return fn(&alias)
	})
}

// Through is the number of the last event of the store that the snapshot shows.
func (s *SnapshotFile) Through() (n int64, err error) {
	in, err := s.Document(snapshot.PartRoute(snapshot.ThroughFile))
	if err == nil {
		_, err = fmt.Fscan(in, &n)
	}
	if err != nil {
		return 0, fmt.Errorf("%s of %s: %w", snapshot.ThroughFile, s.ID, err)
	}
	return n, nil
}

// Sum is the SHA-256 of the document of a route; false where there is none.
func (s *SnapshotFile) Sum(route string) (sum [sha256.Size]byte, found bool, err error) {
	f, err := s.Pack.Route(route)
	if err != nil || f == nil {
		return sum, false, err
	}
	return f.Document.Sum, true, nil
}

// Forms lists the compressed forms in which a document lies beside itself in a directory.
func Forms(mediaType string, size int64) []Form {
	if size <= siblingMin || !compressible(mediaType) {
		return nil
	}
	return allForms()
}

// Stored is a document that is open for being stored elsewhere.
type Stored struct {
	io.ReadSeekCloser
	Size     int64
	Modified time.Time
}

// Stored opens a document in a compressed form, or as it is for none; the time is the
// same for all forms.
func (s *SnapshotFile) Stored(document *wire.RouteLine, form *Form) (Stored, error) {
	route := document.Route
	in, err := s.Document(route)
	if err != nil {
		return Stored{}, err
	}
	if form == nil {
		return Stored{nopCloser{in}, in.Size(), s.Modified}, nil
	}
	if ready, err := s.ready(route, form.Ext); err != nil {
		return Stored{}, err
	} else if ready != nil {
		return Stored{nopCloser{ready}, ready.Size(), s.Modified}, nil
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

// ready is a compressed form that the file has, nil for none: a gzip copy is a document of
// its own, and zstd is how the document lies in the file, unless that needs a dictionary.
func (s *SnapshotFile) ready(route, ext string) (*io.SectionReader, error) {
	switch ext {
	case gzipExt:
		copied, err := s.Document(route + gzipExt)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return copied, err
	case zstdExt:
		found, err := s.Pack.Route(route)
		if err != nil || found == nil {
			return nil, err
		}
		return s.Pack.Open(found).Zstd(), nil
	}
	return nil, nil
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
