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
	key := file.Info.Name() + "\x00" + path
	if d, ok := p.known.Get(key); ok && d.file.Info == file.Info {
		return d
	}
	found, err := file.Route(routeOf(path))
	if err != nil || found == nil || !strings.HasPrefix(found.Document.Route, "/") {
		return nil
	}
	// A route has one media type, so one of the paths that could be its own is.
	if artifact.Path(routeOf(path), found.Document.Type) != path {
		return nil
	}
	d := &document{file, found}
	p.known.Put(key, d, int64(len(key))+documentCost)
	return d
}

// documentCost is about what a document that was found takes in memory, with the
// table of its group, in bytes.
const documentCost = 4 << 10

// routeOf is the route whose file has a path.
func routeOf(path string) string {
	folder, name, nested := strings.Cut(path, "/index.")
	switch {
	case nested && !strings.Contains(name, "/"):
		return "/" + folder
	case strings.HasPrefix(path, "index."):
		return "/"
	}
	return "/" + path
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

// form is the gzip form where that is a document itself.
func (p *packs) form(f *file, c web.Coding) (content, int64) {
	if c != web.Gzip {
		return nil, 0
	}
	info, ok := p.stat(f.path + c.Extension()).(*document)
	if !ok {
		return nil, 0
	}
	return opened(info), info.Size()
}

func (p *packs) sum(_ content, info fs.FileInfo) (string, error) {
	d := info.(*document)
	return hex.EncodeToString(d.found.Document.Sum[:]), nil
}
