package search

import (
	"strings"
	"sync"
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
type Speller struct {
	// known are the spellings of words, each behind its word and, where it may
	// decide the spelling, a zero byte and the language.
	known    map[string]spelling
	key, out []byte
}

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
	if !isLatin(word) {
		s.key = append(append(append(s.key[:0], word...), 0), lang...)
		w, ok := s.known[string(s.key)]
		if !ok {
			w = s.learn(string(s.key), word, lang)
		}
		return w.term, w.other
	}
	w, ok := s.known[word]
	if !ok {
		w = s.learn(strings.Clone(word), word, lang)
	}
	return w.term, w.other
}

func (s *Speller) learn(key, word, lang string) (w spelling) {
	if s.known == nil {
		s.known = map[string]spelling{}
	} else if len(s.known) >= knownMax {
		clear(s.known)
	}
	w.term, w.other = terms(word, lang)
	s.known[key] = w
	return w
}

// isLatin tells whether a word has no letter of Greek or of a script behind it.
func isLatin(word string) bool {
	for i := range len(word) {
		if word[i] >= 0xCD { // the first byte of Greek, in UTF-8; Cyrillic follows
			return false
		}
	}
	return true
}

type runKind int

const (
	gapRun runKind = iota
	wordRun
	ideographRun
)

// asciiKind are the kinds of the ASCII characters.
var asciiKind = func() (kinds [utf8.RuneSelf]runKind) {
	for c := range byte(utf8.RuneSelf) {
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			kinds[c] = wordRun
		}
	}
	return kinds
}()

// run finds where the run of one kind of characters ends that begins at start.
func run(text string, start int) (end int, kind runKind) {
	kind, size := kindAt(text, start)
	for i := start + size; i < len(text); i += size {
		if c := text[i]; c < utf8.RuneSelf {
			if asciiKind[c] != kind {
				return i, kind
			}
			size = 1
			continue
		}
		var k runKind
		if k, size = kindAt(text, i); k != kind && !(kind == wordRun && k == gapRun && joins(text, i)) {
			return i, kind
		}
	}
	return len(text), kind
}

// firstIdeograph is the first character of Chinese and Japanese.
const firstIdeograph = 0x2E80

func kindAt(text string, i int) (runKind, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return asciiKind[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case r >= firstIdeograph && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
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
	s := spellers.Get().(*Speller)
	defer spellers.Put(s)
	return string(s.joined(text, lang))
}

var spellers = sync.Pool{New: func() any { return &Speller{} }}

// joined is the Key of a text; it is valid until the next call.
func (s *Speller) joined(text, lang string) []byte {
	out := s.out[:0]
	s.Words(text, lang, func(w Word) {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, w.Term...)
	})
	s.out = out
	return out
}
