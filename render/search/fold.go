package search

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s as it is compared and indexed: compatibility forms, case,
// accents and white space no longer differ, invisible characters and invalid
// bytes are gone. The script stays: Greek remains Greek, without accents.
// Folding twice changes nothing.
func Fold(s string) string {
	if isFoldedASCII(s) {
		return s
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	f := folder{out: (*buf)[:0], table: alphabets()}
	f.text(s)
	*buf = f.out
	if f.compose {
		return norm.NFC.String(string(f.out))
	}
	return string(f.out)
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// isFoldedASCII finds the texts that need no work, without allocating.
func isFoldedASCII(s string) bool {
	previous := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || asciiFold[c] != c || c == ' ' && previous == ' ' {
			return false
		}
		previous = c
	}
	return s == "" || previous != ' '
}

// folder collects one folded text.
type folder struct {
	out     []byte
	table   *[tableEnd][]rune
	space   bool // white space was seen since the last character
	compose bool // out holds decomposed characters that belong together
}

func (f *folder) text(s string) {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i += f.ascii(s[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError || size > 1 { // else an invalid byte
			f.rune(r)
		}
		i += size
	}
}

// ascii takes the ASCII characters at the beginning of a text and returns how
// many there are.
func (f *folder) ascii(s string) int {
	out, space := f.out, f.space
	n := 0
	for ; n < len(s) && s[n] < utf8.RuneSelf; n++ {
		switch c := asciiFold[s[n]]; c {
		case 0:
		case ' ':
			space = true
		default:
			if space && len(out) > 0 {
				out = append(out, ' ')
			}
			space = false
			out = append(out, c)
		}
	}
	f.out, f.space = out, space
	return n
}

func (f *folder) rune(r rune) {
	switch {
	case r < tableEnd:
		f.folded(f.table[r])
	case isIdeographOrSyllable(r):
		f.gap()
		f.out = utf8.AppendRune(f.out, r)
	default:
		f.folded(foldRune(r))
	}
}

// folded appends the folding of one character.
func (f *folder) folded(chars []rune) {
	for _, r := range chars {
		if r == ' ' {
			f.space = true
			continue
		}
		f.gap()
		f.out = utf8.AppendRune(f.out, r)
		f.compose = f.compose || isPart(r)
	}
}

// gap writes the single space that stands for all white space seen, except at
// the beginning. At the end nothing calls it, so the text is trimmed.
func (f *folder) gap() {
	if f.space && len(f.out) > 0 {
		f.out = append(f.out, ' ')
	}
	f.space = false
}

// isIdeographOrSyllable reports whether r is one of the many characters that
// fold to themselves; they would be slow to look up.
func isIdeographOrSyllable(r rune) bool {
	return 0x3400 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3
}

// isPart reports whether r may have been split off a character and must be put
// back: a mark that was kept, or a piece of a Korean syllable.
func isPart(r rune) bool {
	return unicode.IsMark(r) || 0x1100 <= r && r <= 0x11FF
}
