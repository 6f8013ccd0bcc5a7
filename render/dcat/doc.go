// Package dcat renders the catalog as DCAT-AP 3.0.1, in Turtle and JSON-LD:
// the whole of it, pages of it, one entry alone, and the concepts that these
// documents mint. The mapping is that of the research on DCAT-AP, §5.
//
// The terms of the vocabularies and code lists are made by
// github.com/knakk/rdf. Those of entries are strings of our own, and documents
// are written by two streaming writers of our own: the library's terms are
// interfaces, each of which is allocated, and a build makes millions of them;
// with its defaults its encoder writes prefixed names that are no Turtle, with a prefix for a
// datatype it leaves the value unescaped, it writes 50 for "50"^^xsd:decimal,
// which is another value, and it refuses the tag sr-Latn-RS (research, §3.2).
// github.com/piprate/json-gold holds a document in memory several times over
// and slows down with long lists (§3.4), so it only judges ours in tests.
//
// Each entry is rendered once, before the snapshot exists, as a fragment of both
// forms; RDF/XML is made of the JSON-LD (package rdfxml). Documents are put
// together from a head, the fragments of a range of entries in id order, what
// links entries to each other, and a tail that declares each agent and code
// once. What it says of one is written once for all documents of a snapshot. So
// memory does not grow with the catalog. A fragment stands alone, and a reader
// that meets it in two documents meets the same statements. There are no blank
// nodes: every node has an address of the register, so that two harvests of one
// snapshot agree about what is what.
//
// What the register observed (scores, checks) is in a document of its own that
// points at the resources; nothing in the others moves with a check, or each
// harvest would rewrite each dataset (research, §4).
package dcat

import (
	"sync"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// Options are what an operator may choose.
type Options struct {
	// NoAccessService leaves dcat:accessService out. It is written by default,
	// because CKAN and data.europa.eu show a service only where a distribution
	// names it; udata then hides the service's own page (research, §4, 8).
	NoAccessService bool
}

// Renderer makes the documents. It remembers what it worked out about the last
// snapshot, and is safe for concurrent use.
type Renderer struct {
	opts Options
	mu   sync.Mutex
	last *index
}

// New returns a renderer.
func New(opts Options) *Renderer { return &Renderer{opts: opts} }

// Emit takes one finished file.
type Emit = func(artifact.File) error

// Artefact classes of the documents.
const (
	Class      artifact.Class = "dcat"
	ClassEntry artifact.Class = "dcat-entry"
)

// Media types of the two forms (W3C Turtle §7; JSON-LD 1.1, appendix C).
const (
	TypeTurtle = "text/turtle; charset=utf-8"
	TypeJSONLD = "application/ld+json"
)

// PageSize is how many entries a page has: about 2 MB of Turtle, which every
// known harvester takes (research, §4).
const PageSize = 500

// indexOf works a snapshot out once.
func (r *Renderer) indexOf(c *snapshot.Catalog) *index {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil || r.last.catalog != c {
		r.last = newIndex(c)
	}
	return r.last
}
