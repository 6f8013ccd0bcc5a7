package series

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/search"
)

// What titles say of a period and of a version. Years from 1800 to 2099 count; a
// number among others, such as a decree's or a code, does not.
var (
	years = regexp.MustCompile(`(?i)(^|[^\pL\pN.,])((?:18|19|20)\d\d)(?:-(0[1-9]|1[0-2]))?(?:\s*(?:[-–—/]|\bto\b|\bbis\b|\btot(?: en met)?\b|\bt/m\b|\bà\b|\bau\b|\ba\b|\bal\b)\s*((?:18|19|20)\d\d|\d\d)(?:-(0[1-9]|1[0-2]))?)?($|[^\pL\pN.,]|[.,](?:\s|$))`)
	// version is what follows the word in the languages of the registers at hand.
	version = regexp.MustCompile(`(?i)(^|[^\pL\pN])(?:v|ver\.?|versie|versi[oó]n|versione|vers[aã]o|wersja|version)\s?\d+(?:\.\d+)*($|[^\pL\pN])`)
)

// Title is a title without what tells a member of a series from the others.
type Title struct {
	// Rest is what is left, as it is written; Stem is that as it is compared.
	Rest, Stem string
	// Period is the last one that the title names, Version the last version.
	Period  Period
	Version string
}

// Split takes the periods and versions out of a title.
func Split(title string) Title {
	t := Title{Rest: title}
	// Most titles have no digit, and nothing to be taken out.
	numbered := strings.ContainsAny(title, "0123456789")
	for numbered {
		m := years.FindStringSubmatchIndex(t.Rest)
		if m == nil {
			break
		}
		t.Period = read(t.Rest, m)
		t.Rest = t.Rest[:m[3]] + " " + t.Rest[m[12]:]
	}
	for numbered {
		m := version.FindStringSubmatchIndex(t.Rest)
		if m == nil {
			break
		}
		t.Version = strings.TrimSpace(t.Rest[m[3]:m[4]])
		t.Rest = t.Rest[:m[3]] + " " + t.Rest[m[4]:]
	}
	words := strings.FieldsFunc(search.Fold(t.Rest), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	t.Stem = strings.Join(words, " ")
	if t.Rest != title {
		t.Rest = tidy(t.Rest)
	}
	return t
}

// tidy takes away what enclosed a part that was taken out, and what joined it to
// the rest.
func tidy(rest string) string {
	rest = label.ReplaceAllString(rest, " ")
	rest = strings.Join(strings.Fields(rest), " ")
	return strings.Trim(rest, " -–—:,;./|_")
}

// label is an empty pair of brackets, or one with a word before a colon.
var label = regexp.MustCompile(`[\[(]\s*(?:[\pL]+\s*:)?\s*[\])]`)

// read makes a period of a match: year, month, last year, last month.
func read(s string, m []int) Period {
	part := func(n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return s[m[2*n]:m[2*n+1]]
	}
	month := func(year, month string) string {
		if month == "" {
			return year
		}
		return year + "-" + month
	}
	first, last := part(2), part(4)
	from := month(first, part(3))
	if last == "" {
		return Period{from, from}
	}
	if len(last) == 2 {
		last = first[:2] + last
	}
	to := month(last, part(5))
	if to < from {
		return Period{from, from}
	}
	return Period{from, to}
}
