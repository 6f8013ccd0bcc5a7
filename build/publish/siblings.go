package publish

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
)

// siblingMin is the size above which a document lies precompressed beside the
// original (decisions §2).
const siblingMin = 64 << 10

// compressible tells whether a document of the type becomes smaller: archives
// and Parquet files are compressed already.
func compressible(mediaType string) bool {
	return mediaType != artifact.Gzip && mediaType != artifact.Parquet
}

// brotliLevel trades size for build time: pinned pages are rewritten by each
// build.
const brotliLevel = 4

// encoders compress a document; the key is the extension of the sibling. The
// first one never is a route of its own, as a gzip copy may be: by it one sees
// that a document has siblings.
var encoders = []struct {
	ext string
	new func(io.Writer) (io.WriteCloser, error)
}{
	{".zst", func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	}},
	{".gz", newGzip},
	{".br", func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterV2(w, brotliLevel), nil }},
}

// newGzip writes no time; a zero one would be taken for one of the year 2042.
func newGzip(w io.Writer) (io.WriteCloser, error) {
	z, err := gzip.NewWriterLevel(w, artifact.GzipLevel)
	if err == nil {
		z.ModTime = time.Unix(0, 0)
	}
	return z, err
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

// placeSiblings makes the siblings of tmp and moves them beside path. Until
// the document itself follows, their times differ from its own and a server
// passes them over.
func placeSiblings(tmp, path string, body []byte) error {
	if err := writeSiblings(tmp, body); err != nil {
		return err
	}
	for _, e := range encoders {
		if err := place(tmp+e.ext, path+e.ext); err != nil {
			return err
		}
	}
	return nil
}

// siblingsFit tells whether all siblings of a document are there with its
// time, as a build leaves them that was not killed between their renames.
func siblingsFit(path string) bool {
	document, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, e := range encoders {
		if info, err := os.Stat(path + e.ext); err != nil || !info.ModTime().Equal(document.ModTime()) {
			return false
		}
	}
	return true
}

// dropSiblings removes compressed forms of a document that has become small.
// The one that it looks for goes last, so that a killed build leaves none that
// the next one overlooks.
func dropSiblings(path string) {
	if _, err := os.Stat(path + encoders[0].ext); err != nil {
		return
	}
	for _, e := range slices.Backward(encoders) {
		os.Remove(path + e.ext)
	}
}
