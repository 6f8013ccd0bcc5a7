package build

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// kept is what a record holds of a frozen entry, besides long texts.
type keptEntry struct {
	Line   snapshot.Line
	Sums   snapshot.Sums
	Former []string
	Source string
	Host   string
	// Delivered and Traced are those of worked.
	Delivered, Traced int
	// Pieces are the fragments that documents of several entries read, Own the streams of those that lie in the last part.
	Pieces []piece
	Own    []string
	Titles []uint64
}

// make makes the record of a frozen entry, which takes over what only its own documents read.
func (r *records) make(f *frozen, claim *claim) error {
	if len(f.notes) > 0 {
		claim = &never // there is something to tell with each build
	}
	f.until = claim.Until
	own := r.takeOwn(f)
	told, err := f.takePieces()
	if err != nil {
		return err
	}
	if r.name != "" {
		f.claim = claim.append(nil)
		if f.made, err = r.head(f); err != nil {
			return err
		}
	}
	f.body = body{head: int64(len(f.made)), told: int64(len(told)), own: int64(len(own))}
	f.made = append(append(f.made, told...), own...)
	return nil
}

// takeOwn takes the fragments that only the entry's own documents read, compressed.
func (r *records) takeOwn(f *frozen) []byte {
	size, rest := recordRoom, f.fragments[:0]
	for i := range f.fragments {
		if f.fragments[i].Own {
			size += len(f.fragments[i].Body)
		}
	}
	b := artifact.Buffer(size)
	defer func() { artifact.Free(b) }()
	for i := range f.fragments {
		p := &f.fragments[i]
		if !p.Own {
			rest = append(rest, *p)
			continue
		}
		f.own = append(f.own, p.Stream)
		b = appendPart(appendPart(b, []byte(p.Stream)), p.Body)
		p.Free()
	}
	f.fragments = rest
	return squeeze(b)
}

// head is what a build needs of an entry that it does not render, compressed.
func (r *records) head(f *frozen) ([]byte, error) {
	k := keptEntry{Line: f.line, Sums: f.line.Sums, Former: f.former, Source: f.source, Host: f.work.host,
		Delivered: f.work.delivered, Traced: f.work.traced, Titles: f.search.Titles, Pieces: f.pieces, Own: f.own}
	b, err := r.types.append(artifact.Buffer(recordRoom), &k)
	if err != nil {
		return nil, err
	}
	b = appendPart(b, f.item)
	b = appendTerms(b, f.search.Terms)
	defer artifact.Free(b)
	return squeeze(b), nil
}

// recordRoom is enough for most records before compression, in bytes.
const recordRoom = 32 << 10

func appendPart(b, part []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(part))), part...)
}

func appendTerms(b []byte, terms []search.Occurrence) []byte {
	b = binary.AppendUvarint(b, uint64(len(terms)))
	for i := range terms {
		t := &terms[i]
		b = append(binary.AppendUvarint(b, uint64(len(t.Term))), t.Term...)
		b = append(b, t.Impact)
		b = binary.BigEndian.AppendUint16(b, t.Languages)
		b = binary.AppendUvarint(b, uint64(len(t.Positions)))
		last := uint32(0)
		for _, p := range t.Positions {
			b = binary.AppendUvarint(b, uint64(p-last))
			last = p
		}
	}
	return b
}

// thaw makes of a record what freezing the entry would make; its documents lie in the
// present file and are copied.
func (r *run) thaw(from *record) (frozen, error) {
	f, err := r.thawed(from)
	if err != nil {
		return f, fmt.Errorf("%w: %w", errRecords, err)
	}
	return f, nil
}

func (r *run) thawed(from *record) (f frozen, err error) {
	c, today := from.claim, dayNumber(r.frame.Day)
	packed, err := r.records.bodies.read(from.body.at, from.body.head)
	if err != nil {
		return f, err
	}
	room, err := stretch(packed, artifact.Buffer(8*len(packed)))
	if err != nil {
		return f, err
	}
	p := thawing{rest: room}
	var k keptEntry
	if err := r.records.types.read(p.part(), &k); err != nil {
		return f, err
	}
	f = frozen{line: k.Line, former: k.Former, source: k.Source, claim: from.stated, body: from.body, pieces: k.Pieces, own: k.Own, room: room, until: c.Until,
		work: worked{host: k.Host, days: c.Days << (today - c.Day), trace: c.Trace, delivered: k.Delivered, traced: k.Traced}}
	f.line.Sums, f.line.Checked = k.Sums, c.Checked
	if c.Stored < today {
		f.score = c.on(r.frame.Day)
		c.Stored, from.moved = today, true
	}
	if from.moved {
		f.claim = c.append(nil)
	}
	if f.made, err = r.records.bodies.keep(&from.body); err != nil {
		return f, err
	}
	if f.documents, f.rest, err = r.file.keepEntry(k.Line.ID, int(from.group)); err != nil {
		return f, err
	}
	f.item = p.part()
	f.search = &search.Analysis{Terms: p.terms(), Titles: k.Titles}
	if p.short || len(p.rest) > 0 {
		return f, io.ErrUnexpectedEOF
	}
	return f, nil
}

// thawing reads the parts of a record; short tells that one was cut off.
type thawing struct {
	rest  []byte
	short bool
}

func (p *thawing) number() uint64 {
	n, k := binary.Uvarint(p.rest)
	if k <= 0 {
		p.short, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[k:]
	return n
}

func (p *thawing) bytes(n uint64) []byte {
	if n > uint64(len(p.rest)) {
		p.short, p.rest = true, nil
		return nil
	}
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

func (p *thawing) part() []byte { return p.bytes(p.number()) }

// terms reads those of an entry, which share two pieces of memory: there are a hundred of an entry.
func (p *thawing) terms() []search.Occurrence {
	n := p.number()
	if n > uint64(len(p.rest)) {
		p.short = true
		return nil
	}
	terms, text := make([]search.Occurrence, n), string(p.rest)
	positions := make([]uint32, 0, len(p.rest)/2)
	for i := range terms {
		t := &terms[i]
		term := p.part()
		from := len(text) - len(p.rest) - len(term)
		fixed := p.bytes(3)
		if p.short {
			return nil
		}
		t.Term = text[from:][:len(term)]
		t.Impact, t.Languages = fixed[0], binary.BigEndian.Uint16(fixed[1:])
		count := p.number()
		if count > uint64(len(p.rest)) {
			p.short = true
			return nil
		}
		first, last := len(positions), uint32(0)
		for range count {
			last += uint32(p.number())
			positions = append(positions, last)
		}
		t.Positions = positions[first:len(positions):len(positions)]
	}
	return terms
}
