package translit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
)

// ASCIIFor transliterates s, in the language of a BCP 47 tag, into plain ASCII; ASCII
// characters pass unchanged. The language only matters for Cyrillic text; with an empty or
// unrelated tag it is guessed from the letters.
func ASCIIFor(s, lang string) string {
	if isASCII(s) {
		return s
	}
	// NFKC first: half-width and ligature forms become ordinary letters and
	// Hangul stays in syllables, which is what the tables expect.
	text := []rune(norm.NFKC.String(strings.ToValidUTF8(s, "")))
	w := writer{cyrillic: cyrillicFor(text, lang)}
	for i := 0; i < len(text); {
		i += w.step(text[i:])
	}
	return strings.TrimSpace(w.out.String())
}

// writer collects the transliteration of one text.
type writer struct {
	out      strings.Builder
	cyrillic *cyrillicTable
}

// step transliterates the word or character at the start of text and returns
// how many characters it used.
func (w *writer) step(text []rune) int {
	switch {
	case unicode.Is(unicode.Cyrillic, text[0]):
		n := wordLen(text, unicode.Cyrillic)
		w.cyrillic.word(&w.out, text[:n])
		return n
	case unicode.Is(unicode.Greek, text[0]):
		n := wordLen(text, unicode.Greek)
		greekWord(&w.out, text[:n])
		return n
	default:
		w.out.WriteString(char(text[0]))
		return 1
	}
}

// wordLen returns the length of the word of one script at the start of text.
// Accents and apostrophes inside the word belong to it.
func wordLen(text []rune, script *unicode.RangeTable) int {
	n := 0
	for i, r := range text {
		switch {
		case unicode.Is(script, r):
			n = i + 1
		case unicode.Is(unicode.Mn, r) || isApostrophe(r):
		default:
			return n
		}
	}
	return n
}

func isApostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == 'ʼ'
}

// char transliterates one character without looking at its neighbours.
func char(r rune) string {
	if r < utf8.RuneSelf {
		return string(r)
	}
	if lat, ok := latinLetters[unicode.ToLower(r)]; ok {
		return withCase(lat, unicode.IsUpper(r), false)
	}
	if base := baseLetter(r); base < utf8.RuneSelf {
		return string(base)
	}
	return decode(r)
}

// decode asks unidecode. It marks sounds that English lacks with quotes and
// signs; inside a word they would tear it apart, so only letters and digits
// survive there.
func decode(r rune) string {
	ascii := unidecode.Unidecode(string(r))
	if !unicode.IsLetter(r) && !unicode.IsMark(r) {
		return ascii
	}
	return strings.Map(func(c rune) rune {
		if c == ' ' || isAlnum(byte(c)) {
			return c
		}
		return -1
	}, ascii)
}

// baseLetter returns r without its accents.
func baseLetter(r rune) rune {
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	return base
}

// withCase gives the Latin spelling of one letter the case of that letter. A
// letter that becomes several ones, such as Щ, is Shch in a word and SHCH in an
// all-capital word.
func withCase(lat string, upper, allCaps bool) string {
	switch {
	case !upper || lat == "":
		return lat
	case allCaps:
		return strings.ToUpper(lat)
	default:
		return strings.ToUpper(lat[:1]) + lat[1:]
	}
}

// allCaps reports whether a word of several letters has no lower-case one.
func allCaps(word []rune) bool {
	letters := 0
	for _, r := range word {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			letters++
		}
	}
	return letters > 1
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
