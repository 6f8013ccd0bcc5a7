package publish

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/build/publish/bucket"
)

// line is one object of a generation.
type line struct {
	Key string `json:"key"`
	// Version tells whether an object is the one that is wanted: a digest of
	// its bytes and its description. "" is one of which nothing is known.
	Version string `json:"version,omitempty"`
	Rank    rank   `json:"rank,omitempty"`
	// Gone is the generation that had no such key any more, 0 for a live one.
	Gone int `json:"gone,omitempty"`
	// touched tells that a publish that did not end may have written it,
	// deleted that it may have deleted it, unsure that it may not be there.
	touched, deleted, unsure bool
}

// jsonLines writes values as compressed NDJSON into a file that vanishes with
// the process.
type jsonLines struct {
	file *os.File
	buf  *bufio.Writer
	zip  *gzip.Writer
	enc  *json.Encoder
}

func newLines(dir string) (*jsonLines, error) {
	f, err := os.CreateTemp(dir, "lines-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	w := &jsonLines{file: f, buf: bufio.NewWriterSize(f, 1<<16)}
	w.zip = gzip.NewWriter(w.buf)
	w.enc = json.NewEncoder(w.zip)
	w.enc.SetEscapeHTML(false)
	return w, nil
}

func (w *jsonLines) add(v any) error { return w.enc.Encode(v) }

// put ends the lines and stores them.
func (w *jsonLines) put(ctx context.Context, b bucket.Bucket, key string) error {
	if err := errors.Join(w.zip.Close(), w.buf.Flush()); err != nil {
		return err
	}
	size, err := w.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := w.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return b.Put(ctx, key, w.file, bucket.Object{Type: "application/gzip", Cache: noStore, Size: size})
}

func (w *jsonLines) close() { w.file.Close() }

// lineMax bounds a line of the books in bytes; a key has at most 1,024.
const lineMax = 64 << 10

// readManifest yields the objects of a generation. Each key must be one that a
// site may have, and greater than the one before: a manifest that is not like
// that would have pages deleted that are live.
func readManifest(ctx context.Context, b bucket.Bucket, key string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		last := ""
		for l, err := range read[line](ctx, b, key) {
			if err == nil {
				err = checkKey(key, l.Key)
			}
			if err == nil && l.Key <= last {
				err = damaged(key, fmt.Errorf("%q follows %q", l.Key, last))
			}
			if !yield(l, err) || err != nil {
				return
			}
			last = l.Key
		}
	}
}

// checkKey refuses a key of the books that leads to the books themselves, or out
// of the target.
func checkKey(book, key string) error {
	if !filepath.IsLocal(filepath.FromSlash(key)) || path.Clean(key) != key || strings.HasPrefix(key+"/", hidden) {
		return damaged(book, fmt.Errorf("%q is no key of a page", key))
	}
	return nil
}

// damaged is the error of a book that no publish wrote.
func damaged(book string, err error) error {
	return fmt.Errorf("%s is damaged: %w; restore it, or publish to another target", book, err)
}

// read yields the values of compressed NDJSON; a missing object yields none.
func read[T any](ctx context.Context, b bucket.Bucket, key string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f, err := b.Get(ctx, key)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(none, err)
			return
		}
		defer f.Close()
		zip, err := gzip.NewReader(f)
		if err != nil {
			yield(none, damaged(key, err))
			return
		}
		lines := bufio.NewScanner(zip)
		lines.Buffer(nil, lineMax)
		for n := 1; lines.Scan(); n++ {
			var v T
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				yield(none, damaged(key, fmt.Errorf("line %d: %w", n, err)))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(none, damaged(key, err))
		}
	}
}
