package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/translit"
)

// termMax bounds a term in bytes; longer words are cut, on both sides alike.
const termMax = 40

// Word is one word of a text: where it lies and as what it is indexed.
type Word struct {
	// Start and End are byte offsets into the text.
	Start, End int
	// Term is the folded word in ASCII where its script is Latin, Greek or
	// Cyrillic, so that one spelling finds all; other scripts stay.
	Term string
	// Other is the romanisation by the standard of the text's language where
	// it differs from Term, else "".
	Other string
}

// Words calls do for each word of a text in a language, a BCP 47 tag or "".
// A run of Chinese or Japanese characters gives its overlapping pairs.
func Words(text, lang string, do func(Word)) {
	var s Speller
	s.Words(text, lang, do)
}

// Speller is [Words] with a memory for the words that it met, for many texts
// one after the other. It is not safe for concurrent use.
type Speller struct{ known map[wordKey]spelling }

// wordKey is a word and, where it may decide the spelling, the language.
type wordKey struct{ word, lang string }

type spelling struct{ term, other string }

// knownMax bounds the remembered words.
const knownMax = 1 << 15

// Words calls do for each word of a text, as the function Words does.
func (s *Speller) Words(text, lang string, do func(Word)) {
	for start := 0; start < len(text); {
		end, kind := run(text, start)
		switch kind {
		case wordRun:
			w := Word{Start: start, End: end}
			if w.Term, w.Other = s.spell(text[start:end], lang); w.Term != "" {
				do(w)
			}
		case ideographRun:
			pairs(text, start, end, do)
		}
		start = end
	}
}

// spell looks a word up or spells it.
func (s *Speller) spell(word, lang string) (term, other string) {
	if isTerm(word) {
		return cutAt(word, termMax), ""
	}
	key := keyOf(word, lang)
	w, ok := s.known[key]
	if !ok {
		if s.known == nil || len(s.known) >= knownMax {
			s.known = map[wordKey]spelling{}
		}
		w.term, w.other = terms(word, lang)
		key.word = strings.Clone(key.word)
		s.known[key] = w
	}
	return w.term, w.other
}

// keyOf leaves out the language of a word in Latin letters.
func keyOf(word, lang string) wordKey {
	for i := range len(word) {
		if word[i] >= 0xCD { // the first byte of Greek, in UTF-8; Cyrillic follows
			return wordKey{word, lang}
		}
	}
	return wordKey{word: word}
}

type runKind int

const (
	gapRun runKind = iota
	wordRun
	ideographRun
)

// run finds where the run of one kind of characters ends that begins at start.
func run(text string, start int) (end int, kind runKind) {
	kind = gapRun
	for i := start; i < len(text); {
		k, size := kindAt(text, i)
		if i == start {
			kind = k
		} else if k != kind && !(kind == wordRun && k == gapRun && joins(text, i)) {
			return i, kind
		}
		i += size
	}
	return len(text), kind
}

func kindAt(text string, i int) (runKind, int) {
	if c := text[i]; c < utf8.RuneSelf {
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			return wordRun, 1
		}
		return gapRun, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return ideographRun, size
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
		return wordRun, size
	}
	return gapRun, size
}

// joins tells whether the character at i is invisible and stands inside a
// word, such as a soft hyphen.
func joins(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r)
}

// pairs gives the overlapping pairs of a run, or its only character.
func pairs(text string, start, end int, do func(Word)) {
	_, first := utf8.DecodeRuneInString(text[start:])
	if start+first >= end {
		do(Word{Start: start, End: end, Term: Fold(text[start:end])})
		return
	}
	for i := start; i < end; {
		_, a := utf8.DecodeRuneInString(text[i:])
		if i+a >= end {
			return
		}
		_, b := utf8.DecodeRuneInString(text[i+a:])
		do(Word{Start: i, End: i + a + b, Term: Fold(text[i : i+a+b])})
		i += a
	}
}

// terms are what a word is indexed as. Greek and Cyrillic words are written in
// Latin letters twice: by one fixed table from the folded word, which any query
// in that script meets, and by the standard of the text's language, which a
// reader who types Latin letters knows.
func terms(word, lang string) (term, other string) {
	term = Fold(word)
	if !isASCII(term) && hasScript(term) {
		native := term
		term = latin(native, "ru")
		if lang != "" || unicode.In(firstRune(native), unicode.Greek) {
			other = shorten(latin(word, lang))
		}
	}
	term = shorten(term)
	if other == term {
		other = ""
	}
	return term, other
}

func latin(word, lang string) string { return strings.ToLower(translit.ASCIIFor(word, lang)) }

// shorten keeps the letters, digits and marks of a folded word, at most
// termMax bytes of them.
func shorten(term string) string {
	if isTerm(term) {
		return cutAt(term, termMax)
	}
	return cutAt(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, term), termMax)
}

func isTerm(s string) bool {
	for i := range len(s) {
		if c := s[i]; !('a' <= c && c <= 'z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

func cutAt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func hasScript(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf && unicode.In(r, unicode.Greek, unicode.Cyrillic)
	})
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// Key is a text as titles and completions are compared: its terms, joined by a
// space.
func Key(text, lang string) string {
	var out []byte
	Words(text, lang, func(w Word) {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, w.Term...)
	})
	return string(out)
}
