package pages

import (
	"fmt"
	"sync"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// Class groups the files of the web site in snapshot.json.
const Class artifact.Class = "page"

// HTML is the media type of a page.
const HTML = "text/html; charset=utf-8"

// Pages renders the web site. It keeps what pages of one site share and is safe
// for concurrent use.
type Pages struct {
	mu           sync.Mutex
	kits         map[snapshot.Site]*renderer
	last         *snapshot.Catalog
	snapshotView *snapshotView
}

// New makes a renderer.
func New() *Pages { return &Pages{kits: map[snapshot.Site]*renderer{}} }

func (p *Pages) renderer(s snapshot.Site) *renderer {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.kits[s]
	if k == nil {
		k = newKit(s)
		p.kits[s] = k
	}
	return k
}

// bookOf works a snapshot out once.
func (p *Pages) bookOf(c *snapshot.Catalog) *snapshotView {
	k := p.renderer(c.Site)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != c {
		p.last, p.snapshotView = c, newBook(k, c)
	}
	return p.snapshotView
}

// Fragments renders the pages of an entry, one in each language, but for what the rest of the
// register adds to them, and what lists say of it in other languages.
func (p *Pages) Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	list, err := p.renderer(s.Site).entryFragments(s)
	if err != nil {
		return nil, fmt.Errorf("page of entry %s: %w", s.Entry().ID, err)
	}
	abouts, err := aboutsFragment(s.Entry())
	if err != nil {
		return nil, fmt.Errorf("descriptions of entry %s: %w", s.Entry().ID, err)
	}
	return append(list, abouts), nil
}

// fragments are buffers for the fragments of entries' pages, used again and again.
var fragments = sync.Pool{New: func() any { return new([]byte) }}

// Related renders the pages of the entry at the ordinal.
func (p *Pages) Related(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	l, b := &c.Lines[ordinal], p.bookOf(c)
	add := b.entryFills(ordinal, 0)
	room := fragments.Get().(*[]byte)
	defer fragments.Put(room)
	var files []artifact.File
	for _, lang := range languages {
		fragment, err := c.Streams[streamOf(lang)].Fragment(ordinal, (*room)[:0])
		if err != nil {
			return nil, fmt.Errorf("page of entry %s: %w", l.ID, err)
		}
		body, err := b.entry(fragment, lang, add)
		if err != nil {
			return nil, err
		}
		files = append(files, page(localRoute(lang, entryRoute(l.Slug)), body))
	}
	return files, nil
}

// page is a file with a body that lies in a room.
func page(route string, body []byte) artifact.File {
	return artifact.File{Route: route, Type: HTML, Class: Class, Body: body, Pooled: true}
}

// Aggregates renders all other pages, what they lead to before them.
func (p *Pages) Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	b := p.bookOf(c)
	for _, f := range assetFiles(c.Site) {
		if err := emit(f); err != nil {
			return err
		}
	}
	for _, group := range []struct {
		name   string
		render func(func(artifact.File) error) error
	}{
		{"guides", b.guides}, {"reference", b.reference}, {"institutions", b.institutions}, {"series", b.series}, {"countries", b.countries}, {"sources", b.sources}, {"outages", b.outages},
		{"browse", b.browse}, {"single pages", b.singles},
	} {
		if err := group.render(emit); err != nil {
			return fmt.Errorf("%s: %w", group.name, err)
		}
	}
	return nil
}

// component renders a page whose main part is a component.
func (k *renderer) component(h *Head, main templ.Component) ([]byte, error) {
	return k.page(make([]byte, 0, 4*headRoom), h, main)
}
