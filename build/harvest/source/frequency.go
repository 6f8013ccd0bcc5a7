package source

import (
	"strconv"
	"strings"
	"sync"

	"github.com/assay-register/assay/build/reference"
)

// Frequency is the code of the EU frequency authority table that a statement
// stands for: an IRI or code of the EU table or of the Dublin Core collection
// vocabulary, a word of ISO 19115, a repeating interval (ISO 8601, R/P1Y), or
// a word in English, French, German, Spanish or Italian.
func Frequency(raw string) (code string, ok bool) {
	s := Token(raw)
	if s == "" {
		return "", false
	}
	if length, ok := durationOf(s); ok {
		code, ok := intervals()[length]
		return code, ok
	}
	if code, ok := frequencies().find(s); ok {
		return code, true
	}
	// The names of code lists of ISO 19115 begin with that of the list.
	if _, local, two := strings.Cut(s, "MD_MaintenanceFrequencyCode_"); two {
		s = local
	}
	// "Data are updated monthly.", "Static (not updated)".
	words, _, _ := strings.Cut(s, "(")
	key := foldName(words)
	for _, opening := range openings {
		key = strings.TrimPrefix(key, opening)
	}
	code, ok = frequencies().names[key]
	return code, ok
}

// openings begin sentences about a frequency, folded.
var openings = []string{"dataare", "datais", "updated", "update"}

// Interval tells that a text is a length of time, with or without a number of repetitions (ISO 8601: R/P1D).
func Interval(raw string) bool {
	_, ok := durationOf(Token(raw))
	return ok
}

// duration is a length of time: months and minutes have no common measure.
type duration struct{ months, minutes float64 }

var intervals = sync.OnceValue(func() map[duration]string {
	rows, err := reference.Frequencies()
	if err != nil {
		panic(err)
	}
	m := map[duration]string{}
	for _, r := range rows {
		for _, v := range r.Values {
			if d, ok := durationOf(v); ok {
				m[d] = r.Code
			}
		}
	}
	return m
})

// durationOf reads a duration with an optional number of repetitions before
// it (ISO 8601: P1Y6M, PT30M, R/P1W, R5/P0.5M).
func durationOf(s string) (duration, bool) {
	var d duration
	s = strings.ToUpper(s)
	if repeat, rest, ok := strings.Cut(s, "/"); ok && strings.HasPrefix(repeat, "R") && strings.Trim(repeat[1:], "0123456789") == "" {
		s = rest
	}
	s, ok := strings.CutPrefix(s, "P")
	if !ok || s == "" || len(s) > 32 {
		return d, false
	}
	date, clock, _ := strings.Cut(s, "T")
	ok = d.add(date, map[byte]duration{'Y': {12, 0}, 'M': {1, 0}, 'W': {0, 7 * 1440}, 'D': {0, 1440}}) &&
		d.add(clock, map[byte]duration{'H': {0, 60}, 'M': {0, 1}, 'S': {0, 1. / 60}})
	return d, ok && d != duration{}
}

// add adds the numbers of one half of a duration, each with its unit.
func (d *duration) add(s string, units map[byte]duration) bool {
	for s != "" {
		i := strings.IndexFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' })
		if i <= 0 {
			return false
		}
		n, err := strconv.ParseFloat(strings.Replace(s[:i], ",", ".", 1), 64)
		unit, ok := units[s[i]]
		if err != nil || !ok || n < 0 || n > 10_000 {
			return false
		}
		d.months += n * unit.months
		d.minutes += n * unit.minutes
		s = s[i+1:]
	}
	return true
}
