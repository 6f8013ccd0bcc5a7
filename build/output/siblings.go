package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
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
// build. The documents become 14 % of their size, against 11 % at the level
// that takes three times as long.
const brotliLevel = 1

// encoder makes one compressed form. Its tables are large, so they are kept
// for the next document.
type encoder struct {
	// ext is the extension of the sibling.
	ext  string
	pool *sync.Pool
}

// compressor is what all three libraries have in common.
type compressor interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// Extensions of the forms that a snapshot file may have already.
const (
	zstdExt = ".zst"
	gzipExt = ".gz"
)

// encoders compress a document. The first one's form never is a route of its
// own, as a gzip copy may be: by it one sees that a document has siblings.
var encoders = []encoder{
	{zstdExt, pool(func() (compressor, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	})},
	{gzipExt, pool(func() (compressor, error) {
		z, err := gzip.NewWriterLevel(nil, artifact.GzipLevel)
		return timeless{z}, err
	})},
	{".br", pool(func() (compressor, error) { return brotli.NewWriterV2(nil, brotliLevel), nil })},
}

func pool(create func() (compressor, error)) *sync.Pool {
	return &sync.Pool{New: func() any {
		c, err := create()
		if err != nil {
			panic(err) // the levels are valid
		}
		return c
	}}
}

// timeless is a gzip writer that writes no time; a zero one would be taken for
// one of the year 2042.
type timeless struct{ *gzip.Writer }

// Reset begins another file.
func (z timeless) Reset(w io.Writer) {
	z.Writer.Reset(w)
	z.ModTime = time.Unix(0, 0)
}

// write compresses what src holds into w.
func (e *encoder) write(w io.Writer, src io.Reader) error {
	c := e.pool.Get().(compressor)
	defer e.pool.Put(c)
	c.Reset(w)
	_, err := io.Copy(c, src)
	if err = errors.Join(err, c.Close()); err != nil {
		return fmt.Errorf("sibling %s: %w", e.ext, err)
	}
	return nil
}

// Extensions of the precompressed siblings.
func siblingExtensions() []string {
	out := make([]string, len(encoders))
	for i, e := range encoders {
		out[i] = e.ext
	}
	return out
}

// Outdated tells whether the file of a name is a compressed form that its
// document does not have any more; has tells which files belong to the site.
// Web servers send such a file for the document without comparing the two
// (gzip_static of nginx), so whoever updates a copy of a site removes it before
// the document changes.
func Outdated(name string, has func(name string) bool) bool {
	document, ext := SplitSibling(name)
	return ext != "" && has(document) && !has(name)
}

// SplitSibling tells whether a path names a compressed form, of which document and with
// which extension; ext is "" for a document itself.
func SplitSibling(path string) (document, ext string) {
	for _, e := range siblingExtensions() {
		if d, ok := strings.CutSuffix(path, e); ok && artifact.HasExtension(d) {
			return d, e
		}
	}
	return path, ""
}

// SameSibling tells whether a compressed form holds the bytes of its document.
func SameSibling(document, sibling, ext string) bool {
	a, err := os.Open(document)
	if err != nil {
		return false
	}
	defer a.Close()
	b, err := os.Open(sibling)
	if err != nil {
		return false
	}
	defer b.Close()
	var plain io.Reader
	switch ext {
	case ".gz":
		plain, err = gzip.NewReader(b)
	case ".zst":
		var d *zstd.Decoder
		if d, err = zstd.NewReader(b); err == nil {
			defer d.Close()
			plain = d
		}
	default:
		plain = brotli.NewReader(b)
	}
	if err != nil {
		return false
	}
	same, err := sameContent(a, plain)
	return err == nil && same
}

func sameContent(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, endA, errA := fill(a, x)
		m, endB, errB := fill(b, y)
		if errA != nil || errB != nil {
			return false, errors.Join(errA, errB)
		}
		if endA != endB || !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if endA {
			return true, nil
		}
	}
}

// fill reads until the buffer is full or the input ends. Unlike io.ReadFull it
// tells an end from a compressed stream that breaks off.
func fill(r io.Reader, b []byte) (n int, end bool, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = r.Read(b[n:])
		n += k
	}
	if err == io.EOF {
		return n, true, nil
	}
	return n, false, err
}
