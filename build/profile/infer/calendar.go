package infer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/profile/checkdigit"
	"github.com/assay-register/assay/build/profile/words"
)

var (
	isoDate   = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	otherDate = regexp.MustCompile(`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})$`)
	clock     = regexp.MustCompile(`^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$`)
	dateClock = regexp.MustCompile(`^(\S+?)(?:[T ]\s*)((?:[01]?\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d+)?)?)\s*(Z|UTC|[-+]\d{2}:?\d{2})?$`)
	month     = regexp.MustCompile(`^(\d{4})[-/.](0[1-9]|1[0-2])$`)
	yearForm  = regexp.MustCompile(`^(?:1[5-9]|2[01])\d{2}$`)
	basicDate = regexp.MustCompile(`^(1[89]|20|21)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$`)
)

// order is which of the first two numbers of a date is the day.
type order uint8

const (
	dayFirst order = iota
	monthFirst
)

// calendar recognises dates, times and months, and sets their bounds in the
// form of ISO 8601. A date such as 03/04/2024 is read day first, as all of
// Europe does, unless some value of the column forbids it.
func (s *sampled) calendar(c *Column) Type {
	for _, o := range []order{dayFirst, monthFirst} {
		if t := s.dates(c, o); t != "" {
			c.MonthFirst = o == monthFirst
			return t
		}
	}
	switch {
	case every(s.text, clock.MatchString):
		return Time
	case every(s.text, month.MatchString):
		return bounded(c, monthsOf(s.text), YearMonth)
	case dateName(c.Name) && every(s.text, basicDate.MatchString):
		return bounded(c, isoOf(s.text), Date)
	}
	if every(s.text, written) {
		return DateTime
	}
	return ""
}

func monthsOf(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = Month(v)
	}
	return out
}

// Month is a value of a column of months in the form of its bounds.
func Month(v string) string { return month.ReplaceAllString(v, "$1-$2") }

func isoOf(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v[:4] + "-" + v[4:6] + "-" + v[6:8]
	}
	return out
}

func (s *sampled) dates(c *Column, o order) Type {
	timed := false
	iso := make([]string, 0, len(s.text))
	for _, v := range s.text {
		at, hour := instant(v, o)
		if at == "" {
			return ""
		}
		timed = timed || hour
		iso = append(iso, at)
	}
	if timed {
		return moments(c, iso)
	}
	return bounded(c, iso, Date)
}

// moments sets the bounds of times of day, of which some may be in another zone than others: as text they would not
// be in order. Where one cannot be read as a time, text decides.
func moments(c *Column, values []string) Type {
	var first, last time.Time
	for i, v := range values {
		at, ok := Instant(v)
		if !ok {
			return bounded(c, values, DateTime)
		}
		if i == 0 || at.Before(first) {
			first, c.Min = at, v
		}
		if i == 0 || at.After(last) {
			last, c.Max = at, v
		}
	}
	return DateTime
}

// Instant reads a year, month, day or time in the form of a column's bounds.
func Instant(text string) (time.Time, bool) {
	for _, layout := range []string{"2006", "2006-01", time.DateOnly, "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05UTC"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// instant is a date, or a date with a time of day, in the form of ISO 8601; ""
// for other text.
func instant(v string, o order) (at string, timed bool) {
	text, hour := v, ""
	if m := dateClock.FindStringSubmatch(v); m != nil {
		text, hour, timed = m[1], "T"+m[2]+m[3], true
	}
	day, ok := isoDay(text, o)
	if !ok {
		return "", false
	}
	return day + hour, timed
}

// ISO is a value of a column of dates in the form of its bounds; "" for one
// that is none.
func ISO(v string, c *Column) string {
	if basicDate.MatchString(v) {
		return isoOf([]string{v})[0]
	}
	o := dayFirst
	if c.MonthFirst {
		o = monthFirst
	}
	at, _ := instant(v, o)
	return at
}

func isoDay(text string, o order) (string, bool) {
	var y, m, d string
	if p := isoDate.FindStringSubmatch(text); p != nil {
		y, m, d = p[1], p[2], p[3]
	} else if p := otherDate.FindStringSubmatch(text); p != nil {
		d, m, y = p[1], p[3], p[4]
		if o == monthFirst {
			d, m = m, d
		}
	} else {
		return "", false
	}
	if len(y) == 2 {
		century := "20"
		if y > "69" {
			century = "19"
		}
		y = century + y
	}
	year, _ := strconv.Atoi(y)
	mon, _ := strconv.Atoi(m)
	day, _ := strconv.Atoi(d)
	if !checkdigit.Date(year, mon, day) {
		return "", false
	}
	return time.Date(year, time.Month(mon), day, 0, 0, 0, 0, time.UTC).Format("2006-01-02"), true
}

// written are dates with the month as an English word, as HTTP and mail write
// them.
func written(v string) bool {
	for _, layout := range []string{time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, "2 Jan 2006", "2 January 2006", "January 2, 2006", "Jan 2, 2006", "02-Jan-2006", "2-Jan-06"} {
		if _, err := time.Parse(layout, v); err == nil {
			return true
		}
	}
	return false
}

var yearWords = []string{"year", "annee", "jahr", "ano", "any", "anno", "jaar", "ar", "aar", "etos", "ετος", "χρονια", "година", "rok", "an", "anul", "ev", "leto", "godina", "vuosi", "aasta", "gads", "metai", "sena", "bliain", "exercice", "time period", "jahrgang", "yr", "time", "zeit", "temps", "tiempo", "tempo", "period", "periode", "periodo"}

func years(c *Column, values []string) bool {
	if !every(values, yearForm.MatchString) {
		return false
	}
	list := words.Split(c.Name)
	for _, w := range yearWords {
		if words.Has(list, w) {
			return true
		}
	}
	return len(list) > 0 && (strings.HasSuffix(list[len(list)-1], "year") || strings.HasSuffix(list[len(list)-1], "jahr"))
}

var dateWords = []string{"date", "datum", "fecha", "data", "dato", "paivamaara", "ημερομηνια", "дата", "kuupaev", "datums", "day", "jour", "tag", "dt"}

func dateName(name string) bool {
	return slices.ContainsFunc(words.Split(name), func(w string) bool { return slices.Contains(dateWords, w) })
}
