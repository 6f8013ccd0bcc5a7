package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// ErrLineTooLong says that a line was longer than the limit and was skipped.
var ErrLineTooLong = errors.New("line too long")

// Lines splits a text into lines without their LF or CRLF.
type Lines struct {
	r    *bufio.Reader
	max  int
	n    int
	open bool
}

// NewLines reads lines of at most limit bytes.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, 256<<10), max: limit}
}

// Number is the number of the line that Next returned last, from one.
func (l *Lines) Number() int { return l.n }

// Unterminated tells that the last line of the input had no line feed.
func (l *Lines) Unterminated() bool { return l.open }

// Next returns the next line in memory of its own. A line beyond the limit is
// skipped whole and gives ErrLineTooLong; the end gives io.EOF.
func (l *Lines) Next() ([]byte, error) {
	part, err := l.r.ReadSlice('\n')
	if len(part) == 0 && err != nil {
		return nil, err
	}
	l.n++
	if err == nil {
		if len(part) > l.max+2 {
			return nil, ErrLineTooLong
		}
		return trimEnd(bytes.Clone(part)), nil
	}
	return l.long(bytes.Clone(part), err)
}

// long goes on with a line that did not fit the buffer.
func (l *Lines) long(line []byte, err error) ([]byte, error) {
	tooLong := false
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = l.r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > l.max+2; !tooLong {
			line = append(line, part...)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	l.open = err != nil
	if tooLong || len(line) > l.max+2 {
		return nil, ErrLineTooLong
	}
	return trimEnd(line), nil
}

func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// Peek returns the first line of an input that was not read from yet, as Next
// will return it, or what of it fits the buffer of 256 KiB.
func (l *Lines) Peek() ([]byte, error) {
	for n := 4 << 10; ; n *= 4 {
		head, err := l.r.Peek(min(n, 256<<10))
		if i := bytes.IndexByte(head, '\n'); i >= 0 {
			return trimEnd(bytes.Clone(head[:i+1])), nil
		}
		if err != nil || n >= 256<<10 {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
			return trimEnd(bytes.Clone(head)), nil
		}
	}
}

// PeekLines returns the first two lines that are not empty of an input that
// was not read from yet. A line that does not fit the buffer of 256 KiB, or
// does not lie in it, is empty.
func (l *Lines) PeekLines() (two [2][]byte, err error) {
	for n := 4 << 10; ; n *= 4 {
		head, err := l.r.Peek(min(n, 256<<10))
		ended, full := errors.Is(err, io.EOF), errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !ended && !full {
			return two, err
		}
		i := 0
		for line := range bytes.Lines(head) {
			if len(bytes.TrimSpace(line)) == 0 || i == 2 || line[len(line)-1] != '\n' && !ended {
				continue
			}
			two[i] = trimEnd(bytes.Clone(line))
			i++
		}
		if i == 2 || ended || full || n >= 256<<10 {
			return two, nil
		}
	}
}
