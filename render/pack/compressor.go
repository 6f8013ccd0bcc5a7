package pack

import (
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
)

// Compressor makes groups, in several goroutines at the same time. The zero value is
// ready. Its encoders take some 25 MB for each goroutine, most of it for the dictionaries:
// it keeps them until it is closed.
type Compressor struct {
	mu   sync.Mutex
	idle [kinds][]*zstd.Encoder
}

// encoders are those of compressors that were closed, until the memory is needed.
var encoders [kinds]sync.Pool

// Compress makes a group of files that have bodies; the order of the files is that in
// the group.
func (c *Compressor) Compress(key string, files []artifact.File) (*Group, error) {
	g, frames, err := arrange(key, files)
	if err != nil {
		return nil, err
	}
	g.fill(c, frames)
	return g, g.seal(c)
}

// Close lets the encoders go. The compressor can be used again.
func (c *Compressor) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.idle {
		for _, e := range c.idle[k] {
			encoders[k].Put(e)
		}
		c.idle[k] = nil
	}
}

// frame appends what a frame is to hold, compressed; where that does not make it smaller
// it stays as it is.
func (c *Compressor) frame(k Kind, raw, to []byte) (frame, []byte) {
	before := len(to)
	to = c.encode(k, raw, to)
	if len(to)-before >= len(raw) {
		k, to = Stored, append(to[:before], raw...)
	}
	return frame{k, len(to) - before, len(raw)}, to
}

// encode appends the frame of a kind that holds raw.
func (c *Compressor) encode(k Kind, raw, to []byte) []byte {
	e := c.take(k)
	to = e.EncodeAll(raw, to)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle[k] = append(c.idle[k], e)
	return to
}

func (c *Compressor) take(k Kind) *zstd.Encoder {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := len(c.idle[k]) - 1; last >= 0 {
		e := c.idle[k][last]
		c.idle[k] = c.idle[k][:last]
		return e
	}
	if e, ok := encoders[k].Get().(*zstd.Encoder); ok {
		return e
	}
	return newEncoder(k, dictionary(k))
}

// windowSize is how far back a frame refers, in bytes: to the beginning of its dictionary, too.
const windowSize = 2 * FrameMax

// newEncoder makes an encoder; without a dictionary it has none.
func newEncoder(k Kind, dictionary []byte) *zstd.Encoder {
	options := []zstd.EOption{
		zstd.WithEncoderLevel(k.level()), zstd.WithWindowSize(windowSize), zstd.WithSingleSegment(true), zstd.WithEncoderConcurrency(1),
	}
	if dictionary != nil {
		options = append(options, zstd.WithEncoderDictRaw(uint32(k), dictionary))
	}
	e, err := zstd.NewWriter(nil, options...)
	if err != nil {
		panic("pack: " + err.Error())
	}
	return e
}
