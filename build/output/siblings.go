package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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

// zstdExt is the extension of the form that a snapshot file may have already.
const zstdExt = ".zst"

// encoders compress a document. The first one's form never is a route of its
// own, as a gzip copy may be: by it one sees that a document has siblings.
var encoders = []encoder{
	{zstdExt, pool(func() (compressor, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	})},
	{".gz", pool(func() (compressor, error) {
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

// writeSiblings writes the compressed forms beside path, with its time of
// modification, by which a server knows that they belong together.
func writeSiblings(path string, body []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	for i := range encoders {
		e := &encoders[i]
		buf.Reset()
		if err := e.write(&buf, bytes.NewReader(body)); err != nil {
			return err
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
func dropSiblings(path string) error {
	if _, err := os.Stat(path + encoders[0].ext); err != nil {
		return there(err)
	}
	for _, e := range slices.Backward(encoders) {
		if err := there(os.Remove(path + e.ext)); err != nil {
			return err
		}
	}
	return nil
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
