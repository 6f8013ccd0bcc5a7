package templates

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// sink collects what a component writes.
type sink struct{ b []byte }

func (s *sink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

func (s *sink) WriteString(p string) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

// Append renders a component behind what is in b. Control characters, which HTML
// forbids, are left out of it, and what is no character becomes U+FFFD.
func Append(b []byte, c templ.Component) ([]byte, error) {
	from := len(b)
	s := sink{b}
	if err := c.Render(context.Background(), &s); err != nil {
		return b, err
	}
	return clean(s.b, from), nil
}

// Value is the value of an expression in a component. The library's own function for it goes through
// fmt, which takes a fifth of the time of a page.
func Value[T ~string](s T, errs ...error) (string, error) { return string(s), errors.Join(errs...) }

// clean removes from b, from a place on, what HTML forbids.
func clean(b []byte, from int) []byte {
	at := from + forbidden(b[from:])
	if at == len(b) {
		return b
	}
	rest := bytes.Clone(b[at:])
	b = b[:at]
	for len(rest) > 0 {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r < utf8.RuneSelf && control(byte(r)):
		case r >= utf8.RuneSelf && !isText(r, n):
			b = append(b, "\uFFFD"...)
		default:
			b = append(b, rest[:n]...)
		}
		rest = rest[n:]
	}
	return b
}

// forbidden is the place of the first character that HTML forbids, the length for none.
func forbidden(b []byte) int {
	for i := 0; i < len(b); i++ {
		for i+8 <= len(b) && plain(binary.LittleEndian.Uint64(b[i:])) {
			i += 8
		}
		if i == len(b) {
			break
		}
		c := b[i]
		if c < utf8.RuneSelf {
			if control(c) {
				return i
			}
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if !isText(r, n) {
			return i
		}
		i += n - 1
	}
	return len(b)
}

// plain tells that none of eight bytes is below a space, DEL or beyond ASCII: the sign of a byte is set by
// the subtraction where it is below, or equal to what the word was made zero with.
func plain(word uint64) bool {
	const ones = 0x0101010101010101
	del := word ^ 0x7f*ones
	return (word|(word-' '*ones)|(del-ones)&^del)&(0x80*ones) == 0
}

func control(c byte) bool { return c < ' ' && c != '\t' && c != '\n' || c == 0x7f }

// isText tells that HTML allows a character of n bytes beyond ASCII: it is no control
// character and no noncharacter.
func isText(r rune, n int) bool {
	return n > 1 && r >= 0xa0 && (r < 0xfdd0 || r > 0xfdef) && r&0xfffe != 0xfffe
}

// Shorten puts text on one line and cuts it to n characters, of which the last
// is left to an ellipsis if there are more.
func Shorten(s string, n int) (line string, cut bool) {
	if len(s) <= n && IsLine(s) {
		return s, false
	}
	if !spaced(s) {
		s = strings.Join(strings.Fields(s), " ")
	}
	last, count := 0, 0
	for i := range s {
		switch count {
		case n - 1:
			last = i
		case n:
			return strings.TrimSpace(s[:last]), true
		}
		count++
	}
	return s, false
}

// IsLine tells that text is one line without wide gaps.
func IsLine(s string) bool {
	return strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 && strings.IndexByte(s, '\t') < 0 && !strings.Contains(s, "  ")
}

// spaced tells that single spaces part the words of a text, and nothing else.
func spaced(s string) bool {
	before := ' '
	for _, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || before == ' ') {
			return false
		}
		before = r
	}
	return before != ' '
}

// Turned tells that text holds a character of a script that runs from right to left, so that its direction may be
// another than that of the page: Unicode keeps these ranges for such scripts (UAX #9, table 4 and DerivedBidiClass.txt).
func Turned(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= firstTurned {
			return strings.ContainsFunc(s[i:], rightToLeft)
		}
	}
	return false
}

// firstTurned is the least byte with which such a character begins in UTF-8.
const firstTurned = 0xd6

func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// span is how many columns a cell takes, as the value of an attribute.
func span(n int) string { return strconv.Itoa(n) }
