package publish

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// siblingMin is the size above which a document lies precompressed beside the
// original (decisions §2).
const siblingMin = 64 << 10

// Levels trade size for build time: pinned pages are rewritten by each build.
const (
	gzipLevel   = 6
	brotliLevel = 5
)

// encoders compress a document; the key is the extension of the sibling.
var encoders = []struct {
	ext string
	new func(io.Writer) (io.WriteCloser, error)
}{
	{".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzipLevel) }},
	{".zst", func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	}},
	{".br", func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, brotliLevel), nil }},
}

// Extensions of the precompressed siblings.
func siblingExtensions() []string {
	out := make([]string, len(encoders))
	for i, e := range encoders {
		out[i] = e.ext
	}
	return out
}

// writeSiblings writes the compressed forms beside path, with its time of
// modification, by which a server knows that they belong together.
func writeSiblings(path string, body []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	for _, e := range encoders {
		buf.Reset()
		w, err := e.new(&buf)
		if err != nil {
			return fmt.Errorf("sibling %s: %w", e.ext, err)
		}
		if _, err := w.Write(body); err != nil {
			return fmt.Errorf("sibling %s: %w", e.ext, err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("sibling %s: %w", e.ext, err)
		}
		if err := os.WriteFile(path+e.ext, buf.Bytes(), 0o644); err != nil {
			return err
		}
		if err := os.Chtimes(path+e.ext, time.Time{}, info.ModTime()); err != nil {
			return err
		}
	}
	return nil
}

// placeWithSiblings moves the siblings first: until the document itself
// follows, their times differ from its own and a server passes them over.
func (t *Tree) placeWithSiblings(tmp, path string, body []byte) error {
	if err := writeSiblings(tmp, body); err != nil {
		return err
	}
	for _, e := range encoders {
		if err := place(tmp+e.ext, path+e.ext); err != nil {
			return err
		}
	}
	return place(tmp, path)
}

// dropSiblings removes compressed forms of a document that has become small.
func dropSiblings(path string) {
	if _, err := os.Stat(path + encoders[0].ext); err != nil {
		return
	}
	for _, e := range encoders {
		os.Remove(path + e.ext)
	}
}
