package source

import (
	"bytes"
	"errors"
	"io"
)

// jsonScan finds where JSON values begin and end (RFC 8259) without building
// them, in a buffer of bounded size.
type jsonScan struct {
	r    io.Reader
	buf  []byte
	pos  int
	end  int
	line int
	// space is the line break and white space that peek passed last.
	space []byte
	err   error
}

func newJSONScan(r io.Reader) *jsonScan {
	return &jsonScan{r: r, buf: make([]byte, 64<<10), line: 1}
}

// fill reads more when the buffer is used up; false is the end or an error.
func (s *jsonScan) fill() bool {
	for s.pos == s.end && s.err == nil {
		n, err := s.r.Read(s.buf)
		s.pos, s.end, s.err = 0, n, err
	}
	return s.pos < s.end
}

// failure is the error of the reader, but not its end.
func (s *jsonScan) failure() error {
	if s.err == nil || errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// peek is the next byte that is no white space; false is the end. The
// separators of JSON text sequences (RFC 7464) count as white space.
func (s *jsonScan) peek() (byte, bool) {
	for s.fill() {
		switch c := s.buf[s.pos]; c {
		case '\n':
			s.line++
			s.space = append(s.space[:0], c)
		case ' ', '\t':
			if len(s.space) < 64 {
				s.space = append(s.space, c)
			}
		case '\r', 0x1e:
		default:
			return c, true
		}
		s.pos++
	}
	return 0, false
}

// endLine goes to the end of the line; false is the end of the input.
func (s *jsonScan) endLine() bool {
	for s.fill() {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i
			return true
		}
		s.pos = s.end
	}
	return false
}

// unread puts bytes back before the place of reading.
func (s *jsonScan) unread(tail []byte) {
	s.line -= bytes.Count(tail, []byte{'\n'})
	rest := s.buf[s.pos:s.end]
	if len(tail) <= s.pos {
		s.pos -= len(tail)
		copy(s.buf[s.pos:], tail)
		return
	}
	all := make([]byte, len(tail)+len(rest), max(len(tail)+len(rest), 64<<10))
	copy(all, tail)
	copy(all[len(tail):], rest)
	s.buf, s.pos, s.end = all[:cap(all)], 0, len(all)
}

// value appends the value that begins at the place of reading to dst and
// returns it. It only counts brackets and heeds strings; whether the value is
// right is for a parser to say. A value beyond limit bytes is passed over, and
// long says so. A value that the end of the input cuts off is returned as far
// as it goes, with cut. Where no value begins, dst comes back as it is.
func (s *jsonScan) value(dst []byte, limit int) (raw []byte, long, cut bool) {
	room := len(dst) + limit
	var in nesting
	for s.fill() {
		chunk := s.buf[s.pos:s.end]
		n, done := in.follow(chunk)
		s.line += bytes.Count(chunk[:n], []byte{'\n'})
		if long = long || len(dst)+n > room; !long {
			dst = append(dst, chunk[:n]...)
		}
		s.pos += n
		if done {
			return dst, long, false
		}
	}
	return dst, long, in.depth > 0 || in.quoted
}

// nesting is where in a value the reader is.
type nesting struct {
	depth           int
	quoted, escaped bool
}

// follow goes through b to the end of the value, if it lies there, and returns
// how many bytes belong to it.
func (in *nesting) follow(b []byte) (n int, done bool) {
	for i, c := range b {
		switch {
		case in.escaped:
			in.escaped = false
		case in.quoted:
			in.escaped = c == '\\'
			if in.quoted = c != '"'; !in.quoted && in.depth == 0 {
				return i + 1, true
			}
		case c == '"':
			in.quoted = true
		case c == '{' || c == '[':
			in.depth++
		case c == '}' || c == ']':
			if in.depth == 0 {
				return i, true
			}
			if in.depth--; in.depth == 0 {
				return i + 1, true
			}
		case in.depth == 0 && (c == ',' || c == ':' || c <= ' '):
			return i, true
		}
	}
	return len(b), false
}
