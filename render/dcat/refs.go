package dcat

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// The stream of references has lines of a word and a value: what the tail of a
// document must declare (a list and its code), and what links entries: the
// name and address of each distribution, the endpoint of a service.
const (
	refSkipped      = "skipped"
	refDistribution = "distribution"
	refEndpoint     = "endpoint"
)

// append appends the reference as it stands in its stream.
func (r ref) append(b []byte) []byte {
	b = append(append(b, r.kind...), ' ')
	return append(b, r.value...)
}

// encodeRefs writes the references, each once, sorted.
func (g *graph) encodeRefs() []byte {
	slices.SortFunc(g.refs, func(a, b ref) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.value, b.value))
	})
	g.refs = slices.Compact(g.refs)
	size := 0
	for _, r := range g.refs {
		size += len(r.kind) + len(r.value) + len(" \n")
	}
	b := artifact.Buffer(size)
	for _, r := range g.refs {
		b = append(r.append(b), '\n')
	}
	return b
}

// eachRef calls fn for the references of the entries from one ordinal up to,
// not including, another. The bytes are valid during the call.
func eachRef(c *snapshot.Catalog, from, to int, fn func(ref []byte)) error {
	return c.Streams[streamRefs].Each(from, to, func(_ int, b []byte) error {
		for line := range bytes.Lines(b) {
			fn(line[:len(line)-1])
		}
		return nil
	})
}

// isLink tells references between entries from those of the tail.
func isLink(ref []byte) bool {
	word, _, _ := bytes.Cut(ref, []byte(" "))
	switch string(word) {
	case refSkipped, refDistribution, refEndpoint:
		return true
	}
	return false
}

// read adds what the entries of a range refer to.
func (t *tail) read(from, to int) error {
	return eachRef(t.index.catalog, from, to, func(ref []byte) {
		if !isLink(ref) {
			t.ref(ref)
		}
	})
}

// valueOf is the value of a reference, if that is its word.
func valueOf(ref []byte, word string) (value []byte, ok bool) {
	kind, value, _ := bytes.Cut(ref, []byte(" "))
	return value, string(kind) == word
}
