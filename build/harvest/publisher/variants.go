package publisher

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/search"
)

// longest is how much of a publisher's name is looked at, in bytes; variantMax
// bounds the ways in which one name is read.
const (
	longest    = 400
	variantMax = 8
)

// bracketLoss is taken off an acronym in brackets: it stands for the name before
// it, so it confirms a body of that name and does not lead to another one.
const bracketLoss = 20

// variant is one reading of a publisher's name.
type variant struct {
	words []string
	// country is what the name itself says, "" for nothing.
	country string
	// loss is taken off the points of whatever this reading leads to.
	loss int
}

// variants reads a name as it is, without what stands in brackets, and by the
// parts that a dash, a slash or a bar separates: "INSEE - Institut national",
// "City of Vienna / Stadt Wien". A country at the end is taken for what it is.
func variants(name string) []variant {
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "")
	}
	if strings.TrimSpace(name) == "" {
		return nil
	}
	var out []variant
	add := func(text string, loss int) {
		words := wordsOf(search.Fold(text))
		if len(words) == 0 || len(out) >= variantMax {
			return
		}
		out = append(out, variant{words: words, loss: loss})
		if rest, code := trailingCountry(words); code != "" {
			out = append(out, variant{words: rest, country: code, loss: loss + 2})
		}
	}
	add(name, 0)
	outside, inside := brackets(name)
	if len(inside) > 0 {
		add(outside, 2)
		for _, text := range inside {
			loss := 5
			if capitals(strings.TrimSpace(text)) {
				loss = bracketLoss
			}
			add(text, loss)
		}
	}
	if rest := withoutAcronym(outside); rest != "" {
		add(rest, 5)
	}
	if parts := separated(outside); len(parts) > 1 {
		for _, text := range parts {
			add(text, 5)
		}
	}
	return out
}

// brackets parts a text into what stands outside and inside of brackets.
func brackets(s string) (outside string, inside []string) {
	for {
		i := strings.IndexAny(s, "([")
		if i < 0 {
			return outside + s, inside
		}
		j := strings.IndexAny(s[i:], ")]")
		if j < 0 {
			return outside + s, inside
		}
		outside += s[:i] + " "
		inside = append(inside, s[i+1:i+j])
		s = s[i+j+1:]
	}
}

// withoutAcronym cuts an acronym in capitals off either end of a name if it is
// that of the rest, "" when there is none: the letters in "NYC Department of
// Education" belong to another name.
func withoutAcronym(s string) string {
	words := strings.Fields(s)
	if len(words) < 3 {
		return ""
	}
	last := len(words) - 1
	for _, cut := range []struct {
		acronym string
		rest    []string
	}{{words[last], words[:last]}, {words[0], words[1:]}} {
		rest := wordsOf(search.Fold(strings.Join(cut.rest, " ")))
		if short := search.Fold(cut.acronym); capitals(cut.acronym) && (short == letters(rest) || short == letters(meaningful(rest))) {
			return strings.Join(cut.rest, " ")
		}
	}
	return ""
}

func capitals(word string) bool {
	n := utf8.RuneCountInString(word)
	return n >= 3 && n <= acronymMax && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsUpper(r) }) < 0
}

// separated splits at signs that publishers put between two names of one body.
func separated(s string) []string {
	s = strings.NewReplacer(" - ", "|", " – ", "|", " — ", "|", " / ", "|", "/", "|", ";", "|", ": ", "|").Replace(s)
	var parts []string
	for p := range strings.SplitSeq(s, "|") {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// trailingCountry cuts a country off the end of a name, as in "Office for
// National Statistics, UK".
func trailingCountry(words []string) ([]string, string) {
	names := countryNames()
	for n := 1; n <= 3 && n < len(words); n++ {
		rest, tail := words[:len(words)-n], words[len(words)-n:]
		code := names[strings.Join(tail, " ")]
		if code == "" || stopWords[rest[len(rest)-1]] {
			continue // "Bank of England" is not the bank of a place called England
		}
		return rest, code
	}
	return nil, ""
}

var countryNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{"uk": "GB", "usa": "US", "us": "US", "uae": "AE", "eu": "EU", "great britain": "GB", "czech republic": "CZ"}
	list, err := reference.Countries()
	if err != nil {
		return names // the table's own test says what is wrong
	}
	for _, c := range list {
		names[strings.Join(wordsOf(search.Fold(c.NameEn)), " ")] = c.Alpha2
	}
	return names
})
