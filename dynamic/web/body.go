package web

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"sync"
	"sync/atomic"
)

// Body is the content of an answer with its hash and its coded forms, which
// are made when they are first asked for. It is safe for concurrent use.
type Body struct {
	raw   *form
	sum   string
	mu    sync.Mutex
	coded [codings]atomic.Pointer[form]
}

// form is a body in one coding, with the values of the header fields that
// depend on it. Its content is nil when the coding would hardly shrink it.
type form struct {
	content []byte
	values  [2]string
}

func newForm(content []byte, sum string, c Coding, size int64) *form {
	return &form{content, [2]string{tag(sum, c), strconv.FormatInt(size, 10)}}
}

// etag and length are the values of the fields; nothing appends to them in place,
// as they are full.
func (f *form) etag() []string   { return f.values[:1:1] }
func (f *form) length() []string { return f.values[1:] }

// NewBody takes over the bytes of an answer.
func NewBody(raw []byte) *Body {
	sum := Sum(raw)
	return &Body{raw: newForm(raw, sum, Identity, int64(len(raw))), sum: sum}
}

// Sum is the lower-case hex SHA-256 of content; strong validators are made of
// it.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	var text [2 * len(sum)]byte
	hex.Encode(text[:], sum[:])
	return string(text[:])
}

// Bytes is the content as it is. It must not be changed.
func (b *Body) Bytes() []byte { return b.raw.content }

// Sum is the hash of the content.
func (b *Body) Sum() string { return b.sum }

// Preload gives a coded form that was made before.
func (b *Body) Preload(c Coding, coded []byte) {
	b.coded[c].Store(newForm(coded, b.sum, c, int64(len(coded))))
}

// In returns the content in a coding, and in which one: what would hardly
// shrink stays as it is.
func (b *Body) In(c Coding) ([]byte, Coding) {
	f, c := b.in(c)
	return f.content, c
}

func (b *Body) in(c Coding) (*form, Coding) {
	if c == Identity || len(b.raw.content) < compressMin {
		return b.raw, Identity
	}
	f := b.coded[c].Load()
	if f == nil {
		f = b.code(c)
	}
	if f.content == nil {
		return b.raw, Identity
	}
	return f, c
}

func (b *Body) code(c Coding) *form {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.coded[c].Load(); f != nil {
		return f
	}
	coded := compress(c, b.raw.content)
	f := newForm(coded, b.sum, c, int64(len(coded)))
	b.coded[c].Store(f)
	return f
}

// Size is how many bytes the body and its coded forms take in memory.
func (b *Body) Size() int64 {
	n := int64(cap(b.raw.content)) + 512
	for c := range codings {
		if f := b.coded[c].Load(); f != nil {
			n += int64(cap(f.content))
		}
	}
	return n
}
