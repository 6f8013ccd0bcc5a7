package badge

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/oneline"
)

// clean makes a text fit for one line of XML 1.0: whitespace becomes single
// spaces, and what XML forbids (section 2.2, Char) becomes U+FFFD. Most texts
// are clean and come back as they are.
func clean(s string) string {
	if oneline.Is(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		case r == 0xfeff: // a byte order mark is no text
			return -1
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff:
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " "))
}

// appendEscaped writes a clean text as XML character data or as the value of
// an attribute in double quotes.
func appendEscaped(b []byte, s string) []byte {
	last := 0
	for i := 0; i < len(s); i++ {
		var e string
		switch s[i] {
		case '&':
			e = "&amp;"
		case '<':
			e = "&lt;"
		case '>':
			e = "&gt;"
		case '"':
			e = "&quot;"
		case '\'':
			e = "&#39;"
		default:
			continue
		}
		b = append(append(b, s[last:i]...), e...)
		last = i + 1
	}
	return append(b, s[last:]...)
}
