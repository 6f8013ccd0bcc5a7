package documents

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/wire"
)

const (
	// memoryMax is the largest document that is held in memory, in bytes; of larger ones
	// only the place is remembered.
	memoryMax = 1 << 20
	// documentCost is about what a document takes in memory besides its bytes: its header
	// fields, and of a large one the table of its group.
	documentCost = 1 << 10
)

// place is where a document lies.
type place struct {
	// route is the one under which the file has it.
	route string
	file  *query.File
	// snapshot is the one whose bytes these are.
	snapshot string
	found    *pack.Found
	// derived tells what is made of it, nil where the document is the one that lies there.
	derived *Derived
}

// document is one of a snapshot file or of what lies over it.
type document struct {
	// route is the one that was asked for.
	route string
	place
	// head is what answers say about it.
	head web.Head
	// body is nil for a large document, which is read from its place.
	body *web.Body
	// sum is the hash in lower-case hex.
	sum string
	// charged is the cost at which the cache holds the document, 0 if it does not.
	charged atomic.Int64
}

// source is the file that has a route, and the snapshot whose bytes these are: a pinned page
// is in the file of the snapshot that its route names, and what changed since the snapshot
// lies over it and has no name yet.
func (d site) source(route string) (file *query.File, id string) {
	if id := pinnedTo(route); id != "" {
		return d.library.File(id), id
	}
	if over := d.s.Over(); over != nil && over.Changed(route) {
		return &over.File, query.Pending
	}
	return d.s.File(), d.s.ID
}

// find looks for the document of a route, nil where there is none. A directory keeps the
// document of a route without an extension as `index` with one, so it has that name, too.
func (d site) find(route string) (*place, error) {
	p, err := d.lies(route)
	if p == nil && err == nil {
		p, err = d.derive(route)
	}
	return p, err
}

// lies is find for documents that a file has.
func (d site) lies(route string) (*place, error) {
	if file, id := d.source(route); file != nil {
		found, err := file.Route(route)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", route, file.Info.Name(), err)
		}
		if found != nil {
			return &place{route: route, file: file, snapshot: id, found: found}, nil
		}
	}
	folder, name, nested := strings.Cut(route, "/index.")
	if folder = cmp.Or(folder, "/"); !nested || strings.Contains(name, "/") {
		return nil, nil
	}
	p, err := d.lies(folder)
	if err != nil || p == nil || "/"+artifact.Path(folder, p.found.Document.Type) != route {
		return nil, err
	}
	return p, nil
}

// exists tells whether a route has a document.
func (d site) exists(route string) bool {
	p, err := d.find(route)
	return err == nil && p != nil
}

// get reads the document of a route, nil where there is none. What is remembered is it if
// it was read from the file that has the route now: files never change.
func (d site) get(route string) (*document, error) {
	if doc, ok := d.held.Get(route); ok {
		if file, _ := d.source(doc.place.route); file == doc.file {
			return doc, nil
		}
	}
	p, err := d.find(route)
	if err != nil || p == nil {
		return nil, err
	}
	// Each file has a time and a name of its own but in one moment, when either may answer.
	key := p.file.Info.Name() + strconv.FormatInt(p.file.Info.ModTime().UnixNano(), 10) + route
	v, err, _ := d.reading.Do(key, func() (any, error) { return d.read(route, p) })
	if errors.Is(err, errNotMade) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", route, p.file.Info.Name(), err)
	}
	doc := v.(*document)
	doc.charged.CompareAndSwap(0, 1)
	d.keep(doc)
	return doc, nil
}

// keep charges the cache for what the document has grown to.
func (d site) keep(doc *document) {
	was, size := doc.charged.Load(), int64(2*len(doc.route)+documentCost)
	if doc.body != nil {
		size += doc.body.Size()
	}
	if size != was && doc.charged.CompareAndSwap(was, size) {
		d.held.Put(doc.route, doc, size)
	}
}

// read reads a document from its place.
func (d site) read(route string, p *place) (*document, error) {
	if p.snapshot == query.Pending && d.unchanged(p) {
		p.snapshot = d.s.ID
	}
	in := p.file.Open(p.found)
	doc := &document{route: route, place: *p, sum: hex.EncodeToString(p.found.Document.Sum[:]),
		head: web.Head{Type: p.media(), Cache: wire.CacheOf(route), Modified: p.file.Info.ModTime(), Snapshot: p.snapshot, Link: d.pages(route)}}
	defer doc.head.Prepare()
	if p.derived != nil {
		return doc, doc.make()
	}
	if in.Size() > memoryMax {
		return doc, nil
	}
	content, err := io.ReadAll(whole(in))
	if err != nil {
		return nil, err
	}
	if doc.body = web.NewBody(content); doc.body.Sum() != doc.sum {
		return nil, errDamaged
	}
	if z := in.Zstd(); z != nil {
		coded, err := io.ReadAll(z)
		if err != nil {
			return nil, err
		}
		doc.body.Preload(web.Zstd, coded)
	}
	doc.found = nil
	doc.head.Link = cmp.Or(doc.head.Link, linkOf(route, content), d.alternates(route), d.catalogue(route))
	return doc, nil
}

