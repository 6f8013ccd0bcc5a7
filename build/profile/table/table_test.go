package table

import (
	"slices"
	"strings"
	"testing"
)

func names(t *Table) string {
	var out []string
	for _, c := range t.Columns {
		out = append(out, c.Name)
	}
	return strings.Join(out, "|")
}

func TestDeclaredNamesAreOne(t *testing.T) {
	b := NewBuilder("csv", DefaultLimits, func(s string) bool { return s == "secret" })
	for _, n := range []string{"a", "a", "", "secret", " b \n c ", "a_2"} {
		b.Declare(Column{Name: n})
	}
	if got := names(b.Table()); got != "a|a_2|column_3|column_4|b c|a_2_2" {
		t.Error(got)
	}
}

func TestRowsAreAsWideAsTheTable(t *testing.T) {
	b := NewBuilder("json", Limits{Rows: 10, Columns: 2, Cells: 100, Cell: 3, Name: 10}, nil)
	b.Record([]Field{{"a", Cell{Kind: Text, Text: "long"}}})
	b.Record([]Field{{"b", Cell{Kind: Text, Text: "ab\u00e9"}}, {"c", Cell{Kind: Text, Text: "x"}}})
	got := b.Table()
	if names(got) != "a|b" || len(got.Rows[0]) != 2 || got.Rows[0][0].Text != "lon" || got.Rows[1][1].Text != "ab" {
		t.Errorf("%s %v", names(got), got.Rows)
	}
	if !slices.Equal(got.Notes, []string{"only the first 2 columns were looked at"}) {
		t.Errorf("%q", got.Notes)
	}
}

func TestRowsBeyondTheLimitAreCounted(t *testing.T) {
	b := NewBuilder("csv", Limits{Rows: 2, Columns: 9, Cells: 100, Cell: 9, Name: 9}, nil)
	b.Declare(Column{Name: "a"})
	for range 5 {
		b.Row([]Cell{{Kind: Text, Text: "x"}, {Kind: Text, Text: "beyond the columns"}})
	}
	if got := b.Table(); len(got.Rows) != 2 || got.Count != 5 || len(got.Rows[0]) != 1 {
		t.Errorf("%d rows, %d counted", len(got.Rows), got.Count)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 5, "abc"}, {"äöü", 3, "ä"}, {"\xff", 5, "\ufffd"}, {"", 0, ""}} {
		if got := Clip(c.text, c.limit); got != c.want {
			t.Errorf("%q cut at %d: %q", c.text, c.limit, got)
		}
	}
}
