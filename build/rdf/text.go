package rdf

import (
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a literal's text between single quotes of the kind that comes
// next.
func (s *scanner) quoted() (string, error) {
	quote := s.at(0)
	stop := quoted[quote]
	n := s.span(1, stop)
	escaped := false
	for s.pos+n < s.end && s.buf[s.pos+n] == '\\' {
		escaped = true
		s.ended(n + 1)
		n = s.span(min(n+2, s.end-s.pos), stop)
	}
	switch {
	case s.pos+n >= s.end:
		return "", s.unclosed("literal")
	case s.buf[s.pos+n] != quote:
		return "", s.fault("a line break within a literal")
	}
	return s.textOf(1, n, 1, escaped)
}

// longQuoted reads a literal's text between triple quotes.
func (s *scanner) longQuoted() (string, error) {
	quote := s.at(0)
	stop := longQuoted[quote]
	escaped := false
	for n := s.span(3, stop); ; n = s.span(n, stop) {
		switch {
		case s.ended(n):
			return "", s.unclosed("literal")
		case s.at(n) == '\\':
			escaped = true
			if s.ended(n + 1) {
				return "", s.unclosed("literal")
			}
			n += 2
		case s.at(n+1) == quote && s.at(n+2) == quote:
			return s.textOf(3, n, 3, escaped)
		default:
			n++
		}
	}
}

// textOf takes the text from one place to another and what closes it.
func (s *scanner) textOf(from, to, closing int, escaped bool) (string, error) {
	raw := s.ahead(to)[from:]
	if !utf8.Valid(raw) {
		if err := s.repaired("the literal is not UTF-8"); err != nil {
			return "", err
		}
	}
	var text string
	var err error
	if escaped {
		text, err = s.unescape(raw, true)
	} else {
		text = string(raw)
	}
	if err == nil {
		s.pos += to + closing
	}
	return text, err
}

// escapes are the characters that stand behind a backslash in a literal.
var escapes = [256]byte{'t': '\t', 'b': '\b', 'n': '\n', 'r': '\r', 'f': '\f', '"': '"', '\'': '\'', '\\': '\\'}

// unescape replaces the escapes in a literal, or in an IRI, which has only
// those by number.
func (s *scanner) unescape(raw []byte, literal bool) (string, error) {
	out := s.tmp[:0]
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c != '\\':
			out = append(out, c)
			i++
		case i+1 < len(raw) && literal && escapes[raw[i+1]] != 0:
			out = append(out, escapes[raw[i+1]])
			i += 2
		default:
			r, size, err := s.codePoint(raw[i:])
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
			i += size
		}
	}
	s.tmp = out
	return string(out), nil
}

// codePoint reads an escape by number. A pair of surrogates, which some
// programs write, is repaired.
func (s *scanner) codePoint(b []byte) (rune, int, error) {
	r, size := number(b)
	if size == 0 {
		return 0, 0, s.fault(`%q is no escape`, clip(string(b[:min(len(b), 10)])))
	}
	if utf8.ValidRune(r) {
		return r, size, nil
	}
	low, more := number(b[size:])
	if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError && more > 0 {
		return pair, size + more, s.repaired("a surrogate pair stands for a character")
	}
	return utf8.RuneError, size, s.repaired("the escape %s is no character", b[:size])
}

// number reads \uXXXX or \UXXXXXXXX; the size is 0 when it is neither.
func number(b []byte) (r rune, size int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 0
	}
	switch b[1] {
	case 'u':
		size = 6
	case 'U':
		size = 10
	}
	if size == 0 || len(b) < size {
		return 0, 0
	}
	var v uint32
	for _, c := range b[2:size] {
		if !isHex(c) {
			return 0, 0
		}
		digit := uint32(c | 0x20)
		if isDigit(c) {
			digit = uint32(c - '0')
		} else {
			digit -= 'a' - 10
		}
		v = v<<4 | digit
	}
	return rune(min(v, utf8.MaxRune+1)), size
}
