package rdf

import "unicode/utf8"

// set is a set of bytes.
func set(chars string, control bool) *[256]bool {
	var s [256]bool
	for i := 0; i < len(chars); i++ {
		s[chars[i]] = true
	}
	for c := 0; control && c <= 0x20; c++ {
		s[c] = true
	}
	return &s
}

// outside is the complement of set.
func outside(chars string) *[256]bool {
	s := set(chars, false)
	for c := range s {
		s[c] = !s[c]
	}
	return s
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
)

var (
	// badIRI are the characters that no IRI has (Turtle, IRIREF).
	badIRI  = set("<>\"{}|^`\\", true)
	endIRI  = set(">\n\r", false)
	endLine = set("\n\r", false)
	// quoted, once for each quote: where a short literal stops being plain.
	quoted     = map[byte]*[256]bool{'"': set("\"\\\n\r", false), '\'': set("'\\\n\r", false)}
	longQuoted = map[byte]*[256]bool{'"': set("\"\\", false), '\'': set("'\\", false)}
	afterTag   = outside(lower + upper + digits + "-_")
	afterDigit = outside(digits)
	// afterName ends a run of characters that names have; those beyond ASCII
	// are looked at afterwards.
	afterName = nameStop("_-.:")
	afterWord = nameStop("_-.")
)

func nameStop(extra string) *[256]bool {
	s := outside(lower + upper + digits + extra)
	for c := 0x80; c < 256; c++ {
		s[c] = false
	}
	return s
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// baseChar is PN_CHARS_BASE of Turtle.
func baseChar(r rune) bool {
	switch {
	case r < 0x80:
		return isAlpha(byte(r))
	case r < 0x300:
		return r >= 0xc0 && r != 0xd7 && r != 0xf7
	case r < 0x2000:
		return r >= 0x370 && r != 0x37e
	}
	return r == 0x200c || r == 0x200d || r >= 0x2070 && r <= 0x218f || r >= 0x2c00 && r <= 0x2fef ||
		r >= 0x3001 && r <= 0xd7ff || r >= 0xf900 && r <= 0xfdcf || r >= 0xfdf0 && r <= 0xfffd || r >= 0x10000 && r <= 0xeffff
}

// nameChar is PN_CHARS of Turtle.
func nameChar(r rune) bool {
	return baseChar(r) || r == '_' || r == '-' || r >= '0' && r <= '9' || r == 0xb7 || r >= 0x300 && r <= 0x36f || r == 0x203f || r == 0x2040
}

// nameEnd is how many of the bytes, all of them seen by afterName or afterWord,
// are name characters, dots or colons, dots at the end left out. It is 0 when
// the first one may not begin a name.
func nameEnd(b []byte, first func(rune) bool) int {
	n := 0
	for n < len(b) {
		r, size := rune(b[n]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[n:])
		}
		ok := first(r)
		if n > 0 {
			ok = nameChar(r) || r == '.' || r == ':'
		}
		if !ok || r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	for n > 0 && b[n-1] == '.' {
		n--
	}
	return n
}
