package web

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"sync/atomic"
)

// Body is the content of an answer with its hash and its coded forms, which
// are made when they are first asked for. It is safe for concurrent use.
type Body struct {
	raw   []byte
	sum   string
	mu    sync.Mutex
	coded [codings]atomic.Pointer[[]byte]
}

// NewBody takes over the bytes of an answer.
func NewBody(raw []byte) *Body {
	return &Body{raw: raw, sum: Sum(raw)}
}

// Sum is the lower-case hex SHA-256 of content; strong validators are made of
// it.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Bytes is the content as it is. It must not be changed.
func (b *Body) Bytes() []byte { return b.raw }

// Sum is the hash of the content.
func (b *Body) Sum() string { return b.sum }

// Preload gives a coded form that was made before.
func (b *Body) Preload(c Coding, coded []byte) { b.coded[c].Store(&coded) }

// In returns the content in a coding, and in which one: what would hardly
// shrink stays as it is.
func (b *Body) In(c Coding) ([]byte, Coding) {
	if c == Identity || len(b.raw) < compressMin {
		return b.raw, Identity
	}
	p := b.coded[c].Load()
	if p == nil {
		p = b.code(c)
	}
	if *p == nil {
		return b.raw, Identity
	}
	return *p, c
}

func (b *Body) code(c Coding) *[]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.coded[c].Load(); p != nil {
		return p
	}
	coded := compress(c, b.raw)
	b.coded[c].Store(&coded)
	return &coded
}

// Size is how many bytes the body and its coded forms take in memory.
func (b *Body) Size() int64 {
	n := int64(len(b.raw)) + 512
	for c := range codings {
		if p := b.coded[c].Load(); p != nil {
			n += int64(len(*p))
		}
	}
	return n
}
