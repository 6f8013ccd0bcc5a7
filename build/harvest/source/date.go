package source

import (
	"fmt"
	"strings"
	"time"

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

// dateLayouts are the accepted spellings. Day-first forms stand for the
// European order; no source of the register writes month first.
var dateLayouts = []struct {
	layout    string
	precision Precision
}{
	{time.DateOnly, PrecisionDay},
	{time.RFC3339Nano, PrecisionTime},
	{"2006-01-02T15:04:05.999999999", PrecisionTime},
	{"2006-01-02 15:04:05.999999999", PrecisionTime},
	{"2006-01-02T15:04", PrecisionTime},
	{"02/01/2006", PrecisionDay},
	{"2/1/2006", PrecisionDay},
	{"02.01.2006", PrecisionDay},
	{"2.1.2006", PrecisionDay},
	{"20060102", PrecisionDay},
	{"2006-01", PrecisionMonth},
	{"2006", PrecisionYear},
}

// ParseDate reads a date in one of the spellings that sources use, in UTC
// where it names no zone. A date with less precision than a day is its first
// day. What is not a date between 1800 and 2200 is a FieldError.
func ParseDate(field, raw string) (time.Time, Precision, error) {
	s := strings.TrimSpace(raw)
	for _, l := range dateLayouts {
		t, err := time.Parse(l.layout, s)
		if err != nil {
			continue
		}
		if t.Year() < 1800 || t.Year() > 2200 {
			break
		}
		return t.UTC(), l.precision, nil
	}
	return time.Time{}, "", fmt.Errorf("parse date: %w",
		&catalog.FieldError{Field: field, Value: raw, Remedy: "write the date as YYYY-MM-DD"})
}
