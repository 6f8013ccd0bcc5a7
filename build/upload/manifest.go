package upload

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
func (w *jsonLines) put(ctx context.Context, b Bucket, key string) error {
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
	return b.Put(ctx, key, w.file, Object{Type: "application/gzip", Cache: noStore, Size: size})
}

func (w *jsonLines) close() { w.file.Close() }

// read yields the values of compressed NDJSON; a missing object yields none.
func read[T any](ctx context.Context, b Bucket, key string) iter.Seq2[T, error] {
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
			yield(none, fmt.Errorf("%s: %w", key, err))
			return
		}
		dec := json.NewDecoder(bufio.NewReaderSize(zip, 1<<16))
		for {
			var v T
			if err := dec.Decode(&v); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				yield(none, fmt.Errorf("%s: %w", key, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}