// media is the media type under the route: two routes of one document may have different
// ones, as the catalogue of the register's own APIs does.
func (p *place) media() string {
	if p.derived != nil {
		return p.derived.Type
	}
	return artifact.TypeOf(artifact.Path(p.route, p.found.Document.Type))
}

// errNotMade tells that nothing can be made of the source of a derived document.
var errNotMade = errors.New("there is no such form of it")

var errDamaged = errors.New("its bytes do not have the hash that the snapshot file names: the file is damaged")

func whole(c *pack.Content) *io.SectionReader { return io.NewSectionReader(c, 0, c.Size()) }

// unchanged tells whether the snapshot has the same bytes as what lies over it.
func (d site) unchanged(p *place) bool {
	before, err := d.s.File().Route(p.route)
	return err == nil && before != nil && before.Document.Sum == p.found.Document.Sum
}

// readMax bounds a document that Read returns, in bytes. A pinned page of the
// catalogue has about two megabytes.
const readMax = 64 << 20

// Read returns the document of a route; fs.ErrNotExist when there is none.
func (d *Server) Read(route string) ([]byte, error) {
	s := d.library.Current()
	if s == nil {
		return nil, fmt.Errorf("%s: %w", route, fs.ErrNotExist)
	}
	return d.ReadAt(s, route)
}

// Record is what views in other protocols need of an entry.
type Record struct {
	wire.Core
	wire.RecordTail
}

// Record reads what a snapshot, or what lies over it, says of an entry; fs.ErrNotExist when
// the entry left since.
func (d *Server) Record(s *query.Snapshot, id string) (*Record, error) {
	body, err := d.ReadAt(s, entryPrefix+id)
	if err != nil {
		return nil, err
	}
	var r Record
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("entry %s: %w", id, err)
	}
	return &r, nil
}

// ReadAt is Read of a snapshot that may be an older one.
func (d *Server) ReadAt(s *query.Snapshot, route string) ([]byte, error) {
	p, err := d.at(s).find(route)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fmt.Errorf("%s: %w", route, fs.ErrNotExist)
	}
	return p.content()
}

// ReadIn is Read of a snapshot by its id, without what lies over it; fs.ErrNotExist where its
// file is not kept, too.
func (d *Server) ReadIn(snapshot, route string) ([]byte, error) {
	file := d.library.File(snapshot)
	if file == nil {
		return nil, fmt.Errorf("snapshot %s: %w", snapshot, fs.ErrNotExist)
	}
	found, err := file.Route(route)
	if err == nil && found == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("%s of snapshot %s: %w", route, snapshot, err)
	}
	return (&place{route: route, file: file, snapshot: snapshot, found: found}).content()
}

// make makes a derived document.
func (doc *document) make() error {
	content, err := doc.content()
	if err == nil && content == nil {
		err = errNotMade
	}
	if err != nil {
		return err
	}
	doc.body, doc.found = web.NewBody(content), nil
	doc.sum = doc.body.Sum()
	return nil
}

// catalogPages matches the routes of the pages of the DCAT-AP catalogue of a snapshot.
var catalogPages = regexp.MustCompile(`^(/s/[^/]+/api/v1/catalog/dcat/)([1-9][0-9]{0,8})(\.[a-z]+)$`)

// pages leads from a page of the DCAT-AP catalogue to those beside it, as its Hydra
// links do.
func (d site) pages(route string) string {
	at := catalogPages.FindStringSubmatch(route)
	if at == nil {
		return ""
	}
	n, _ := strconv.Atoi(at[2])
	page := func(n int) string { return at[1] + strconv.Itoa(n) + at[3] }
	links := []string{"<" + wire.Path(d.s.Site, page(1)) + `>; rel="first"`}
	for _, l := range []struct {
		rel string
		n   int
	}{{"prev", n - 1}, {"next", n + 1}} {
		if l.n > 0 && d.exists(page(l.n)) {
			links = append(links, "<"+wire.Path(d.s.Site, page(l.n))+`>; rel="`+l.rel+`"`)
		}
	}
	return strings.Join(links, ", ")
}

// linkOf makes the Link header of a list page from the links in its body.
func linkOf(route string, body []byte) string {
	if route != "/api/v1/entries" && route != "/api/v1/institutions" && !strings.HasPrefix(route, wire.PinnedPrefix) {
		return ""
	}
	var page struct {
		Links wire.Links `json:"links"`
	}
	if json.Unmarshal(body, &page) != nil || page.Links.Self == "" {
		return ""
	}
	return web.Link(page.Links)
}
