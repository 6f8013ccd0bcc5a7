package translit

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// greekLetters is the ELOT 743 transcription of single letters.
var greekLetters = map[rune]string{
	'α': "a", 'β': "v", 'γ': "g", 'δ': "d", 'ε': "e", 'ζ': "z", 'η': "i", 'θ': "th",
	'ι': "i", 'κ': "k", 'λ': "l", 'μ': "m", 'ν': "n", 'ξ': "x", 'ο': "o", 'π': "p",
	'ρ': "r", 'σ': "s", 'ς': "s", 'τ': "t", 'υ': "y", 'φ': "f", 'χ': "ch", 'ψ': "ps",
	'ω': "o",
}

// greekNasals are the pairs in which γ sounds like n.
var greekNasals = map[rune]string{'γ': "ng", 'ξ': "nx", 'χ': "nch"}

// greekLetter is a letter with the accents that decide how it is read.
type greekLetter struct {
	base      rune // lower case, bare
	upper     bool
	accent    bool
	diaeresis bool
}

// greekWord writes one word. The pairs αι, ει, οι and υι need no rule: their
// letters give ai, ei, oi and yi one by one.
func greekWord(out *strings.Builder, word []rune) {
	letters, caps := greekDecompose(word), allCaps(word)
	for i := 0; i < len(letters); {
		lat, n := greekSpelling(letters, i)
		out.WriteString(withCase(lat, letters[i].upper, caps))
		i += n
	}
}

// greekSpelling returns the spelling at position i and how many letters it covers.
func greekSpelling(letters []greekLetter, i int) (lat string, n int) {
	cur := letters[i]
	if i+1 < len(letters) {
		next := letters[i+1]
		switch {
		case next.base == 'υ' && !next.diaeresis && !cur.accent:
			if lat, ok := greekUpsilonPair(letters, i); ok {
				return lat, 2
			}
		case cur.base == 'γ' && greekNasals[next.base] != "":
			return greekNasals[next.base], 2
		case cur.base == 'μ' && next.base == 'π' && (i == 0 || i+2 == len(letters)):
			return "b", 2
		}
	}
	if lat, ok := greekLetters[cur.base]; ok {
		return lat, 1
	}
	return decode(cur.base), 1
}

// greekUpsilonPair spells ου, αυ, ευ and ηυ. The υ of the last three is v, but
// f before a voiceless consonant and at the end of the word.
func greekUpsilonPair(letters []greekLetter, i int) (lat string, ok bool) {
	switch letters[i].base {
	case 'ο':
		return "ou", true
	case 'α', 'ε', 'η':
		consonant := "v"
		if i+2 == len(letters) || strings.ContainsRune("θκξπσςτφχψ", letters[i+2].base) {
			consonant = "f"
		}
		return greekLetters[letters[i].base] + consonant, true
	default:
		return "", false
	}
}

// greekDecompose splits a word into letters and their accents. An apostrophe
// marks an elision and is not written.
func greekDecompose(word []rune) []greekLetter {
	var letters []greekLetter
	for _, r := range norm.NFD.String(string(word)) {
		switch {
		case unicode.IsLetter(r) && !isApostrophe(r):
			letters = append(letters, greekLetter{base: unicode.ToLower(r), upper: unicode.IsUpper(r)})
		case len(letters) == 0:
		case r == '\u0308':
			letters[len(letters)-1].diaeresis = true
		case r == '\u0300' || r == '\u0301' || r == '\u0342':
			letters[len(letters)-1].accent = true
		}
	}
	return letters
}
