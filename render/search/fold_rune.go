package search

import (
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tableEnd is the first character after the alphabets and the general
// punctuation, whose foldings are computed once. That takes milliseconds, so it
// waits for the first text that needs it.
const tableEnd = 0x2100

var alphabets = sync.OnceValue(func() *[tableEnd][]rune {
	var table [tableEnd][]rune
	for r := range table {
		table[r] = foldRune(rune(r))
	}
	return &table
})

// asciiFold holds the folding of each ASCII character, 0 for those that vanish.
var asciiFold = func() (table [0x80]byte) {
	for c := range table {
		if folded := foldRune(rune(c)); len(folded) == 1 {
			table[c] = byte(folded[0])
		}
	}
	return table
}()

// letters are folded by spelling, because decomposition does not reach them.
// Keys are lower case. Typographic quotes and dashes fold too: publishers write
// the same name with either.
var letters = map[rune]string{
	'ß': "ss",
	'ς': "σ",
	'ł': "l",
	'ø': "o",
	'æ': "ae",
	'œ': "oe",
	'đ': "d",
	'ð': "d",
	'þ': "th",
	'ı': "i",
	'ħ': "h",
	'ŧ': "t",
	'ŋ': "n",
	'ĸ': "k",
	'‘': "'", '’': "'", '‛': "'", 'ʼ': "'",
	'“': `"`, '”': `"`, '„': `"`,
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '−': "-",
}

// foldRune folds one character: decompose, drop accents, lower, spell out.
func foldRune(r rune) []rune {
	var folded []rune
	for _, part := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.IsSpace(part):
			folded = append(folded, ' ')
		case unicode.In(part, unicode.Cc, unicode.Cf) || isAccent(part):
		default:
			folded = append(folded, lower(part)...)
		}
	}
	return folded
}

func lower(r rune) []rune {
	r = unicode.ToLower(r)
	if spelled, ok := letters[r]; ok {
		return []rune(spelled)
	}
	return []rune{r}
}

// isAccent reports whether a mark only modifies the letter below it. In Indic,
// Thai and similar scripts marks are the vowels, and the Japanese voicing marks
// tell different sounds apart: those stay.
func isAccent(r rune) bool {
	if !unicode.In(r, unicode.Mn, unicode.Me) || r == '\u3099' || r == '\u309A' {
		return false
	}
	return unicode.In(r, unicode.Inherited, unicode.Arabic, unicode.Hebrew, unicode.Cyrillic, unicode.Greek)
}
