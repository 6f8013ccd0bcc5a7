package dcat

import (
	"strings"
	"sync"
)

// declaration is what a tail says about an agent or about something that
// entries refer to, written in each form.
type declaration struct {
	key string
	// number tells the declarations of a snapshot apart.
	number int
	// first is the subject of the first node, or "" when there is none.
	first    iri
	passages [len(forms)]passage
	// refs are what the declaration refers to in turn.
	refs [][]byte
}

// declarations are those of a snapshot, each made when it is first asked for:
// the same few stand in the tails of all entries.
type declarations struct {
	base string
	// fill says what there is to say under a key.
	fill func(g *graph, key string)
	mu   sync.RWMutex
	made map[string]*declaration
}

func newDeclarations(base string, fill func(g *graph, key string)) *declarations {
	return &declarations{base: base, fill: fill, made: map[string]*declaration{}}
}

// find returns the declaration under a key.
func (l *declarations) find(key []byte) *declaration {
	l.mu.RLock()
	d := l.made[string(key)]
	l.mu.RUnlock()
	if d == nil {
		d = l.put(l.write(string(key)))
	}
	return d
}

func (l *declarations) write(key string) *declaration {
	g := newGraph()
	defer g.release()
	l.fill(g, key)
	d := &declaration{key: key}
	if len(g.nodes) > 0 {
		d.first = g.nodes[0].id
	}
	for _, f := range forms {
		w := f.open(nil, l.base)
		g.write(w)
		d.passages[f.number] = w.passage()
		f.close(w)
	}
	for _, r := range g.refs {
		d.refs = append(d.refs, r.append(nil))
	}
	return d
}

// put keeps a declaration, unless another worker was faster.
func (l *declarations) put(d *declaration) *declaration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if made := l.made[d.key]; made != nil {
		return made
	}
	d.number = len(l.made)
	l.made[d.key] = d
	return d
}

// into writes a declaration. What goes on with the node before it, as two
// licences under one address do, is written anew.
func (l *declarations) into(w writer, f *form, d *declaration) {
	switch {
	case d.first == "":
	case w.inside(d.first):
		g := newGraph()
		l.fill(g, d.key)
		g.write(w)
		g.release()
	default:
		w.rest()
		w.paste(&d.passages[f.number])
	}
}

// choice is a set of declarations.
type choice struct {
	list []*declaration
	// has tells by number what the list has.
	has []bool
}

func (c *choice) add(d *declaration) {
	for d.number >= len(c.has) {
		c.has = append(c.has, false)
	}
	if !c.has[d.number] {
		c.has[d.number] = true
		c.list = append(c.list, d)
	}
}

// cut leaves the first n.
func (c *choice) cut(n int) {
	for i, d := range c.list[n:] {
		c.has[d.number] = false
		c.list[n+i] = nil
	}
	c.list = c.list[:n]
}

func byKey(a, b *declaration) int { return strings.Compare(a.key, b.key) }
