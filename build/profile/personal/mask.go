package personal

import (
	"strings"
	"unicode"
)

// run is the most letters of a masked word: longer words look alike.
const run = 4

// Mask returns the shape of a text: capitals as X, other letters as x, digits
// as #, at most four letters of a word. Spaces and ASCII punctuation stay,
// anything else becomes *. Nothing of the value can be got back.
func Mask(s string) string {
	var b strings.Builder
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsMark(r):
			continue
		case unicode.IsLetter(r):
			if letters++; letters > run {
				continue
			}
			if unicode.IsUpper(r) {
				b.WriteByte('X')
			} else {
				b.WriteByte('x')
			}
			continue
		case unicode.IsDigit(r) || unicode.IsNumber(r):
			b.WriteByte('#')
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case r < 0x80 && unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteByte('*')
		}
		letters = 0
	}
	return b.String()
}

// Redact masks what is personal within a text that is shown: addresses of
// e-mail, accounts, international telephone numbers, national identity numbers
// with a check digit.
func Redact(s string) string {
	s = emailForm.ReplaceAllStringFunc(s, Mask)
	s = ibanForm.ReplaceAllStringFunc(s, account)
	s = callForm.ReplaceAllStringFunc(s, Mask)
	return wordForm.ReplaceAllStringFunc(s, func(m string) string {
		if len(m) >= 9 && nationalID(m, true) >= 0 {
			return Mask(m)
		}
		return m
	})
}

// account masks an account number. Words in capitals may follow it, so that
// shorter parts are tried too.
func account(m string) string {
	for end := len(m); end > 0; end = strings.LastIndexByte(m[:end], ' ') {
		if isIBAN(m[:end]) {
			return Mask(m[:end]) + m[end:]
		}
	}
	return m
}
