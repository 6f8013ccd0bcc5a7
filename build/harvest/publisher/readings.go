package publisher

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/search"
)

// longest is how much of a publisher's name is looked at, in bytes.
const longest = 400

// name is one name and its words.
type name struct {
	text  string
	words []string
}

func nameOf(text string) name {
	text = strings.TrimSpace(text)
	return name{text, wordsOf(search.Fold(text))}
}

// reading is one way to read a publisher's text: as names of one body, all of
// which must be its names.
type reading struct {
	names []name
	// country is what the text itself says, "" for nothing.
	country string
}

// readings reads a text as it is, without what stands in brackets, without its
// own acronym, and as names of one body side by side: "INSEE - Institut
// national …", "City of Vienna / Stadt Wien". A part of a body that names the
// body first ("City of X - Department of Y") is not the body. A country at the
// end is taken for what it is.
func readings(text string) []reading {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []reading
	add := func(texts ...string) {
		r := reading{}
		for _, t := range texts {
			if n := nameOf(t); len(n.words) > 0 {
				r.names = append(r.names, n)
			}
		}
		if len(r.names) == 0 {
			return
		}
		out = append(out, r)
		if rest, code := trailingCountry(r.names[0].words); code != "" && len(r.names) == 1 {
			out = append(out, reading{[]name{{r.names[0].text, rest}}, code})
		}
	}
	add(text)
	outside, inside := brackets(text)
	if len(inside) > 0 {
		add(aside(append([]string{outside}, inside...))...)
		if short(inside) {
			add(outside)
		}
	}
	if rest := withoutAcronym(outside); rest != "" {
		add(rest)
	}
	if parts := separated(outside); len(parts) > 1 {
		add(aside(parts)...)
	}
	return out
}

// aside leaves acronyms out if something longer is there.
func aside(texts []string) []string {
	var long []string
	for _, t := range texts {
		if !capitals(strings.TrimSpace(t)) && strings.TrimSpace(t) != "" {
			long = append(long, t)
		}
	}
	if len(long) == 0 {
		return texts
	}
	return long
}

// short tells whether what stands in brackets is an acronym, a country or one
// word: it names no part of the body before it.
func short(inside []string) bool {
	for _, t := range inside {
		if utf8.RuneCountInString(t) > 2*acronymMax || len(strings.Fields(t)) > 2 {
			return false
		}
	}
	return true
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

// speaksOfCountry tells whether a name begins with its country, as national
// bodies do where local ones of the same name are near: "U.S. Census Bureau".
func speaksOfCountry(texts []string, country string) bool {
	for _, t := range texts {
		words := wordsOf(search.Fold(t))
		for n := 1; n <= 3 && n < len(words); n++ {
			if countryNames()[strings.Join(words[:n], " ")] == country && country != "" {
				return true
			}
		}
	}
	return false
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
