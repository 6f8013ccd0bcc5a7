package web

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Levels that cost about a millisecond for a page of a list.
const (
	gzipLevel   = 6
	brotliLevel = 5
)

// compressMin is the size below which headers cost more than coding saves.
const compressMin = 1 << 10

// resetter is a compressor that can be used again.
type resetter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

var compressors = [codings]*sync.Pool{
	Gzip: {New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzipLevel) // the level is valid
		return w
	}},
	Zstd: {New: func() any {
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // the options are valid
		return w
	}},
	Brotli: {New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }},
}

// compress returns the coded form, or nil when it saves too little.
func compress(c Coding, raw []byte) []byte {
	w := compressors[c].Get().(resetter)
	defer compressors[c].Put(w)
	out := bytes.NewBuffer(make([]byte, 0, len(raw)/3+64))
	w.Reset(out)
	if _, err := w.Write(raw); err != nil {
		return nil
	}
	if err := w.Close(); err != nil || out.Len() > len(raw)-len(raw)/16 {
		return nil
	}
	return bytes.Clone(out.Bytes())
}

// Compressible tells whether coding a media type saves anything.
func Compressible(mediaType string) bool {
	base, _, _ := strings.Cut(mediaType, ";")
	switch base {
	case "application/json", "application/x-ndjson", "application/xml", "application/trig", "application/javascript", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(base, "text/") || strings.HasSuffix(base, "+json") || strings.HasSuffix(base, "+xml")
}
