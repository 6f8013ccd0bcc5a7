package source

import (
	"fmt"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// ParsePeriod reads a period of time: start/end (ISO 8601, DCAT-US temporal),
// start/duration, duration/end, an open end (start/.., start/), two years with
// a hyphen, two dates with a word or a dash between them, or one date, which is the period it names. The end is the last day
// stated: 2013 ends on 31 December 2013. An open side is the zero time. A
// repeating interval and a period that ends before it begins are FieldErrors.
func ParsePeriod(field, raw string) (start, end time.Time, err error) {
	return parsePeriod(field, raw, "")
}

// parsePeriod is ParsePeriod for dates as a country writes them.
func parsePeriod(field, raw, country string) (start, end time.Time, err error) {
	s := strings.TrimSpace(raw)
	refuse := func(remedy string) (time.Time, time.Time, error) {
		return time.Time{}, time.Time{}, fmt.Errorf("parse period: %w", &catalog.FieldError{Field: field, Value: raw, Remedy: remedy})
	}
	from, to, two := strings.Cut(s, "/")
	if !two && len(s) == 9 && s[4] == '-' {
		from, to, two = s[:4], s[5:], true
	}
	if _, ok := durationOf(s); ok && strings.HasPrefix(from, "R") {
		return refuse("this is a repeating interval (ISO 8601), not a period; write start/end")
	}
	if one, other, ok := wordedSides(s); ok {
		from, to, two = one, other, true
	}
	if !two {
		to = from
	}
	if start, end, err = sides(field, inCountry(country, strings.TrimSpace(from)), inCountry(country, strings.TrimSpace(to))); err != nil {
		return refuse("write start/end, each as YYYY-MM-DD")
	}
	switch {
	case start.IsZero() && end.IsZero():
		return refuse("give at least one date")
	case !start.IsZero() && !end.IsZero() && end.Before(start):
		return refuse("the period ends before it begins")
	case !plausible(start) || !plausible(end):
		return refuse("give dates between 1000 and 2200")
	}
	return start, end, nil
}

// antiquity is the first year that a data set covers; earlier ones come from
// empty fields.
const antiquity = 1000

func plausible(t time.Time) bool { return t.IsZero() || t.Year() >= antiquity && t.Year() <= 2200 }

func sides(field, from, to string) (start, end time.Time, err error) {
	if d, ok := durationOf(from); ok {
		if end, err = lastDay(field, to); err == nil {
			start = d.after(end, -1)
		}
		return start, end, err
	}
	if !open(from) {
		if start, _, err = parseDate(field, from, antiquity); err != nil {
			return start, end, err
		}
	}
	if d, ok := durationOf(to); ok {
		return start, d.after(start, 1), nil
	}
	if !open(to) {
		end, err = lastDay(field, to)
	}
	return start, end, err
}

// open tells that a side of a period is not closed (ISO 8601-2, 4.4; EDTF).
// The first and the last year that software writes stand for no date at all.
func open(s string) bool {
	return s == "" || s == ".." || strings.EqualFold(s, "null") || strings.HasPrefix(s, "0001-01-01") || strings.HasPrefix(s, "9999-")
}

// lastDay is the last day of the year, month or day that s names.
func lastDay(field, s string) (time.Time, error) {
	t, precision, err := parseDate(field, s, antiquity)
	switch {
	case err != nil:
		return time.Time{}, err
	case precision == PrecisionYear:
		return t.AddDate(1, 0, -1), nil
	case precision == PrecisionMonth:
		return t.AddDate(0, 1, -1), nil
	}
	return t, nil
}

// after is t moved by the duration, forwards or backwards.
func (d duration) after(t time.Time, sign int) time.Time {
	return t.AddDate(0, sign*int(d.months), 0).Add(time.Duration(float64(sign) * d.minutes * float64(time.Minute)))
}
