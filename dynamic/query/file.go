package query

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// File is a snapshot file that answers requests.
type File struct {
	*pack.Reader
	// Info is that of the file.
	Info fs.FileInfo
	// file is kept open for as long as the reader is used.
	file *os.File
}

// openFile opens a file of a folder by its name. The garbage collector closes it when
// nothing refers to it any more.
func openFile(dir, name string) (*File, error) {
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

// part is a part of the encoded snapshot.
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

// encoded is a snapshot as it lies in its file.
type encoded struct{ head, lines, items, through *pack.Content }

func (f *File) encoded() (e encoded, err error) {
	for _, p := range []struct {
		name string
		part **pack.Content
	}{{snapshot.HeadFile, &e.head}, {snapshot.LinesFile, &e.lines}, {snapshot.ItemsFile, &e.items}, {snapshot.ThroughFile, &e.through}} {
		if *p.part, err = f.part(p.name); err != nil {
			return e, err
		}
	}
	return e, nil
}

// decode reads the catalogue of a snapshot.
func (e *encoded) decode() (*snapshot.Catalog, error) {
	c, err := snapshot.Decode(whole(e.head), whole(e.lines), e.items)
	if err != nil {
		return nil, err
	}
	c.Through, err = readThrough(whole(e.through))
	return c, err
}

func whole(c *pack.Content) io.Reader { return io.NewSectionReader(c, 0, c.Size()) }

// throughMax bounds the text of an event's number, in bytes.
const throughMax = 32

// readThrough reads the last event that a snapshot shows.
func readThrough(in io.Reader) (n int64, err error) {
	if _, err := fmt.Fscan(io.LimitReader(in, throughMax), &n); err != nil {
		return 0, fmt.Errorf("%s: %w", snapshot.ThroughFile, err)
	}
	return n, nil
}

// segment maps the search index of a snapshot, nil where there is none.
func (f *File) segment() (*segment.Segment, error) {
	s := f.Section(segment.File)
	if s == nil {
		return nil, nil
	}
	_, at, n := s.Outer()
	return mapSegment(f.file, f.Info.Name(), at, n)
}

// pages lists the documents that have a hash and a route.
func (f *File) pages(id string, sum [sha256.Size]byte) (list []Found, err error) {
	found, err := f.Hashes(sum)
	for _, d := range found {
		if strings.HasPrefix(d.Document.Route, "/") {
			list = append(list, Found{Snapshot: id, Route: d.Document.Route, Manifest: d.Document.Sum != sum})
		}
	}
	return list, err
}
