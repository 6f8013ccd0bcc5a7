package publisher

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/search"
)

// stopWords carry no meaning in names of institutions, per language: articles,
// prepositions and conjunctions, folded.
var stopWords = wordSet(
	"the of for and in on to at by with as a an s",                    // English
	"de du des la le les l d et en au aux pour sur dans",              // French
	"der die das des dem den fur und im am vom zum zur von",           // German
	"el los las del y e para por al con",                              // Spanish
	"do da dos das o os na no nas nos",                                // Portuguese
	"di del della dei degli delle dello il lo gli i ed per sul sulla", // Italian
	"het een van voor ten ter te op",                                  // Dutch
	"og i av til for pa och att den det",                              // Scandinavian
	"ja ning seka",                                                    // Finnish, Estonian
	"w z ze oraz dla na do",                                           // Polish
	"a pro ve v za pri k",                                             // Czech, Slovak, Slovene
	"si al ale din pentru cu",                                         // Romanian
	"es az",                                                           // Hungarian
	"ir un ar par",                                                    // Baltic
	"ο η το οι τα του της των τον την και για στο στη στην στον σε με", // Greek
	"и в во на по за из от с со о та й у при",                          // Cyrillic
	"ve ile icin", // Turkish
)

// abbreviations are short forms that publishers use for whole words.
var abbreviations = map[string]string{
	"dept": "department", "dep": "department", "dpt": "department", "min": "ministry", "govt": "government", "gov": "government",
	"natl": "national", "nat": "national", "intl": "international", "auth": "authority", "admin": "administration",
	"agcy": "agency", "comm": "commission", "univ": "university", "inst": "institute", "svc": "service", "svcs": "services",
	"bur": "bureau", "υπ": "υπουργειο", "мин": "министерство",
}

func wordSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			set[search.Fold(w)] = true
		}
	}
	return set
}

// wordsOf splits a folded name into its words: letters and digits of any
// script, abbreviations written out, the letters of "H.M.R.C." put together.
func wordsOf(folded string) []string {
	raw := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	words := make([]string, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		w, n := raw[i], 1
		for i+n < len(raw) && single(raw[i]) && single(raw[i+n]) {
			w += raw[i+n]
			n++
		}
		i += n - 1
		if long := abbreviations[w]; long != "" && len(raw) > 1 {
			w = long
		}
		words = append(words, w)
	}
	return words
}

func single(w string) bool { return utf8.RuneCountInString(w) == 1 }

// meaningful leaves the stop words out, unless nothing else is there.
func meaningful(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if !stopWords[w] {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return words
	}
	return out
}

// letters are the first letters of words.
func letters(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		b.WriteRune(r)
	}
	return b.String()
}
