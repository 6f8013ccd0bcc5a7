package source

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-register/assay/render/catalog"
)

// Precision is how exactly a date is stated.
type Precision string

// Precisions of dates.
const (
	PrecisionTime  Precision = "time"
	PrecisionDay   Precision = "day"
	PrecisionMonth Precision = "month"
	PrecisionYear  Precision = "year"
)

// dateLayouts are the accepted spellings. Those with slashes have the day first; see dayFirst.
var dateLayouts = []struct {
	layout    string
	precision Precision
}{
	{time.DateOnly, PrecisionDay},
	{"2006-01-02T15:04:05.999999999", PrecisionTime},
	{time.RFC3339Nano, PrecisionTime},
	{"2006-01-02T15:04:05.999999999Z0700", PrecisionTime},
	{"2006-01-02 15:04:05.999999999", PrecisionTime},
	{"2006-01-02 15:04:05.999999999Z07:00", PrecisionTime},
	{"2006-01-02 15:04:05.999999999 Z0700", PrecisionTime},
	{"2006-01-02T15:04Z07:00", PrecisionTime},
	{"2006-01-02T15:04", PrecisionTime},
	{"2006-01-02 15:04", PrecisionTime},
	{"2006-01-02Z07:00", PrecisionDay},
	{"02/01/2006", PrecisionDay},
	{"2/1/2006", PrecisionDay},
	{"02.01.2006", PrecisionDay},
	{"02-01-2006", PrecisionDay},
	{"2.1.2006", PrecisionDay},
	{"02.01.2006 15:04", PrecisionTime},
	{"02.01.2006 15:04:05", PrecisionTime},
	{"2/1/2006 15:04", PrecisionTime},
	{"2/1/2006 15:04:05", PrecisionTime},
	{"2/1/2006 3:04 PM", PrecisionTime},
	{"2/1/2006 3:04:05 PM", PrecisionTime},
	{"2/1/2006, 3:04:05 PM", PrecisionTime},
	{time.RFC1123, PrecisionTime},
	{time.RFC1123Z, PrecisionTime},
	{"Mon, _2 Jan 2006 15:04:05 MST", PrecisionTime},
	{"20060102", PrecisionDay},
	{"20060102T150405", PrecisionTime},
	{"20060102T150405Z07:00", PrecisionTime},
	{"20060102T150405Z0700", PrecisionTime},
	{"20060102150405", PrecisionTime},
	{"Mon Jan 02 2006 15:04:05 GMT-0700", PrecisionTime},
	{"2006-002", PrecisionDay},
	{"2006/01/02", PrecisionDay},
	{"2006-1-2", PrecisionDay},
	{"2006/1/2", PrecisionDay},
	{"2006-01", PrecisionMonth},
	{"2006/01", PrecisionMonth},
	{"01/2006", PrecisionMonth},
	{"01-2006", PrecisionMonth},
	{"01.2006", PrecisionMonth},
	{"2006-01Z07:00", PrecisionMonth},
	{"2006Z07:00", PrecisionYear},
	{"2006", PrecisionYear},
}

// ParseDate reads a date in one of the spellings that sources use, in UTC
// where it names no zone. A date with less precision than a day is its first
// day. What is not a date between 1800 and 2200 is a FieldError, whose remedy
// says so where it is an interval.
func ParseDate(field, raw string) (time.Time, Precision, error) {
	return parseDate(field, raw, 1800)
}

// parseDate is ParseDate for dates from the year first on.
func parseDate(field, raw string, first int) (time.Time, Precision, error) {
	s := usualDate(dayFirst("", strings.TrimSpace(raw)))
	if t, ok := sinceEpoch(s); ok {
		return t, PrecisionTime, nil
	}
	s, nextDay := strings.CutSuffix(s, "T24:00:00")
	for _, l := range dateLayouts {
		if !sameShape(l.layout, s) {
			continue
		}
		t, err := time.Parse(l.layout, s)
		if err != nil {
			continue
		}
		if t.Year() < first || t.Year() > 2200 {
			break
		}
		if l.precision != PrecisionTime {
			// The zone of a day (xsd:date) moves no day.
			day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
			if nextDay {
				return day.AddDate(0, 0, 1), PrecisionTime, nil
			}
			return day, l.precision, nil
		}
		return t.UTC(), l.precision, nil
	}
	if t, precision, ok := wordedDate(s); ok && t.Year() >= first && t.Year() <= 2200 {
		return t, precision, nil
	}
	remedy := "write the date as YYYY-MM-DD"
	if _, ok := durationOf(s); ok {
		remedy = "this is a repeating interval (ISO 8601), not a date; " + remedy
	}
	return time.Time{}, "", fmt.Errorf("parse date: %w", &catalog.FieldError{Field: field, Value: raw, Remedy: remedy})
}

var (
	// spacedDots part the numbers of a date that is written "31. 12. 2021", or with a dot behind it, too.
	spacedDots = regexp.MustCompile(`^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})\.?(\D.*)?$`)
	// hoursOnly is a zone without minutes behind a time, zoneName one by its name.
	hoursOnly = regexp.MustCompile(`(:\d{2}(?:\.\d+)?\s?[+-]\d{2})$`)
	zoneName  = regexp.MustCompile(`(:\d{2}(?:\.\d+)?)\s?(?:UTC|GMT|Z?\[(?:Etc/)?UTC\])$`)
)

// usualDate writes a date in digits in the way that one of the layouts has it, where it means the same: digits of East
// Asia, blanks behind its dots, its zone in letters or without minutes, what is in brackets behind it.
func usualDate(s string) string {
	if s = norm.NFKC.String(s); len(s) > 80 {
		return s
	}
	if before, _, ok := strings.Cut(s, " ("); ok {
		s = before
	}
	s = strings.TrimSpace(strings.TrimSuffix(s, "Uhr"))
	s = spacedDots.ReplaceAllString(s, "$1.$2.$3$4")
	s = hoursOnly.ReplaceAllString(s, "$1:00")
	if s != "" && s[0] >= '0' && s[0] <= '9' { // others name their day first, and their zone by a layout
		s = zoneName.ReplaceAllString(s, "${1}Z")
	}
	return s
}

// sinceEpoch reads the seconds or milliseconds since 1970 that some portals write, of the years from
// 2001 to 2033: these have ten or thirteen digits and begin with a one, as no date in digits does.
func sinceEpoch(s string) (time.Time, bool) {
	if len(s) != 10 && len(s) != 13 || s[0] != '1' || strings.Trim(s, "0123456789") != "" {
		return time.Time{}, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if len(s) == 10 {
		n *= 1000
	}
	return time.UnixMilli(n).UTC(), err == nil
}

// sameShape tells cheaply that s may have the layout: the fifth characters,
// where the layouts differ most, are both digits or both the same sign.
func sameShape(layout, s string) bool {
	if len(s) < 5 || len(layout) < 5 {
		return len(s) == len(layout)
	}
	if layout == time.DateOnly && len(s) != len(layout) {
		return false
	}
	a, b := layout[4], s[4]
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return a == b || digit(a) && digit(b) || strings.HasPrefix(layout, "2/") || strings.HasPrefix(layout, "2.") || layout[0] == 'M'
}
