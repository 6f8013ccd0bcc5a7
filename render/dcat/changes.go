package dcat

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rdfxml"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// sourcesMax is how many pinned pages one page of changes is taken from. So an
// answer costs the same in a register of any size.
const sourcesMax = 8

// Changes makes a page of the catalogue that holds only the entries that
// changed, as ckanext-dcat's modified_since does (research on peers, 2.1). It is
// taken from the pinned pages of the same snapshot, which pinned reads by their
// route: each entry stands there as it would in a document of its own, and all
// that it refers to follows it; a link to an entry of another pinned page may be said from its
// other side, see writeLinks. A page that does not exist is
// catalog.ErrNotFound.
func (r *Renderer) Changes(c *snapshot.Catalog, q *wire.CatalogChanges, pinned func(route string) ([]byte, error)) (*wire.CatalogPage, error) {
	i := 0
	for ; i < len(pageForms) && pageForms[i].ext != q.Form; i++ {
	}
	if i == len(pageForms) {
		return nil, fmt.Errorf("form %q: %w", q.Form, catalog.ErrInvalid)
	}
	f, x := pageForms[i].form, r.indexOf(c)
	if x.base == "" {
		return nil, fmt.Errorf("base URL %q is no web address: %w", c.Site.BaseURL, catalog.ErrInvalid)
	}
	on, total, pages := x.changed(q.Since, q.Number)
	if q.Number < 1 || q.Number > pages {
		return nil, fmt.Errorf("page %d of %d: %w", q.Number, pages, catalog.ErrNotFound)
	}
	d := r.fullDocument(c, f)
	d.page = &page{at: q.Route, number: q.Number, pages: pages, total: total}
	body, err := d.gather(on, pinned)
	if err == nil && q.Form == extRDFXML {
		body, err = rdfxml.Document(body)
	}
	return &wire.CatalogPage{Body: body, Pages: pages}, err
}

// gather puts a document together from the pinned pages that hold its entries.
func (d *document) gather(on []int32, pinned func(route string) ([]byte, error)) ([]byte, error) {
	f, x, c := d.form, d.index, d.catalog
	d.only = make([]int32, len(on))
	s := selection{base: []byte(x.base), entries: map[string]bool{}, seen: map[string]bool{}}
	for k, at := range on {
		d.only[k] = x.exported[at]
		s.entries[c.Lines[d.only[k]].ID] = true
	}
	var out bytes.Buffer
	w := f.open(&out, x.base)
	tail := newTail(x)
	defer tail.release()
	w.head()
	d.writeCatalog(w, tail)
	for _, source := range sources(on) {
		doc, err := pinned(PageRoute(c.ID, source, f.ext))
		if err != nil {
			return nil, err
		}
		s.declares = x.onPage(source)
		s.copy(doc, f, w)
	}
	w.section()
	rest := f.open(nil, x.base)
	tail.write(rest, f)
	rest.rest()
	for node := range f.nodes(rest.bytes()) {
		s.keep(node)
	}
	for _, node := range s.tail {
		w.node(node)
	}
	w.foot()
	err := errors.Join(f.close(w), f.close(rest))
	return out.Bytes(), err
}

// changed are the places, among the exported entries, of those on one page of
// changes; total is how many changed, pages how many pages hold them. A page
// ends at PageSize entries or where it would need too many pinned pages.
func (x *index) changed(since time.Time, number int) (on []int32, total, pages int) {
	size, from, source := 0, 0, -1
	pages = 1
	for at, ordinal := range x.exported {
		if x.changedAt(ordinal).Before(since) {
			continue
		}
		fresh := at/PageSize != source
		if size == PageSize || fresh && from == sourcesMax {
			pages, size, from, fresh = pages+1, 0, 0, true
		}
		if fresh {
			source, from = at/PageSize, from+1
		}
		size, total = size+1, total+1
		if pages == number {
			on = append(on, int32(at))
		}
	}
	return on, total, pages
}

