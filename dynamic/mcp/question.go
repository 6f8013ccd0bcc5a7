package mcp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// question is what was understood of a sentence: what the data are about, and what else is
// asked of them.
type question struct {
	words string
	// whole are the words with those of the conditions among them: the place, the institution, the formats.
	whole    string
	country  string
	formats  []string
	kind     catalog.EntryType
	purposes []string
}

// token is a word of a sentence.
type token struct {
	word            string // folded
	capital, joined bool   // begins with a capital letter; a hyphen stands before it
}

// spoken are the words of a text in their order.
func spoken(text string) (out []token) {
	joined := false
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if !isLetter(r) {
			joined, text = r == '-' || r == '\u2010' || r == '\u2011', text[size:]
			continue
		}
		end := strings.IndexFunc(text, func(r rune) bool { return !isLetter(r) })
		if end < 0 {
			end = len(text)
		}
		for _, w := range strings.FieldsFunc(search.Fold(text[:end]), func(r rune) bool { return !isLetter(r) }) {
			out = append(out, token{w, unicode.IsUpper(r), joined})
		}
		joined, text = false, text[end:]
	}
	return out
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func wordsOf(list []token) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.word
	}
	return out
}

// understand reads a sentence.
func understand(text string) *question {
	q := &question{}
	if short := shortNames.FindString(text); short != "" {
		q.country = map[string]string{"UK": "GB", "EU": "EU"}[short]
		if q.country == "" {
			q.country = "US"
		}
		text = strings.Replace(text, short, " ", 1)
	}
	rest := spoken(text)
	passed := passedOver(rest)
	rest = q.use(rest, passed)
	var whole []string
	for _, t := range rest {
		switch w := t.word; {
		case formatWords[w] != "":
			q.formats = append(q.formats, formatWords[w])
			whole = append(whole, w)
		case typeWords[w] != "":
			q.kind = typeWords[w]
		case !passed(w):
			whole = append(whole, w)
		}
	}
	if q.country == "" {
		if code, from, to := place(rest); code != "" {
			q.country = code
			first, last := named(rest, from, to, passed)
			if subject := about(slices.Concat(rest[:first], rest[last:]), passed); len(subject) > 0 {
				from, to = first, last
			}
			rest = slices.Concat(rest[:from], rest[to:])
		}
	}
	q.words, q.whole = strings.Join(about(rest, passed), " "), strings.Join(whole, " ")
	return q
}

// use takes what is said of use out of the words, where that is not all that is said.
func (q *question) use(words []token, passed func(string) bool) []token {
	sentence := strings.Join(wordsOf(words), " ")
	at := terms.FindStringIndex(sentence)
	if at == nil {
		return words
	}
	q.purposes = purposesOf(sentence[at[0]:])
	before := words[:len(strings.Fields(sentence[:at[0]]))]
	if !slices.ContainsFunc(before, func(t token) bool { return !passed(t.word) }) {
		return words
	}
	return before
}

// about are the words that say what the data are about.
func about(words []token, passed func(string) bool) (out []string) {
	for _, t := range words {
		if formatWords[t.word] == "" && typeWords[t.word] == "" && !passed(t.word) {
			out = append(out, t.word)
		}
	}
	return out
}
