package rdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// input is a window onto a document: what was not consumed yet, at least one
// token of it in one piece.
type input struct {
	r        io.Reader
	buf      []byte
	pos, end int
	max      int
	// lines and column lead to the beginning of buf.
	lines, column int
	eof           bool
	err           error
}

// errTooLong is a token beyond the limit.
var errTooLong = errors.New("token too long")

func newInput(r io.Reader, limits Limits) *input {
	return &input{r: r, buf: make([]byte, 64<<10), max: limits.Token}
}

// more reads on, keeping what was not consumed. It returns false at the end of
// the document, when the token fills the limit, and when reading fails.
func (in *input) more() bool {
	if in.eof || in.err != nil {
		return false
	}
	in.discard()
	if in.end == len(in.buf) {
		if in.end > in.max {
			in.err = errTooLong
			return false
		}
		in.buf = append(in.buf, make([]byte, len(in.buf))...)
	}
	for empty := 0; empty < 100; empty++ {
		n, err := in.r.Read(in.buf[in.end:])
		in.end += n
		switch {
		case err == io.EOF:
			in.eof = true
			return n > 0
		case err != nil:
			in.err = fmt.Errorf("read RDF: %w", err)
			return false
		case n > 0:
			return true
		}
	}
	in.err = fmt.Errorf("read RDF: %w", io.ErrNoProgress)
	return false
}

// discard moves what was not consumed to the front of the buffer.
func (in *input) discard() {
	if in.pos == 0 {
		return
	}
	in.lines, in.column = in.place()
	copy(in.buf, in.buf[in.pos:in.end])
	in.end -= in.pos
	in.pos = 0
}

// place counts the line feeds before the next byte, and the bytes since.
func (in *input) place() (lines, column int) {
	done := in.buf[:in.pos]
	n := bytes.Count(done, []byte{'\n'})
	if n == 0 {
		return in.lines, in.column + len(done)
	}
	return in.lines + n, len(done) - bytes.LastIndexByte(done, '\n') - 1
}

// at is the byte i places ahead, 0 behind the end.
func (in *input) at(i int) byte {
	for in.pos+i >= in.end {
		if !in.more() {
			return 0
		}
	}
	return in.buf[in.pos+i]
}

// ended tells that there is no byte i places ahead.
func (in *input) ended(i int) bool {
	for in.pos+i >= in.end {
		if !in.more() {
			return true
		}
	}
	return false
}

// span is the number of bytes ahead of the first one from i on that is in the
// set; all that are left if none is.
func (in *input) span(i int, stop *[256]bool) int {
	for {
		for p := in.pos + i; p < in.end; p++ {
			if stop[in.buf[p]] {
				return p - in.pos
			}
		}
		i = max(i, in.end-in.pos)
		if !in.more() {
			return in.end - in.pos
		}
	}
}

// ahead are the next n bytes, which at or span has seen. They are valid until
// the next look further ahead.
func (in *input) ahead(n int) []byte { return in.buf[in.pos : in.pos+n] }
