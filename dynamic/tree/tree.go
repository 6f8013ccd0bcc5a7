// Package tree serves the files that a build wrote, as a static host would,
// and says what became of those that are no longer there.
package tree

import (
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"

	"golang.org/x/sync/singleflight"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Budget is how many bytes of files a tree keeps in memory by default.
const Budget = 64 << 20

// Tree serves the files below a directory. It is safe for concurrent use.
type Tree struct {
	library *query.Library
	disk    disk
	packs   packs
	files   *lru.Cache[*file]
	loading singleflight.Group
}

// New makes a tree of the files below dir, or of the documents of the snapshot files in it, that keeps up to budget bytes of
// them in memory.
func New(dir string, library *query.Library, budget int64) *Tree {
	return &Tree{library: library, disk: disk{dir: dir}, packs: newPacks(library), files: lru.New[*file](budget)}
}

// lies is where the files are.
func (t *Tree) lies() source {
	if t.library.File("") != nil {
		return &t.packs
	}
	return &t.disk
}

// assetPrefix begins the routes of files whose name holds their hash.
const assetPrefix = "/assets/"

// Serve answers GET and HEAD with the file of a route.
func (t *Tree) Serve(w http.ResponseWriter, r *http.Request) error {
	if err := t.serve(w, r); err != nil {
		return t.asPage(w, r, err)
	}
	return nil
}

func (t *Tree) serve(w http.ResponseWriter, r *http.Request) error {
	route := r.URL.Path
	if len(route) > 1 && strings.HasSuffix(route, "/") {
		return t.redirect(w, r, strings.TrimRight(route, "/"))
	}
	if parent, ok := indexOf(route); ok && t.exists(route) {
		return t.redirect(w, r, parent)
	}
	present := t.library.Present()
	if t.left(route) {
		return t.missing(w, r, route)
	}
	w, twin, err := t.twin(w, r, route)
	if twin == answered {
		return err
	}
	path, info := t.find(route)
	if info == nil {
		if found, err := t.negotiated(w, r, route); found {
			return err
		}
		return t.missing(w, r, route)
	}
	if err := refuseQuery(r, path); err != nil {
		return err
	}
	f, err := t.open(path, info)
	if errors.Is(err, fs.ErrNotExist) {
		return t.missing(w, r, route)
	}
	if err != nil {
		return err
	}
	return t.answer(w, r, route, f, present)
}

// indexOf tells that a route spells out the index file of another route.
func indexOf(route string) (string, bool) {
	for _, name := range []string{"/index.json", "/index.html"} {
		if parent, ok := strings.CutSuffix(route, name); ok {
			return parent, true
		}
	}
	return "", false
}

// refuseQuery lets only pages that a person reads ignore parameters; for all
// else a parameter without effect is an error (decisions §3).
func refuseQuery(r *http.Request, path string) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	switch filepath.Ext(path) {
	case ".html", ".css", ".js", ".svg":
		return nil
	}
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	return query.ParseNone(values)
}

// find looks for the file of a route; info is nil if there is none.
func (t *Tree) find(route string) (path string, info fs.FileInfo) {
	if !plain(route) {
		return "", nil
	}
	if artifact.HasExtension(route) {
		if t.isSibling(route) {
			return "", nil
		}
		return t.stat(route[1:])
	}
	for _, name := range indexes(route) {
		if path, info = t.stat(strings.TrimPrefix(route, "/") + name); info != nil {
			return path, info
		}
	}
	return "", nil
}

// Index files of an extensionless route, the likeliest first.
var (
	dataIndexes = []string{"/index.json", "/index.svg", "/index.rss", "/index.atom", "/index.xml", "/index.csv", "/index.ttl", "/index.jsonld", "/index.md", "/index.txt", "/index.ndjson", "/index.html"}
	pageIndexes = append([]string{"/index.html"}, dataIndexes[:len(dataIndexes)-1]...)
)

func indexes(route string) []string {
	if strings.HasPrefix(route, "/api/") || strings.HasPrefix(route, "/s/") {
		return dataIndexes
	}
	return pageIndexes
}

// stat finds a regular file, nil for none.
func (t *Tree) stat(path string) (string, fs.FileInfo) {
	path = strings.TrimPrefix(path, "/")
	info := t.lies().stat(path)
	if info == nil {
		return "", nil
	}
	return path, info
}

func (t *Tree) exists(route string) bool {
	_, info := t.find(route)
	return info != nil
}

// isSibling tells whether a route names the compressed form of another file.
func (t *Tree) isSibling(route string) bool {
	original, ok := strings.CutSuffix(route, web.Gzip.Extension())
	if !ok || strings.HasPrefix(route, "/api/v1/export/") { // the exports have gzip copies of their own
		return false
	}
	_, info := t.stat(original)
	return info != nil
}

// plain refuses paths that could leave the tree or name what is not served.
func plain(route string) bool {
	if route == "" || route[0] != '/' || strings.ContainsAny(route, "\\\x00") {
		return false
	}
	first := true
	for segment := range strings.SplitSeq(route[1:], "/") {
		hidden := strings.HasPrefix(segment, ".") && !(first && segment == ".well-known")
		if segment == "" && route != "/" || hidden || len(segment) > 255 {
			return false
		}
		first = false
	}
	return true
}

// answer writes a file that was found when a snapshot was present.
func (t *Tree) answer(w http.ResponseWriter, r *http.Request, route string, f *file, present query.Present) error {
	head := f.head
	if head.Snapshot = pinnedTo(route); head.Snapshot == "" {
		head.Snapshot = t.ownedBy(f, present)
	}
	if f.body == nil {
		return t.stream(w, r, &head, f)
	}
	d := web.Document{Head: head, Body: f.body}
	if web.WantsPart(r) {
		return d.Part(w, r)
	}
	if len(f.body.Bytes()) > siblingMin {
		d.Prefer = web.PreferSmall
		if err := t.siblings(r, f); err != nil {
			return err
		}
	}
	err := d.Write(w, r)
	t.keep(f)
	return err
}

// cacheOf is how long the answer of a route may be kept.
func cacheOf(route string) string {
	switch {
	case strings.HasPrefix(route, assetPrefix):
		return web.CacheHashed
	case pinnedTo(route) != "":
		return web.CachePinned
	}
	return web.CacheMutable
}

// pinnedTo is the snapshot that a pinned route names, else "".
func pinnedTo(route string) string {
	rest, ok := strings.CutPrefix(route, "/s/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	if !snapshot.IsID(id) {
		return ""
	}
	return id
}

// redirect sends the client to another route, with its parameters.
func (t *Tree) redirect(w http.ResponseWriter, r *http.Request, route string) error {
	site, _ := t.library.Site()
	if route == "" {
		route = "/"
	}
	web.Redirect(w, r, wire.Path(site, route))
	return nil
}
