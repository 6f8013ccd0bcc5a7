package catalog

import (
	"strings"
	"unicode/utf8"
)

// CheckText refuses text that is too long, not UTF-8, or holds characters that
// hide or reorder others: controls other than tab and line feed, which no store
// and no format of the register carries unchanged, and the embeddings,
// overrides and isolates of bidirectional text (UAX #9), by which a name reads
// as another one.
func CheckText(field, s string, limit int) error {
	if len(s) > limit {
		return &FieldError{field, s, "shorten the text"}
	}
	if !utf8.ValidString(s) {
		return &FieldError{field, strings.ToValidUTF8(s, "?"), "encode the text as UTF-8"}
	}
	if disguised(s) {
		return &FieldError{field, Plain(s), "remove the control characters and bidirectional overrides"}
	}
	return nil
}

// disguised tells whether valid UTF-8 holds a character that CheckText refuses.
func disguised(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= ' ' && c < 0x7f, c == '\n', c == '\t':
		case c < ' ', c == 0x7f:
			return true
		case c == 0xc2 && s[i+1] <= 0x9f: // U+0080 to U+009F
			return true
		case c == 0xe2 && (s[i+1] == 0x80 || s[i+1] == 0x81):
			if r, _ := utf8.DecodeRuneInString(s[i:]); reorders(r) {
				return true
			}
		}
	}
	return false
}

// reorders tells whether a character embeds, overrides or isolates a direction.
// The marks U+200E and U+200F only lean on their neighbours and stay.
func reorders(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Plain is a text without the characters that CheckText refuses.
func Plain(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "?")
	}
	if !disguised(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || reorders(r) {
			return -1
		}
		return r
	}, s)
}
