package profile

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what is kept of the values of a column.
const (
	bins         = 12
	topValues    = 5
	topText      = 60
	seriesLeast  = 5
	seriesPoints = 120
)

// spreads says how the values of the columns are distributed. Of a masked
// column nothing is said, and of a table about persons only how many values are
// missing: few of them could tell who it is.
func spreads(p *catalog.Profile, t *table.Table, columns []personal.Column, verdicts []personal.Verdict) {
	about := p.PersonalData.Grain == personal.GrainPerson
	for i := range columns {
		if verdicts[i].Mask || len(t.Rows) == 0 {
			continue
		}
		p.Fields[i].Spread = spread(t, i, &columns[i], about)
	}
	if !about && !t.Truncated {
		p.Series = series(t, columns, verdicts)
	}
}

func spread(t *table.Table, i int, c *personal.Column, about bool) *catalog.Spread {
	s := &catalog.Spread{}
	for _, row := range t.Rows {
		if infer.Empty(row[i]) {
			s.Missing++
		} else {
			s.Values++
		}
	}
	if about {
		return s
	}
	switch c.Type {
	case infer.Integer, infer.Decimal, infer.Year, infer.YearMonth, infer.Date, infer.DateTime:
		s.Bins = histogram(t, i, c)
	case infer.String, infer.ID, infer.Boolean:
		s.Top = frequent(t, i, s.Values)
	}
	return s
}

// histogram counts the values in ranges from the least to the greatest; nil
// where they are one.
func histogram(t *table.Table, i int, c *personal.Column) []int64 {
	low, okLow := place(c.Min, c.Type)
	high, okHigh := place(c.Max, c.Type)
	if !okLow || !okHigh || low >= high {
		return nil
	}
	counts := make([]int64, bins)
	for _, row := range t.Rows {
		v, ok := value(row[i], c)
		if !ok {
			continue
		}
		at := (v - low) * bins / (high - low)
		n := int(at)
		if c.Type == infer.Decimal && math.Abs(at-math.Round(at)) < nearEdge {
			n = exactRange(normal(row[i], c), c)
		}
		counts[max(0, min(n, bins-1))]++
	}
	return counts
}

// nearEdge is how near to the edge of a range a decimal may lie, in ranges, for which its float may lie on the
// other side.
const nearEdge = 1e-6

// exactRange is the range of a decimal, whose text has been read as a number of the column.
func exactRange(text string, c *personal.Column) int {
	v, okV := new(big.Rat).SetString(text)
	low, okLow := new(big.Rat).SetString(c.Min)
	high, okHigh := new(big.Rat).SetString(c.Max)
	if !okV || !okLow || !okHigh {
		return 0
	}
	v.Sub(v, low).Mul(v, big.NewRat(bins, 1)).Quo(v, high.Sub(high, low))
	return int(new(big.Int).Quo(v.Num(), v.Denom()).Int64())
}

// value is a cell as a number on the axis of its column.
func value(cell table.Cell, c *personal.Column) (float64, bool) {
	if infer.Empty(cell) {
		return 0, false
	}
	return place(normal(cell, c), c.Type)
}

// normal is the text of a cell in the form of the bounds of its column.
func normal(cell table.Cell, c *personal.Column) string {
	switch c.Type {
	case infer.Integer, infer.Decimal:
		return plain(cell, c)
	case infer.Date, infer.DateTime:
		if iso := infer.ISO(cell.Text, c.Column); iso != "" {
			return iso
		}
	case infer.YearMonth:
		return infer.Month(cell.Text)
	}
	return cell.Text
}

// place is where a normal value lies on its axis: a number, or seconds.
func place(text string, t infer.Type) (float64, bool) {
	switch t {
	case infer.Integer, infer.Decimal:
		v, err := strconv.ParseFloat(text, 64)
		return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	at, ok := infer.Instant(text)
	return float64(at.Unix()), ok
}

// frequent are the values that most records have, where values repeat: at
// least every second is one that came before.
func frequent(t *table.Table, i int, filled int64) []catalog.ValueCount {
	counts := map[string]int64{}
	for _, row := range t.Rows {
		if c := row[i]; !infer.Empty(c) && c.Kind != table.List && c.Kind != table.Object {
			counts[c.Text]++
		}
	}
	if int64(len(counts))*2 > filled {
		return nil
	}
	list := make([]catalog.ValueCount, 0, len(counts))
	for text, n := range counts {
		if n < 2 || len(text) > topText || personal.Redact(text) != text {
			continue
		}
		list = append(list, catalog.ValueCount{Value: text, Count: n})
	}
	slices.SortFunc(list, func(a, b catalog.ValueCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return slices.Clip(list[:min(len(list), topValues)])
}

// series is the first measure over the first column of time of which no value
// repeats, and which the file has in order: then each record is a time. A table
// with more rows than are drawn is none that a line shows truly, and one that
// has a name or a code for each record is a list of things, not a measure.
func series(t *table.Table, columns []personal.Column, verdicts []personal.Verdict) *catalog.Series {
	if len(t.Rows) < seriesLeast || len(t.Rows) > seriesPoints {
		return nil
	}
	at, of := -1, -1
	for i := range columns {
		c := &columns[i]
		named := slices.Contains([]infer.Type{infer.String, infer.ID, infer.URL, infer.GeoPoint, infer.Geometry}, c.Type)
		if named && int(c.Distinct) == len(t.Rows) {
			return nil
		}
		if verdicts[i].Mask {
			continue
		}
		switch c.Type {
		case infer.Year, infer.YearMonth, infer.Date, infer.DateTime:
			if at < 0 && !c.AtLeast && int(c.Distinct) == len(t.Rows) {
				at = i
			}
		case infer.Integer, infer.Decimal:
			if of < 0 && c.Concept == "" && c.Distinct > 2 {
				of = i
			}
		}
	}
	if at < 0 || of < 0 {
		return nil
	}
	out := &catalog.Series{Time: columns[at].Name, Value: columns[of].Name}
	for _, row := range t.Rows {
		v, ok := value(row[of], &columns[of])
		if _, dated := value(row[at], &columns[at]); ok && dated {
			out.Points = append(out.Points, catalog.SeriesPoint{At: normal(row[at], &columns[at]), V: v})
		}
	}
	if len(out.Points) < seriesLeast {
		return nil
	}
	order := func(a, b catalog.SeriesPoint) int { return cmp.Compare(a.At, b.At) }
	if !slices.IsSortedFunc(out.Points, order) {
		slices.Reverse(out.Points)
	}
	if !slices.IsSortedFunc(out.Points, order) {
		return nil
	}
	return out
}
