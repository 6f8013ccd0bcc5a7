package pages

import (
	"unicode/utf8"

	"github.com/assay-register/assay/templates"
)

// escapes are what stands for a byte that means something in markup.
var escapes = [128]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;"}

// plain are the bytes that text shows as they are.
var plain = func() (plain [256]bool) {
	for c := range escapes {
		control := c < ' ' && c != '\t' && c != '\n' || c == 0x7f
		plain[c] = escapes[c] == "" && !control
	}
	return plain
}()

// appendEscaped appends text so that it is text inside an element and inside a
// quoted attribute alike. Control characters, which HTML forbids and of which
// NUL is our own mark, are left out.
func appendEscaped(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if plain[c] {
			continue
		}
		instead, n := "", 1
		if c < utf8.RuneSelf {
			instead = escapes[c]
		} else {
			var r rune
			if r, n = utf8.DecodeRuneInString(s[i:]); n > 1 && isText(r) {
				i += n - 1
				continue
			}
			instead = "\uFFFD"
		}
		b = append(append(b, s[from:i]...), instead...)
		from = i + n
		i += n - 1
	}
	return append(b, s[from:]...)
}

// isText tells that HTML allows a character beyond ASCII: it is no control
// character and no noncharacter.
func isText(r rune) bool {
	return r >= 0xa0 && (r < 0xfdd0 || r > 0xfdef) && r&0xfffe != 0xfffe
}

// clip shortens text to n characters at most, on one line.
func clip(s string, n int) string { return templates.Clip(s, n) }
