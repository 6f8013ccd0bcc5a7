package artifact

import (
	"sync"
	"sync/atomic"
)

// classes are the sizes of the rooms that are kept for the next document, in
// bytes. A larger one goes back to the collector.
var classes = [...]int{4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}

var rooms [len(classes)]sync.Pool

// Room returns an empty slice with room for n bytes, which held another
// document before if one was given back. A build makes millions of documents,
// each of which is needed until it is written: their room is most of what it
// allocates.
func Room(n int) []byte {
	for i, size := range classes {
		if n > size {
			continue
		}
		if p, ok := rooms[i].Get().(*[]byte); ok {
			return (*p)[:0]
		}
		return make([]byte, 0, size)
	}
	return make([]byte, 0, n)
}

// spoiled tells to overwrite what is given back.
var spoiled atomic.Bool

// Spoil overwrites each body that is given back from now on, or no longer, so
// that a test sees whether anyone still reads one.
func Spoil(on bool) { spoiled.Store(on) }

// giveBack keeps the room of a document for the next one.
func giveBack(b []byte) {
	if spoiled.Load() {
		b = b[:cap(b)]
		for i := range b {
			b[i] = '!'
		}
	}
	for i := len(classes) - 1; i >= 0; i-- {
		if cap(b) >= classes[i] && cap(b) <= 2*classes[len(classes)-1] {
			rooms[i].Put(&b)
			return
		}
	}
}

// Free gives the body's room back if it was lent. Nobody may use it any more.
func (f *File) Free() {
	if f.Lent {
		giveBack(f.Body)
		f.Body, f.Lent = nil, false
	}
}

// Free gives the body's room back if it was lent. Nobody may use it any more.
func (p *Piece) Free() {
	if p.Lent {
		giveBack(p.Body)
		p.Body, p.Lent = nil, false
	}
}
