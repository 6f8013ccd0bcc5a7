// Package spool keeps lists that are too long for the memory in files without a name.
package spool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/gzip"
)

// List is a list of values, as gzipped NDJSON in a file that vanishes with the process.
// Its values are read when all are added, as often as one likes.
type List[T any] struct {
	file  *os.File
	buf   *bufio.Writer
	zip   *gzip.Writer
	enc   *json.Encoder
	count int
	size  int64
}

// New makes an empty list in the folder for temporary files.
func New[T any]() (*List[T], error) {
	f, err := os.CreateTemp("", "assay-list-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	l := &List[T]{file: f, buf: bufio.NewWriterSize(f, 1<<16)}
	if l.zip, err = gzip.NewWriterLevel(l.buf, gzip.BestSpeed); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	l.enc = json.NewEncoder(l.zip)
	l.enc.SetEscapeHTML(false)
	return l, nil
}

// Add appends a value; no more after the list was read.
func (l *List[T]) Add(v *T) error {
	l.count++
	return l.enc.Encode(v)
}

// Len is the number of values.
func (l *List[T]) Len() int { return l.count }

// Stored is the list as it lies in its file: gzipped NDJSON.
func (l *List[T]) Stored() (*io.SectionReader, error) {
	if l.zip != nil {
		err := errors.Join(l.zip.Close(), l.buf.Flush())
		if err != nil {
			return nil, err
		}
		if l.size, err = l.file.Seek(0, io.SeekCurrent); err != nil {
			return nil, err
		}
		l.zip, l.buf, l.enc = nil, nil, nil // compressors are large
	}
	return io.NewSectionReader(l.file, 0, l.size), nil
}

// All yields the values in the order in which they were added.
func (l *List[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		in, err := l.Stored()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		Decode[T](in)(yield)
	}
}

// Close gives the file up.
func (l *List[T]) Close() error { return l.file.Close() }

// lineMax bounds a line in bytes.
const lineMax = 64 << 10

// Decode yields the values of gzipped NDJSON. An error names the line; none follows it.
func Decode[T any](in io.Reader) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		zip, err := gzip.NewReader(in)
		if err != nil {
			yield(none, err)
			return
		}
		lines := bufio.NewScanner(zip)
		lines.Buffer(nil, lineMax)
		for n := 1; lines.Scan(); n++ {
			var v T
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				yield(none, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(none, err)
		}
	}
}
