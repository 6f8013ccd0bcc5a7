package dcat

import (
	"bytes"
	"io"
	"iter"
	"strings"

	"github.com/knakk/rdf"
)

// writer writes the statements of a document. Statements of one subject come
// one after the other, and within them those of one property; the graph sees
// to that.
type writer interface {
	// head opens the document, foot closes it.
	head()
	foot()
	add(s, p rdf.IRI, o rdf.Object)
	// addEntry is add with a name of the register, made of parts: the lists of
	// a large catalogue cost no memory.
	addEntry(s, p rdf.IRI, id, fragment string)
	// rest ends a part after which more nodes must follow.
	rest()
	// section is rest before the tail.
	section()
	// raw copies finished parts.
	raw(r io.Reader, size int64)
	// node copies a node of a finished document.
	node(b []byte)
	// done flushes and tells the first error.
	done() error
	// bytes are what was written so far, when there is nowhere to flush to.
	bytes() []byte
}

// form is one of the two ways to write a document.
type form struct {
	ext, media string
	// stream names the pieces of this form.
	stream string
	make   func(sink) writer
	// nodes are the nodes of a finished document, and whether they stand in
	// its tail; names are the addresses in a node, its own first.
	nodes func([]byte) iter.Seq2[[]byte, bool]
	names func([]byte) iter.Seq[[]byte]
}

var (
	turtleForm = form{"ttl", TypeTurtle, "dcat.ttl", func(s sink) writer { return &turtle{sink: s} }, turtleNodes, turtleNames}
	jsonldForm = form{"jsonld", TypeJSONLD, "dcat.jsonld", func(s sink) writer { return &jsonld{sink: s} }, jsonldNodes, jsonldNames}
	forms      = []form{turtleForm, jsonldForm}
)

// mark stands for the base URL in pieces. Both forms escape control characters,
// so it can mean nothing else.
const mark = "\x01"

// flushAt is how much a writer gathers before it hands it on.
const flushAt = 1 << 15

// sink gathers bytes for w, or keeps them when w is nil.
type sink struct {
	w    io.Writer
	base string
	out  []byte
	err  error
	// s and p are the open subject and property.
	s, p rdf.IRI
	open bool
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

func (k *sink) done() error {
	k.flush()
	return k.err
}

// iri appends an address; that of the register itself begins with its base.
func (k *sink) iri(i rdf.IRI) {
	s := i.String()
	if path, own := strings.CutPrefix(s, ownScheme); own {
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

// raw copies parts that were written before the base URL was known.
func (k *sink) raw(r io.Reader, size int64) {
	chunk := make([]byte, min(size, flushAt))
	for size > 0 && k.err == nil {
		n, err := r.Read(chunk[:min(size, int64(len(chunk)))])
		size -= int64(n)
		k.expand(chunk[:n])
		if err != nil && (err != io.EOF || size > 0) {
			k.err = err
		}
		k.flush()
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

// escaped appends a string between quotes, with the escapes that Turtle and
// JSON have in common.
func (k *sink) escaped(s string) {
	b := k.out
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
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
