package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
)

// errTable says that a table is not what a writer makes.
var errTable = errors.New("the table of a group is broken")

// Bounds of the words that stand for a longer part of routes.
const (
	shortsMax   = 3
	shortMin    = 4
	shortLength = 512
)

// table encodes what a group says of its documents. First what the groups of most
// entries have in common (shape), then what is its own: key and abbreviated words,
// sizes of frames and documents. Numbers are varints, strings follow their length. The
// hashes come separately, since nothing makes them smaller.
func (g *Group) table() (raw, sums []byte) {
	shorts := g.short()
	b := g.shape(shorts)
	b = text(b, g.Key)
	b = binary.AppendUvarint(b, uint64(len(shorts)))
	for _, s := range shorts {
		b = text(b, s)
	}
	for _, f := range g.frames {
		b = binary.AppendUvarint(append(b, byte(f.kind)), uint64(f.packed))
		b = binary.AppendUvarint(b, uint64(f.size))
	}
	for i := range g.Documents {
		d := &g.Documents[i]
		if d.same == 0 {
			b = binary.AppendUvarint(b, uint64(d.Size))
			sums = append(sums, d.Sum[:]...)
		}
		if d.Manifest != ([32]byte{}) {
			sums = append(sums, d.Manifest[:]...)
		}
	}
	return b, sums
}

// shape encodes the names and places of the documents, where the words of shorts are
// replaced by a byte each.
func (g *Group) shape(shorts []string) []byte {
	short := replacer(shorts)
	b := binary.AppendUvarint(nil, uint64(len(g.frames)))
	b = binary.AppendUvarint(b, uint64(len(g.Documents)))
	for i := range g.Documents {
		d := &g.Documents[i]
		for _, s := range []string{d.Route, d.Alias, d.Type, string(d.Class)} {
			b = text(b, short.Replace(s))
		}
		flags := byte(0)
		if d.Manifest != ([32]byte{}) {
			flags |= hasManifest
		}
		b = append(b, byte(d.Cache), flags)
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(d.same)), uint64(d.first))
	}
	return b
}

// hasManifest is a flag of a document.
const hasManifest = 1

// short chooses words that occur in many routes of the group: the last segments of its
// first route and alias, without an extension. None, where a text has the bytes that
// would stand for them.
func (g *Group) short() (words []string) {
	alias := slices.IndexFunc(g.Documents, func(d Document) bool { return d.Alias != "" })
	if len(g.Documents) == 0 {
		return nil
	}
	names := []string{g.Documents[0].Route}
	if alias >= 0 {
		names = append(names, g.Documents[alias].Alias)
	}
	for _, n := range names {
		n, _, _ = strings.Cut(n[strings.LastIndexByte(n, '/')+1:], ".")
		if len(n) >= shortMin && len(n) <= shortLength && !slices.Contains(words, n) {
			words = append(words, n)
		}
	}
	for i := range g.Documents {
		d := &g.Documents[i]
		if strings.ContainsAny(d.Route+d.Alias+d.Type+string(d.Class), "\x01\x02\x03") {
			return nil
		}
	}
	return words
}

// replacer puts its byte for each word.
func replacer(words []string) *strings.Replacer {
	var list []string
	for i, w := range words {
		list = append(list, w, string(rune(i+1)))
	}
	return strings.NewReplacer(list...)
}

