// Package figures shows data as pictures, and how to use them as code: what stands on the
// pages of entries, countries and publishers.
//
// Each picture has a title, which says its values in words, and a table behind it where there
// are more than a line holds. A script lets readers keep both (data-picture).
package figures

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/templates"
)

// Column is the distribution of the values of a column.
type Column struct {
	Name string
	// Bars is the path of the picture, Counts are the values in its ranges, which lie between
	// From and To; "" and nil for a column without numbers or dates.
	Bars     string
	Counts   []int64
	From, To string
	// Top are the most frequent values of a column whose values repeat.
	Top []Share
	// Values and Missing are how many sampled records have a value, and how many have none.
	Values, Missing int64
}

// Share is a value and how many records have it.
type Share struct {
	Value string
	Count int64
}

// Any tells that there is something to show.
func (c *Column) Any() bool { return c != nil && (c.Bars != "" || len(c.Top) > 0 || c.Missing > 0) }

func (c *Column) title(s *templates.Site) string {
	list := make([]string, len(c.Counts))
	for i, n := range c.Counts {
		list[i] = s.Number(int(n))
	}
	return s.Say("chart.spread", "name", c.Name, "min", c.From, "max", c.To, "list", strings.Join(list, ", "))
}

// width is that of the bar of a share, in hundredths of the column.
func (c *Column) width(n int64) int { return max(1, int(n*100/max(1, c.Values))) }

// box is the plane on which the bars of the most frequent values lie, ten units each.
func (c *Column) box() string { return "0 0 100 " + strconv.Itoa(10*len(c.Top)) }

// shares are the bars of the most frequent values, below each other.
func (c *Column) shares() string {
	b := make([]byte, 0, 16*len(c.Top))
	for i, v := range c.Top {
		b = append(b, 'M', '0', ' ')
		b = strconv.AppendInt(b, int64(10*i+1), 10)
		b = append(b, 'h')
		b = strconv.AppendInt(b, int64(c.width(v.Count)), 10)
		b = append(b, "v8H0z"...)
	}
	return string(b)
}

// empty is how many in a hundred records have no value, to a tenth; neither none nor all of them where some
// have none and some have one.
func (c *Column) empty() float64 {
	tenths := (c.Missing*2000/(c.Missing+c.Values) + 1) / 2
	if tenths = max(tenths, 1); c.Values > 0 {
		tenths = min(tenths, 999)
	}
	return float64(tenths) / 10
}

// Place is where data lie, in degrees.
type Place struct {
	West, South, East, North float64
	// Draw makes the picture, as SVG with a title; nil for none.
	Draw func(title string) string
	// Name is that of the entry, for the file that a reader keeps.
	Name string
}

func (p *Place) words(s *templates.Site) string {
	d := func(v float64) string { return s.Decimal(v, 2) }
	return s.Say("chart.place", "west", d(p.West), "south", d(p.South), "east", d(p.East), "north", d(p.North))
}

// Series is a measure over time.
type Series struct {
	// Time and Value are the names of the columns, Name that of the entry.
	Time, Value, Name string
	// Key is the string of the interface that names the measure where Value is "".
	Key    string
	Points []Point
	// Draw makes the picture, as SVG with a title and numbers as a language writes them.
	Draw func(title string, number func(float64) string) string
}

// Point is a number at a time in the form of ISO 8601.
type Point struct {
	At string
	V  float64
}

// names are those of the columns.
func (x *Series) names(s *templates.Site) (time, value string) {
	if x.Key != "" {
		return s.T("chart.day"), s.T(x.Key)
	}
	return x.Time, x.Value
}

func (x *Series) title(s *templates.Site) string {
	first, last := x.Points[0], x.Points[len(x.Points)-1]
	_, value := x.names(s)
	return s.Say("chart.series", "name", value, "from", first.At, "first", s.Decimal(first.V, -1), "to", last.At, "last", s.Decimal(last.V, -1))
}

func (x *Series) picture(s *templates.Site) string {
	return x.Draw(x.title(s), func(v float64) string { return s.Decimal(v, -1) })
}

// Bars are values by name.
type Bars struct {
	// Key is the string of the interface that names the picture, Column that of the names.
	Key, Column string
	// Label and ColumnName are from outside, where Key and Column are "".
	Label, ColumnName string
	List              []Bar
	// Draw makes the picture, as SVG with a title and numbers as a language writes them.
	Draw func(title string, number func(float64) string) string
	// Name is that of the file that a reader keeps.
	Name string
}

// Bar is a value with its name, which leads to a route unless that is "".
type Bar struct {
	Name, Route string
	V           int
}

func (b *Bars) picture(s *templates.Site) string {
	return b.Draw(b.label(s), func(v float64) string { return s.Number(int(v)) })
}

// Sample is code that uses a source. Label is the name of a language or a client; File is where
// a configuration belongs, "" for none.
type Sample struct {
	Label, File, Code string
	// Install is an address that opens a client, with a scheme of its own, "" for none.
	Install string
}

// Look is a file that a reader can look into on this page.
type Look struct {
	// Entry is the id of the entry, Address the file's.
	Entry, Address string
	// Format is CSV, TSV, JSON, NDJSON, GeoJSON or Parquet.
	Format              string
	Separator, Encoding string
}

// dialect are the attributes of a table of text that differ from the usual.
func (l *Look) dialect() templ.OrderedAttributes {
	var list templ.OrderedAttributes
	if l.Separator != "" {
		list = append(list, templ.KeyValue[string, any]{Key: "data-separator", Value: l.Separator})
	}
	if l.Encoding != "" {
		list = append(list, templ.KeyValue[string, any]{Key: "data-encoding", Value: l.Encoding})
	}
	return list
}

// Console is an API that a reader can try on this page.
type Console struct {
	Entry string
	// Runs tells that the register passes requests on to it.
	Runs bool
}

func (c *Console) runs() string {
	if c.Runs {
		return "yes"
	}
	return "no"
}

// plain escapes text between tags, where quotes stand for themselves: code is full of them.
var plain = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (b *Bars) label(s *templates.Site) string {
	if b.Key == "" {
		return b.Label
	}
	return s.T(b.Key)
}

// heads are the heads of the columns of the table.
func (b *Bars) heads(s *templates.Site) []string {
	if b.Key == "" {
		return []string{b.ColumnName, b.Label}
	}
	return []string{s.T(b.Column), s.T("chart.entries")}
}
