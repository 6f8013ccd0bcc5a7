package infer

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/build/profile/table"
)

func columns(kind table.Kind, names string, rows ...string) []Column {
	b := table.NewBuilder("csv", table.DefaultLimits, nil)
	for _, n := range strings.Split(names, "|") {
		b.Declare(table.Column{Name: n})
	}
	for _, r := range rows {
		var cells []table.Cell
		for _, v := range strings.Split(r, "|") {
			cells = append(cells, table.Cell{Kind: kind, Text: v})
		}
		b.Row(cells)
	}
	return Columns(b.Table())
}

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		name, values, want, low, high string
	}{
		{"n", "1|-2|+30", "integer", "-2", "30"},
		{"n", "1.5|2", "decimal", "1.5", "2"},
		{"n", "1,5|2,25", "decimal", "1.5", "2.25"},
		{"n", "1,234|2,345,678", "integer", "1234", "2345678"},
		{"n", "1.234.567,5|12,0", "decimal", "12.0", "1234567.5"},
		{"n", "1 234,5|2 345,6", "decimal", "1234.5", "2345.6"},
		{"n", "1'234.50|99.00", "decimal", "99.00", "1234.50"},
		{"n", "12 %|3,5 %", "decimal", "3.5", "12"},
		{"n", "1e3|2.5E-2", "decimal", "2.5E-2", "1e3"},
		{"n", "1|x", "string", "", ""},
		{"n", "007|008", "id", "", ""},
		{"n", "1e999999999|1", "string", "", ""},
		{"n", "..|n/a|5", "integer", "5", "5"},
		{"id", "1|2|3", "id", "", ""},
		{"year", "1999|2024", "year", "1999", "2024"},
		{"population", "1999|2024", "integer", "1999", "2024"},
		{"is_open", "0|1", "boolean", "", ""},
		{"n", "0|1", "integer", "0", "1"},
		{"x", "yes|no|yes", "boolean", "", ""},
		{"x", "ναι|όχι", "boolean", "", ""},
		{"d", "2024-02-29|2023-01-01", "date", "2023-01-01", "2024-02-29"},
		{"d", "31.12.2023|1.2.2024", "date", "2023-12-31", "2024-02-01"},
		{"d", "12/31/2023|02/01/2024", "date", "2023-12-31", "2024-02-01"},
		{"d", "31/12/23|01/02/70", "date", "1970-02-01", "2023-12-31"},
		{"d", "2023-02-29|2023-01-01", "string", "", ""},
		{"d", "2024-01-01T10:00:00Z|2024-01-02T11:30:00+02:00", "datetime", "2024-01-01T10:00:00Z", "2024-01-02T11:30:00+02:00"},
		{"d", "2024-01-01 10:00|2024-01-01", "datetime", "2024-01-01", "2024-01-01T10:00"},
		{"d", "Mon, 02 Jan 2006 15:04:05 GMT", "datetime", "", ""},
		{"date", "20240131|20240201", "date", "2024-01-31", "2024-02-01"},
		{"n", "20240131|20240201", "integer", "20240131", "20240201"},
		{"d", "2024-10-27T02:30+02:00|2024-10-27T02:10+01:00", "datetime", "2024-10-27T02:30+02:00", "2024-10-27T02:10+01:00"},
		{"s", "0,030|4,793", "decimal", "0.030", "4.793"},
		{"m", "2024-01|2024-12", "yearmonth", "2024-01", "2024-12"},
		{"m", "2024/03|2024.01", "yearmonth", "2024-01", "2024-03"},
		{"t", "10:00|23:59:59", "time", "", ""},
		{"u", "https://example.org/a|http://b.example", "url", "", ""},
		{"e", "a@b.gr|c@d.example.org", "email", "", ""},
		{"k", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "id", "", ""},
		{"p", "48.85, 2.35|45.7, 4.8", "geo_point", "", ""},
		{"g", "POLYGON((1 1,2 2,1 1))", "geometry", "", ""},
		{"code", "A-1|B-2", "id", "", ""},
		{"code", "a text|another", "string", "", ""},
		{"x", "|-|", "unknown", "", ""},
	} {
		got := columns(table.Text, c.name, strings.Split(c.values, "|")...)[0]
		if string(got.Type) != c.want || got.Min != c.low || got.Max != c.high {
			t.Errorf("%s %q: %s from %q to %q, want %s from %q to %q", c.name, c.values, got.Type, got.Min, got.Max, c.want, c.low, c.high)
		}
	}
}

// TestTheTableDecidesAboutTheComma: "1,234" is a fraction beside columns that
// can be nothing else.
func TestTheTableDecidesAboutTheComma(t *testing.T) {
	got := columns(table.Text, "a|b", "1,234|0,5", "2,345|12,75")
	if got[0].Type != Decimal || got[0].Max != "2.345" {
		t.Errorf("%s to %s", got[0].Type, got[0].Max)
	}
	alone := columns(table.Text, "a", "1,234", "2,345")[0]
	if alone.Type != Integer || alone.Max != "2345" {
		t.Errorf("alone: %s to %s", alone.Type, alone.Max)
	}
}

func TestTypedCells(t *testing.T) {
	if got := columns(table.String, "n", "1", "2")[0]; got.Type != String {
		t.Errorf("declared text became %s", got.Type)
	}
	if got := columns(table.Number, "n", "1", "2.5")[0]; got.Type != Decimal {
		t.Errorf("numbers became %s", got.Type)
	}
	b := table.NewBuilder("json", table.DefaultLimits, nil)
	b.Record([]table.Field{{Name: "tags", Cell: table.Cell{Kind: table.List, Items: []table.Cell{{Kind: table.Number, Text: "1"}, {Kind: table.Number, Text: "2"}}}}})
	b.Record([]table.Field{{Name: "other", Cell: table.Cell{Kind: table.Bool, Text: "true"}}})
	got := Columns(b.Table())
	if got[0].Type != Array || got[0].Items != Integer || !got[0].Nullable || got[1].Type != Boolean {
		t.Errorf("%+v", got)
	}
}

// TestNumbersSurviveNotation: whatever the notation, the value is the same.
func TestNumbersSurviveNotation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		whole := rapid.IntRange(1000, 999_999_999).Draw(rt, "whole")
		cents := rapid.IntRange(10, 99).Draw(rt, "cents")
		group, point := ".", ","
		if rapid.Bool().Draw(rt, "english") {
			group, point = point, group
		}
		if got, want := Number(grouped(whole, group)+point+itoa(cents), point == ","), itoa(whole)+"."+itoa(cents); got != want {
			rt.Fatalf("%s, want %s", got, want)
		}
		c := columns(table.Text, "n", grouped(whole, group)+point+itoa(cents))[0]
		if c.Type != Decimal || c.Min != itoa(whole)+"."+itoa(cents) || c.Comma != (point == ",") {
			rt.Fatalf("%s %s", c.Type, c.Min)
		}
	})
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func grouped(n int, sign string) string {
	s := itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + sign + s[i:]
	}
	return s
}
