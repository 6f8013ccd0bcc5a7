package hashindex

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sort"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Match is a page that has a hash.
type Match struct {
	Route string
	// Manifest tells that its manifest names the hash, not that its bytes have
	// it.
	Manifest bool
}

// matchesMax bounds the pages of one hash that are told.
const matchesMax = 100

// Reader searches an index where it lies.
type Reader struct {
	r              io.ReaderAt
	count, blocks  int64
	offsets, start int64
}

// Open reads the head of an index.
func Open(r io.ReaderAt) (*Reader, error) {
	head := make([]byte, headSize)
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("hash index: %w", err)
	}
	count, blocks := binary.BigEndian.Uint64(head[len(magic):]), binary.BigEndian.Uint64(head[len(magic)+8:])
	if string(head[:len(magic)]) != magic || count > math.MaxUint32 || blocks > math.MaxUint32 {
		return nil, fmt.Errorf("hash index: it is of another version; build the site again")
	}
	x := &Reader{r: r, count: int64(count), blocks: int64(blocks)}
	x.offsets = int64(headSize) + x.count*recordSize
	x.start = x.offsets + (x.blocks+1)*8
	return x, nil
}

// Find lists the pages that have a hash, at most matchesMax.
func (x *Reader) Find(sum [sha256.Size]byte) ([]Match, error) {
	var fault error
	i := sort.Search(int(x.count), func(i int) bool {
		r, err := x.record(int64(i))
		if err != nil {
			fault = err
			return true
		}
		return bytes.Compare(r[:prefixSize], sum[:prefixSize]) >= 0
	})
	if fault != nil {
		return nil, fault
	}
	var out []Match
	for at := int64(i); at < x.count && len(out) < matchesMax; at++ {
		r, err := x.record(at)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(r[:prefixSize], sum[:prefixSize]) {
			break
		}
		number := binary.BigEndian.Uint32(r[prefixSize:])
		route, err := x.route(int64(number &^ manifestBit))
		if err != nil {
			return nil, err
		}
		out = append(out, Match{route, number&manifestBit != 0})
	}
	return out, nil
}

func (x *Reader) record(i int64) (r [recordSize]byte, err error) {
	_, err = x.r.ReadAt(r[:], int64(headSize)+i*recordSize)
	return r, err
}

// route reads the block of a route.
func (x *Reader) route(number int64) (string, error) {
	block := number / blockRoutes
	if block >= x.blocks {
		return "", fmt.Errorf("hash index: route %d is beyond its end", number)
	}
	bounds := make([]byte, 16)
	if _, err := x.r.ReadAt(bounds, x.offsets+block*8); err != nil {
		return "", err
	}
	from, to := int64(binary.BigEndian.Uint64(bounds)), int64(binary.BigEndian.Uint64(bounds[8:]))
	if from < 0 || to < from || to-from > blockMax {
		return "", fmt.Errorf("hash index: block %d has no size", block)
	}
	packed := make([]byte, to-from)
	if _, err := x.r.ReadAt(packed, x.start+from); err != nil {
		return "", err
	}
	text, err := unpacker().DecodeAll(packed, nil)
	if err != nil {
		return "", fmt.Errorf("hash index: block %d: %w", block, err)
	}
	lines := strings.Split(string(text), "\n")
	if n := number % blockRoutes; n < int64(len(lines)-1) {
		return lines[n], nil
	}
	return "", fmt.Errorf("hash index: block %d lacks route %d", block, number)
}

// unpacker decodes blocks; it is safe for concurrent use.
var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(blockMax))
	if err != nil {
		panic(err) // the options are constant
	}
	return d
})