// onPage tells which entries a pinned page describes.
func (x *index) onPage(number int) func(id string) bool {
	on := x.exported[(number-1)*PageSize : min(number*PageSize, len(x.exported))]
	return func(id string) bool {
		_, found := slices.BinarySearch(on, int32(x.catalog.ByID(id)))
		return found
	}
}

// changedAt is when an entry last changed for a harvester: its record was
// modified, or it became visible.
func (x *index) changedAt(ordinal int32) time.Time {
	l := &x.catalog.Lines[ordinal]
	at := recordModified(unix(l.ContentChanged), unix(l.Updated), unix(l.Created))
	if published := unix(l.Published); published.After(at) {
		return published
	}
	return at
}

// sources are the numbers of the pinned pages that hold the places.
func sources(on []int32) []int {
	var list []int
	for _, at := range on {
		list = append(list, int(at)/PageSize+1)
	}
	return slices.Compact(list)
}

// selection takes entries out of finished documents.
type selection struct {
	base    []byte
	entries map[string]bool
	// declares tells whether the document that is read describes an entry.
	declares func(id string) bool
	// tail are the nodes that the entries refer to, each once: documents share
	// what stands in their tails.
	tail [][]byte
	seen map[string]bool
}

// copy takes over the nodes of the entries in their order and keeps for the
// tail what they lead to. Other entries are referred to but not described, as
// in every document.
func (s *selection) copy(doc []byte, f *form, w writer) {
	wanted := false
	var queue, rest [][]byte
	for node, tail := range f.nodes(doc) {
		if tail {
			rest = append(rest, node)
			continue
		}
		// What follows an entry's own nodes, such as its web pages, is its own.
		if id, entry := s.entry(first(f, node)); entry {
			wanted = s.entries[string(id)] || !s.declares(string(id)) && s.leads(f, node)
		}
		if wanted {
			w.node(node)
			queue = append(queue, node)
		}
	}
	s.follow(queue, rest, f)
}

// leads tells whether a node names one of the entries.
func (s *selection) leads(f *form, node []byte) bool {
	for name := range f.names(node) {
		if id, entry := s.entry(name); entry && s.entries[string(id)] {
			return true
		}
	}
	return false
}

// follow keeps the nodes of a document's tail that others lead to.
func (s *selection) follow(queue, rest [][]byte, f *form) {
	byName := map[string][][]byte{}
	for _, node := range rest {
		name := string(s.whole(first(f, node)))
		byName[name] = append(byName[name], node)
	}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for name := range f.names(node) {
			key := s.whole(name)
			if found := byName[string(key)]; found != nil {
				queue = append(queue, found...)
				s.keep(found...)
				delete(byName, string(key))
			}
		}
	}
}

// keep adds nodes to the tail.
func (s *selection) keep(nodes ...[]byte) {
	for _, node := range nodes {
		if !s.seen[string(node)] {
			s.seen[string(node)] = true
			s.tail = append(s.tail, node)
		}
	}
}

// whole is the name of what a name of the register is part of: an agent comes
// with its contact point.
func (s *selection) whole(name []byte) []byte {
	if bytes.HasPrefix(name, s.base) {
		name, _, _ = bytes.Cut(name, []byte("#"))
	}
	return name
}

// entry is the id in the name of an entry or of a part of it. Agents, too, are
// below /id/, one level deeper.
func (s *selection) entry(name []byte) (id []byte, ok bool) {
	rest, own := bytes.CutPrefix(name, s.base)
	id, ok = bytes.CutPrefix(rest, []byte("/id/"))
	id, _, _ = bytes.Cut(id, []byte("#"))
	return id, own && ok && bytes.IndexByte(id, '/') < 0
}

// first is the name of a node.
func first(f *form, node []byte) []byte {
	for name := range f.names(node) {
		return name
	}
	return nil
}