func text(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// parser reads a table; after the first error it reads zeros.
type parser struct {
	rest []byte
	err  error
	// long are the bytes that words may take in full.
	long int
}

func (p *parser) bytes(n uint64) []byte {
	if n > uint64(len(p.rest)) {
		p.rest, p.err = nil, errTable
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

func (p *parser) number(bound uint64) uint64 {
	v, n := binary.Uvarint(p.rest)
	if n <= 0 || v > bound {
		p.rest, p.err = nil, errTable
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

func (p *parser) signed() int64 {
	v, n := binary.Varint(p.rest)
	if n <= 0 {
		p.rest, p.err = nil, errTable
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

func (p *parser) octet() byte {
	if b := p.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (p *parser) text() string { return string(p.bytes(p.number(tableMax))) }

// unseal splits and reads the table of a group whose frames have span bytes.
func unseal(tables *zstd.Decoder, packed []byte, span int64) (*Group, error) {
	p := &parser{rest: packed}
	compressed := p.bytes(p.number(tableMax))
	if p.err != nil {
		return nil, p.err
	}
	raw, err := tables.DecodeAll(compressed, nil)
	if err != nil {
		return nil, err
	}
	g, err := parseTable(raw, p.rest, span)
	if err != nil {
		return nil, err
	}
	g.packed = packed
	return g, nil
}

// parseTable reads a table and checks that what it says fits together and fills
// the span bytes of frames before it.
func parseTable(b, sums []byte, span int64) (*Group, error) {
	p, g := &parser{rest: b, long: tableMax}, &Group{}
	// A frame takes at least 3 bytes of a table, a document 8.
	frames, documents := p.number(uint64(len(b)/3)), p.number(min(documentsMax, uint64(len(b)/8)))
	manifests := make([]bool, documents)
	g.Documents = make([]Document, documents)
	for i := range g.Documents {
		manifests[i] = p.document(&g.Documents[i], i)
	}
	g.Key = p.text()
	p.lengthen(g)
	g.weight = len(b) + tableMax - p.long
	total := p.frames(g, int(frames))
	s := &parser{rest: sums}
	p.measure(g, s, manifests)
	if p.err = errors.Join(p.err, s.err); p.err == nil && (len(p.rest) > 0 || len(s.rest) > 0 || total != span) {
		p.err = errTable
	}
	return g, p.err
}

// document reads what the shape says of one, and whether it has a manifest.
func (p *parser) document(d *Document, number int) bool {
	d.Route, d.Alias, d.Type, d.Class = p.text(), p.text(), p.text(), artifact.Class(p.text())
	d.Cache = artifact.Cache(p.octet())
	flags := p.octet()
	if flags > hasManifest {
		p.err = errTable
	}
	d.same, d.first = int(p.number(uint64(number))), int(p.number(tableMax))
	return flags&hasManifest != 0
}

// lengthen reads the abbreviated words and puts them where they stand.
func (p *parser) lengthen(g *Group) {
	var words []string
	for range p.number(shortsMax) {
		words = append(words, string(p.bytes(p.number(shortLength))))
	}
	for i := range g.Documents {
		d := &g.Documents[i]
		d.Route, d.Alias, d.Type, d.Class = p.full(d.Route, words), p.full(d.Alias, words), p.full(d.Type, words), artifact.Class(p.full(string(d.Class), words))
	}
}

// full is a text with its words in full.
func (p *parser) full(s string, words []string) string {
	var b []byte
	rest := s
	for i := 0; i < len(rest) && p.err == nil; i++ {
		n := int(rest[i])
		if n < 1 || n > len(words) {
			continue
		}
		if p.long -= len(words[n-1]); p.long < 0 {
			p.err = errTable
		}
		b = append(append(b, rest[:i]...), words[n-1]...)
		rest, i = rest[i+1:], -1
	}
	if b == nil {
		return s
	}
	return string(append(b, rest...))
}

// frames reads what is said of the frames, and adds up what they take.
func (p *parser) frames(g *Group, count int) (total int64) {
	for range count {
		f := frame{Kind(p.octet()), int(p.number(FrameMax)), int(p.number(FrameMax))}
		if f.kind >= kinds || f.kind == Table || f.size == 0 || f.packed == 0 {
			p.err = errTable
		}
		if p.err != nil {
			return 0
		}
		total += int64(f.packed)
		g.frames = append(g.frames, f)
	}
	return total
}

// measure reads the sizes and hashes and tells where each document begins: where the
// one before it in the same frame ends.
func (p *parser) measure(g *Group, sums *parser, manifests []bool) {
	ends := make([]int64, len(g.frames)+1)
	for i := range g.Documents {
		d := &g.Documents[i]
		if d.same > 0 {
			first := &g.Documents[d.same-1]
			d.Size, d.Sum, d.first, d.offset = first.Size, first.Sum, first.first, first.offset
		} else {
			d.Size = int64(p.number(math.MaxInt64))
			copy(d.Sum[:], sums.bytes(uint64(len(d.Sum))))
			at := min(d.first, len(g.frames))
			d.offset = int(min(ends[at], FrameMax))
			ends[at] += min(d.Size, FrameMax)
		}
		if manifests[i] {
			copy(d.Manifest[:], sums.bytes(uint64(len(d.Manifest))))
			if bytes.Equal(d.Manifest[:], make([]byte, len(d.Manifest))) {
				p.err = errTable
			}
		}
		if p.err == nil && !g.holds(d) {
			p.err = fmt.Errorf("%w: %q lies outside of its frames", errTable, d.Route)
		}
	}
}

// holds tells whether the frames from a document's first one have its bytes.
func (g *Group) holds(d *Document) bool {
	if d.Size == 0 {
		return true
	}
	if d.first >= len(g.frames) || d.offset >= g.frames[d.first].size {
		return false
	}
	rest := d.Size - int64(g.frames[d.first].size-d.offset)
	for _, f := range g.frames[d.first+1:] {
		if rest <= 0 {
			break
		}
		rest -= int64(f.size)
	}
	return rest <= 0
}
