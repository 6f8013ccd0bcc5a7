package okf

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/oneline"
)

// clean makes text valid UTF-8 without control characters, so that any reader
// of YAML and markdown takes it. Tabs and line feeds stay.
func clean(s string) string {
	if oneline.Is(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case unicode.IsControl(r), r == 0xfeff, r == 0xfffe, r == 0xffff:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// oneLine is cleaned text with every run of white space, U+2028 and U+2029
// among it, made one space.
func oneLine(s string) string {
	if oneline.Is(s) {
		return s
	}
	return strings.Join(strings.Fields(clean(s)), " ")
}

// Bounds of a concept's description, in characters: a shorter first sentence
// is an abbreviation, a longer one is cut.
const (
	sentenceMin = 25
	sentenceMax = 200
)

// sentence is the first sentence of a text on one line.
func sentence(s string) string {
	s = oneLine(s)
	n := 0
	for i, r := range s {
		n++
		end := i + utf8.RuneLen(r)
		if n >= sentenceMin && ends(r, s[end:]) {
			return s[:end]
		}
		if n == sentenceMax {
			return cutWord(s[:end], s[end:])
		}
	}
	return s
}

// ends tells whether a character closes a sentence: a mark before a space and
// no small letter, or one of the marks of scripts that write no space.
func ends(r rune, rest string) bool {
	switch r {
	case '.', '!', '?', ';', '…':
		after, ok := strings.CutPrefix(rest, " ")
		next, _ := utf8.DecodeRuneInString(after)
		return ok && r != ';' && !unicode.IsLower(next)
	case '。', '！', '？', '।':
		return true
	}
	return false
}

// cutWord shortens text at its last word when something follows.
func cutWord(s, rest string) string {
	if rest == "" {
		return s
	}
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:-–") + "…"
}

// paragraphs splits a text at blank lines; each paragraph is one line.
func paragraphs(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range strings.SplitSeq(clean(s), "\n\n") {
			if p = oneLine(p); p != "" && !yield(p) {
				return
			}
		}
	}
}
