package output

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// Site is a built site, in either form.
type Site interface {
	Pages
	io.Closer
	// Snapshot is the id of what it presents.
	Snapshot() (string, error)
	// Each calls fn for every document under each of its routes, in no order that means
	// anything: those of routes.ndjson, that list itself and snapshot.json.
	Each(ctx context.Context, fn func(*wire.RouteLine) error) error
	// Stored opens a document in a compressed form, or as it is for none; the time is the
	// same for all forms.
	Stored(document *wire.RouteLine, form *Form) (Stored, error)
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

// Close implements Site.
func (d Dir) Close() error { return nil }

// Snapshot implements Site.
func (d Dir) Snapshot() (string, error) { return Current(string(d)) }

// Each implements Site. The hashes of what no list of routes can name are made here.
func (d Dir) Each(ctx context.Context, fn func(*wire.RouteLine) error) error {
	if err := EachRoute(ctx, d, fn); err != nil {
		return err
	}
	for _, l := range []wire.RouteLine{{Route: "/routes.ndjson", Type: artifact.NDJSON}, {Route: "/snapshot.json", Type: artifact.JSON}} {
		l.Class = string(artifact.ClassCatalog)
		if err := d.sum(ctx, &l); err != nil {
			return err
		}
		if err := fn(&l); err != nil {
			return err
		}
	}
	return nil
}

func (d Dir) sum(ctx context.Context, l *wire.RouteLine) error {
	in, err := d.Open(ctx, l.Route, l.Type)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, in)
	if err != nil {
		return fmt.Errorf("%s: %w", l.Route, err)
	}
	l.SHA256, l.Bytes = hex.EncodeToString(sum.Sum(nil)), int(size)
	return nil
}

// Reports calls fn for the reports about the finished site, which lie in a folder of it.
func Reports(ctx context.Context, folder string, fn func(*wire.RouteLine) error) error {
	list, err := os.ReadDir(filepath.Join(folder, "reports"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, r := range list {
		l := wire.RouteLine{Route: "/reports/" + r.Name(), Class: string(artifact.ClassCatalog)}
		if !r.Type().IsRegular() || !artifact.HasExtension(l.Route) {
			continue
		}
		l.Type = artifact.TypeOf(l.Route[1:])
		if err := Dir(folder).sum(ctx, &l); err != nil {
			return err
		}
		if err := fn(&l); err != nil {
			return err
		}
	}
	return nil
}

// Forms implements Site: those that lie beside the document.
func (d Dir) Forms(path, _ string, _ int64) []Form {
	return forms(filepath.Join(string(d), filepath.FromSlash(path)))
}

// Stored implements Site.
func (d Dir) Stored(document *wire.RouteLine, form *Form) (Stored, error) {
	path := artifact.Path(document.Route, document.Type)
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
