package segment

import (
	"encoding/binary"
	"math/bits"
)

// Postings are the documents of a term in ascending order.
type Postings struct {
	// Document and Impact are of the posting that Next moved to.
	Document uint32
	Impact   byte
	rest     []byte
}

// Postings begins at the first document of a term.
func (s *Segment) Postings(term int) Postings {
	p := s.places[16*term:]
	from := binary.LittleEndian.Uint64(p)
	return Postings{rest: s.data[from : from+uint64(binary.LittleEndian.Uint32(p[8:]))]}
}

// Next moves to the next posting; it reports whether there is one.
func (p *Postings) Next() bool {
	b := p.rest
	if len(b) < 2 {
		return false
	}
	delta, n := uint32(b[0]), 1
	if delta >= 0x80 {
		delta &= 0x7F
		for shift := 7; ; shift += 7 {
			if n >= len(b)-1 || shift > 28 {
				return false
			}
			c := b[n]
			n++
			delta |= uint32(c&0x7F) << shift
			if c < 0x80 {
				break
			}
		}
	}
	p.Document += delta
	p.Impact = b[n]
	p.rest = b[n+1:]
	return true
}

// Positions read where a term occurs, one document after the other, in step
// with its Postings.
type Positions struct {
	rest []byte
	list []uint32
}

// Positions begins at the first document of a term.
func (s *Segment) Positions(term int) Positions {
	p := s.places[16*term:]
	from := binary.LittleEndian.Uint64(p) + uint64(binary.LittleEndian.Uint32(p[8:]))
	to := uint64(len(s.data))
	if 16*(term+1) < len(s.places) {
		to = binary.LittleEndian.Uint64(s.places[16*(term+1):])
	}
	return Positions{rest: s.data[from:to]}
}

// Next reads the positions in the next document; they are valid until the next
// call.
func (p *Positions) Next() []uint32 {
	count := p.number()
	p.list = p.list[:0]
	last := uint32(0)
	for range count {
		last += p.number()
		p.list = append(p.list, last)
	}
	return p.list
}

// Skip passes over the next document. A number ends with its first byte below 0x80; eight bytes
// are looked at at a time.
func (p *Positions) Skip() {
	n := int(p.number())
	for n > 0 && len(p.rest) >= 8 {
		ends := ^binary.LittleEndian.Uint64(p.rest) & 0x8080808080808080
		if here := bits.OnesCount64(ends); here < n {
			n, p.rest = n-here, p.rest[8:]
			continue
		}
		for ; n > 1; n-- {
			ends &= ends - 1
		}
		p.rest = p.rest[bits.TrailingZeros64(ends)/8+1:]
		return
	}
	for range n {
		p.number()
	}
}

func (p *Positions) number() uint32 {
	if len(p.rest) > 0 && p.rest[0] < 0x80 {
		n := uint32(p.rest[0])
		p.rest = p.rest[1:]
		return n
	}
	n, size := binary.Uvarint(p.rest)
	if size <= 0 {
		p.rest = nil
		return 0
	}
	p.rest = p.rest[size:]
	return uint32(n)
}
