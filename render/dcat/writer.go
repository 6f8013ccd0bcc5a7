package dcat

import (
	"bytes"
	"io"
	"iter"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// writer writes the statements of a document. Statements of one subject come
// one after the other, and within them those of one property; the graph sees
// to that.
type writer interface {
	// reset makes the writer a new one, which hands on to w what it gathers, or
	// keeps it when w is nil.
	reset(w io.Writer, base string)
	// head opens the document, foot closes it.
	head()
	foot()
	add(s iri, p *name, o object)
	// addEntry is add with a name of the register, made of parts: the lists of
	// a large catalogue cost no memory.
	addEntry(s iri, p *name, id, fragment string)
	// rest ends a part after which more nodes must follow.
	rest()
	// section is rest before the tail.
	section()
	// quote copies the fragments of entries from one ordinal up to, not including, another.
	quote(stream string, of *snapshot.Stream, from, to int)
	// node copies a node of a finished document.
	node(b []byte)
	// passage is what was written, if it was kept; paste adds it after a rest.
	passage() passage
	paste(p *passage)
	// inside tells whether the node of a subject is open.
	inside(s iri) bool
	// done flushes and tells the first error.
	done() error
	// bytes are what was written so far, if it was kept, until the next reset.
	bytes() []byte
}

// form is one of the two ways to write a document.
type form struct {
	// number is that of the form among forms.
	number     int
	ext, media string
	// stream names the fragments of this form.
	stream string
	// writers are those that are not in use.
	writers sync.Pool
	// nodes are the nodes of a finished document, and whether they stand in
	// its tail; names are the addresses in a node, its own first.
	nodes func([]byte) iter.Seq2[[]byte, bool]
	names func([]byte) iter.Seq[[]byte]
}

var (
	turtleForm = &form{ext: "ttl", media: TypeTurtle, stream: "dcat.ttl", writers: sync.Pool{New: func() any { return &turtle{} }},
		nodes: turtleNodes, names: turtleNames}
	jsonldForm = &form{number: 1, ext: "jsonld", media: TypeJSONLD, stream: StreamJSONLD, writers: sync.Pool{New: func() any { return &jsonld{} }},
		nodes: jsonldNodes, names: jsonldNames}
	forms = [...]*form{turtleForm, jsonldForm}
)

// open returns a writer for the site at a base URL.
func (f *form) open(w io.Writer, base string) writer {
	k := f.writers.Get().(writer)
	k.reset(w, base)
	return k
}

// close ends the work of a writer.
func (f *form) close(w writer) error {
	err := w.done()
	w.reset(nil, "")
	f.writers.Put(w)
	return err
}

// flushAt is how much a writer gathers before it hands it on.
const flushAt = 1 << 15

// sink gathers bytes for w, or keeps them when w is nil.
type sink struct {
	w    io.Writer
	base string
	out  []byte
	// fragment is the one that was read last.
	fragment []byte
	err      error
	// s and p are the open subject and property.
	s    iri
	p    *name
	open bool
}

func (k *sink) reset(w io.Writer, base string) {
	*k = sink{w: w, base: base, out: k.out[:0], fragment: k.fragment}
}

func (k *sink) bytes() []byte { return k.out }

func (k *sink) flush() {
	if k.w == nil {
		return
	}
	if k.err == nil && len(k.out) > 0 {
		_, k.err = k.w.Write(k.out)
	}
	k.out = k.out[:0]
}

// flushFull hands on what was gathered once it is enough.
func (k *sink) flushFull() {
	if len(k.out) >= flushAt {
		k.flush()
	}
}

func (k *sink) done() error {
	k.flush()
	return k.err
}

// passage is a run of nodes, the last of which is open.
type passage struct {
	body []byte
	// s and p are the open subject and property.
	s iri
	p *name
}

func (k *sink) passage() passage { return passage{bytes.Clone(k.out), k.s, k.p} }

func (k *sink) paste(p *passage) {
	k.flushFull()
	k.out = append(k.out, p.body...)
	k.s, k.p, k.open = p.s, p.p, true
}

func (k *sink) inside(s iri) bool { return k.open && k.s == s }

// iri appends an address; that of the register itself begins with its base.
func (k *sink) iri(i iri) {
	s := string(i)
	if path, own := strings.CutPrefix(s, mark); own {
		k.out = append(k.out, k.base...)
		s = path
	}
	k.out = append(k.out, s...)
}

// entry appends the address of an entry or of a part of it. Ids are UUIDs, and
// fragments are words of this package.
func (k *sink) entry(id, fragment string) {
	k.out = append(k.out, k.base...)
	k.out = append(k.out, "/id/"...)
	k.out = append(k.out, id...)
	k.out = append(k.out, fragment...)
}

// quote copies fragments, which were written before the base URL was known, and says where
// they begin and end.
func (k *sink) quote(stream string, of *snapshot.Stream, from, to int) {
	for i := from; i < to && k.err == nil; i++ {
		if !of.Has(i) {
			continue
		}
		if k.fragment, k.err = of.Read(i, k.fragment); k.err != nil {
			return
		}
		k.flush()
		k.expand(k.fragment)
		if k.w != nil && k.err == nil {
			k.err = artifact.WriteQuote(k.w, stream, i, 0, k.out)
			k.out = k.out[:0]
		}
	}
}

func (k *sink) expand(b []byte) {
	for {
		i := bytes.IndexByte(b, mark[0])
		if i < 0 {
			k.out = append(k.out, b...)
			return
		}
		k.out = append(k.out, b[:i]...)
		k.out = append(k.out, k.base...)
		b = b[i+1:]
	}
}

// verbatim tells which bytes a string may hold as they are.
var verbatim = func() (set [256]bool) {
	for c := range set {
		set[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return set
}()

// escaped appends a string between quotes, with the escapes that Turtle and
// JSON have in common.
func (k *sink) escaped(s string) {
	b := k.out
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if verbatim[c] {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, `\u00`...)
			b = append(b, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[from:]...)
	b = append(b, '"')
	k.out = b
}
