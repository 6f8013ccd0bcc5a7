// Package oneline tells which texts are one clean line already. The formats
// clean texts in different ways, but all of them leave such a text as it is,
// and most texts of a register are.
package oneline

import "unicode"

// Is tells whether a text is valid UTF-8 with single spaces between its words,
// none at its ends, and no other white space, control or noncharacter. It may
// say no of a text that has characters which only look suspicious.
func Is(s string) bool {
	space := true // none may stand at the beginning
	for _, r := range s {
		switch {
		case r > ' ' && r < 0x7f:
			space = false
		case r == ' ' && !space:
			space = true
		case isOdd(r):
			return false
		default:
			space = false
		}
	}
	return s == "" || !space
}

// isOdd tells whether a character beside visible ASCII may be white space, a
// control or not text at all; U+FFFD also stands for a byte that is none.
func isOdd(r rune) bool {
	return r <= 0xa0 || r >= 0x1680 && unicode.IsSpace(r) || r == 0xfeff || r >= 0xfffd && r <= 0xffff
}
