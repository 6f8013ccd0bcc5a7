package dcat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

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

// encodeRefs writes the references, each once, sorted.
func (g *graph) encodeRefs() []byte {
	slices.Sort(g.refs)
	var b bytes.Buffer
	for _, r := range slices.Compact(g.refs) {
		b.WriteString(r)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// eachRef calls fn for the references of the entries from one ordinal up to,
// not including, another. The bytes are valid during the call.
func eachRef(c *snapshot.Catalog, from, to int, fn func(word, value []byte)) error {
	pieces := c.Streams[streamRefs].Pieces(from, to)
	in := bufio.NewReaderSize(pieces, int(min(pieces.Size()+16, 1<<16)))
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			var rest []byte
			line = slices.Clone(line)
			rest, err = in.ReadBytes('\n')
			line = append(line, rest...)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		word, value, _ := bytes.Cut(line[:len(line)-1], []byte(" "))
		fn(word, value)
	}
}

// isLink tells references between entries from those of the tail.
func isLink(word string) bool {
	return word == refSkipped || word == refDistribution || word == refEndpoint
}

// tailRefs adds what the entries of a range refer to, each once. Codes come
// from closed lists, so the set stays small.
func tailRefs(c *snapshot.Catalog, from, to int, seen map[string]bool) error {
	var line []byte
	return eachRef(c, from, to, func(word, value []byte) {
		line = append(append(append(line[:0], word...), ' '), value...)
		if !seen[string(line)] && !isLink(string(word)) {
			seen[string(line)] = true
		}
	})
}

// LeftOut counts the entries that the documents of a catalog leave out, by
// reason, most first. It needs the pieces, so only a build can tell.
func LeftOut(c *snapshot.Catalog) ([]snapshot.Count, error) {
	counts := map[string]int{}
	err := eachRef(c, 0, len(c.Lines), func(word, value []byte) {
		if string(word) == refSkipped {
			counts[string(value)]++
		}
	})
	out := make([]snapshot.Count, 0, len(counts))
	for reason, n := range counts {
		out = append(out, snapshot.Count{Value: reason, Count: n})
	}
	slices.SortFunc(out, func(a, b snapshot.Count) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Value, b.Value)
	})
	return out, err
}
