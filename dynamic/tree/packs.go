package tree

import (
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// packs are the snapshot files of a library: the present one, and those whose list
// pages are still read under their own name.
type packs struct {
	library *query.Library
	// known are documents that were found, by the file's name and their path.
	known *lru.Cache[*document]
}

// knownBudget bounds what is remembered of documents that were found, in bytes.
const knownBudget = 8 << 20

func newPacks(library *query.Library) packs {
	return packs{library, lru.New[*document](knownBudget)}
}

// document is one of a snapshot file. It implements fs.FileInfo.
type document struct {
	file  *query.File
	found *pack.Found
	// pending tells that the present snapshot does not have these bytes.
	pending bool
}

func (d *document) Name() string       { return path.Base(d.found.Document.Route) }
func (d *document) Size() int64        { return d.found.Document.Size }
func (d *document) Mode() fs.FileMode  { return 0o444 }
func (d *document) ModTime() time.Time { return d.file.Info.ModTime() }
func (d *document) IsDir() bool        { return false }
func (d *document) Sys() any           { return d.found }

// of is the file that has a path: pages under the name of a snapshot are in its own.
func (p *packs) of(path string) *query.File {
	return p.library.File(pinnedTo("/" + path))
}

func (p *packs) stat(path string) fs.FileInfo {
	file := p.of(path)
	if file == nil {
		return nil
	}
	if over := p.library.Over(); over != nil && file == p.library.File("") {
		for _, route := range routesOf(path) {
			if over.Changed(route) {
				return changed(over, file, route, path)
			}
		}
	}
	key := file.Info.Name() + "\x00" + path
	if d, ok := p.known.Get(key); ok && d.file.Info == file.Info {
		return d
	}
	for _, route := range routesOf(path) {
		if found := lookup(file, route, path); found != nil {
			d := &document{file: file, found: found}
			p.known.Put(key, d, int64(len(key))+documentCost)
			return d
		}
	}
	return nil
}

// lookup finds the document of a route whose file has a path. A route has one media
// type, so one of the paths that could be its own is.
func lookup(file *query.File, route, path string) *pack.Found {
	found, err := file.Route(route)
	if err != nil || found == nil || artifact.Path(route, found.Document.Type) != path {
		return nil
	}
	return found
}

// changed is the document of a route that changed since the present snapshot, nil for
// one that is no more.
func changed(over *query.Over, base *query.File, route, path string) fs.FileInfo {
	found := lookup(&over.File, route, path)
	if found == nil {
		return nil
	}
	before := lookup(base, route, path)
	return &document{&over.File, found, before == nil || before.Document.Sum != found.Document.Sum}
}

// documentCost is about what a document that was found takes in memory, with the
// table of its group, in bytes.
const documentCost = 4 << 10

// routesOf are the routes whose file could have a path.
func routesOf(path string) []string {
	folder, name, nested := strings.Cut("/"+path, "/index.")
	if !nested || strings.Contains(name, "/") {
		return []string{"/" + path}
	}
	if folder == "" {
		folder = "/"
	}
	return []string{folder, "/" + path}
}

// folder tells whether a snapshot can be read under its name.
func (p *packs) folder(path string) bool { return p.of(path) != nil }

func (p *packs) open(_ string, found fs.FileInfo) (content, fs.FileInfo, error) {
	d, ok := found.(*document)
	if !ok {
		return nil, nil, fs.ErrNotExist
	}
	return opened(d), d, nil
}

// reading is a document that is read from its beginning.
type reading struct{ *io.SectionReader }

// Close implements io.Closer.
func (reading) Close() error { return nil }

func opened(d *document) content {
	c := d.file.Open(d.found)
	return reading{io.NewSectionReader(c, 0, c.Size())}
}

// form is the compressed document as it lies in the file, or the gzip form where
// that is a document itself.
func (p *packs) form(f *file, c web.Coding) (content, int64) {
	switch c {
	case web.Zstd:
		if d, ok := f.info.(*document); ok {
			if z := d.file.Open(d.found).Zstd(); z != nil {
				return reading{z}, z.Size()
			}
		}
	case web.Gzip:
		if d, ok := p.stat(f.path + c.Extension()).(*document); ok {
			return opened(d), d.Size()
		}
	}
	return nil, 0
}

func (p *packs) sum(_ content, info fs.FileInfo) (string, error) {
	d := info.(*document)
	return hex.EncodeToString(d.found.Document.Sum[:]), nil
}
