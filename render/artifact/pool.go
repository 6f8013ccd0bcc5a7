package artifact

import (
	"sync"
	"sync/atomic"
)

// classes are the sizes of the buffers that are kept for the next document, in
// bytes. A larger one goes back to the collector.
var classes = [...]int{4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}

var pools [len(classes)]sync.Pool

// Buffer returns an empty slice with room for n bytes, which held another
// document before if one was given back. A build makes millions of documents,
// each of which is needed until it is written: their buffers are most of what it
// allocates.
func Buffer(n int) []byte {
	for i, size := range classes {
		if n > size {
			continue
		}
		if p, ok := pools[i].Get().(*[]byte); ok {
			return (*p)[:0]
		}
		return make([]byte, 0, size)
	}
	return make([]byte, 0, n)
}

// poisoned tells to overwrite what is given back.
var poisoned atomic.Bool

// Poison overwrites each body that is given back from now on, or no longer, so
// that a test sees whether anyone still reads one.
func Poison(on bool) { poisoned.Store(on) }

// Free keeps a Buffer for the next document. Nobody may use it any more.
func Free(b []byte) {
	if poisoned.Load() {
		b = b[:cap(b)]
		for i := range b {
			b[i] = '!'
		}
	}
	for i := len(classes) - 1; i >= 0; i-- {
		if cap(b) >= classes[i] && cap(b) <= 2*classes[len(classes)-1] {
			pools[i].Put(&b)
			return
		}
	}
}

// Free gives the body back to the pool if it was lent. Nobody may use it any more.
func (f *File) Free() {
	if f.Pooled {
		Free(f.Body)
		f.Body, f.Pooled = nil, false
	}
}

// Free gives the body back to the pool if it was lent. Nobody may use it any more.
func (p *Fragment) Free() {
	if p.Pooled {
		Free(p.Body)
		p.Body, p.Pooled = nil, false
	}
}
