package pages

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/chart"
	"github.com/assay-register/assay/render/chart/worldmap"
	"github.com/assay-register/assay/templates/figures"
)

// shows tells that sampled values may be shown.
func (v *view) shows(p *catalog.Profile) bool {
	right := catalog.RightUnknown
	if v.Licence != nil {
		right = v.Licence.Redistribution
	}
	allowed, _ := p.Preview(right)
	return allowed
}

// spreadOf is the distribution of a column; nil where it is masked or unknown.
func (v *view) spreadOf(f *catalog.ProfileField) *figures.Column {
	s := f.Spread
	if s == nil || f.Personal != "" || v.halved >= withoutColumns {
		return nil
	}
	c := &figures.Column{Name: clip(f.Name, 40), Values: s.Values, Missing: s.Missing}
	if c.Bars = chart.Spread(s.Bins); c.Bars != "" {
		c.Counts, c.From, c.To = s.Bins, clip(f.Min, 20), clip(f.Max, 20)
	}
	for _, v := range s.Top {
		c.Top = append(c.Top, figures.Share{Value: clip(v.Value, 24), Count: v.Count})
	}
	return c
}

// place is where the data lie, nil if nobody says.
func (v *view) place() *figures.Place {
	b, ok := chart.Extent(v.e, v.Row.Profile)
	if !ok {
		return nil
	}
	out := &figures.Place{West: b.West, South: b.South, East: b.East, North: b.North, Name: v.e.Slug}
	if v.halved < withoutMap {
		at := v.points(b)
		out.Draw = func(title string) string { return chart.Map(b, at, title) }
	}
	return out
}

// How often bounds are halved on a page that says in words only where the data lie, that draws no figure of
// them, and none of their columns.
const (
	withoutMap     = 2
	withoutFigures = 3
	withoutColumns = 4
)

// pointsShown bounds the points on a map.
const pointsShown = 20

// points are those of the sampled rows that may be shown: a pair of columns that
// hold latitude and longitude.
func (v *view) points(b worldmap.Box) chart.Places {
	p := v.Row.Profile
	if p == nil || !v.shows(p) {
		return nil
	}
	var axes []string
	for i := range p.Fields {
		if f := &p.Fields[i]; f.Concept == "geo-point" && f.Personal == "" && f.Type == "decimal" {
			axes = append(axes, f.Name)
		}
	}
	if len(axes) != 2 {
		return nil
	}
	var out chart.Places
	for _, record := range p.SampleRecords[:min(len(p.SampleRecords), pointsShown)] {
		var row map[string]any
		if json.Unmarshal(record, &row) != nil {
			continue
		}
		x, okX := row[axes[0]].(float64)
		y, okY := row[axes[1]].(float64)
		if !okX || !okY {
			continue
		}
		// Which of the two is the latitude is told by where the data lie.
		if inside := func(lon, lat float64) bool { return lon >= b.West && lon <= b.East && lat >= b.South && lat <= b.North }; inside(x, y) {
			out = append(out, [2]float64{x, y})
		} else if inside(y, x) {
			out = append(out, [2]float64{y, x})
		}
	}
	return out
}

// series is the measure over time that the sample is, nil for none.
func (v *view) series() *figures.Series {
	p := v.Row.Profile
	if p == nil || p.Series == nil || v.halved >= withoutFigures || !v.shows(p) || len(p.Series.Points) < 2 {
		return nil
	}
	out := &figures.Series{Time: clip(p.Series.Time, 40), Value: clip(p.Series.Value, 60), Name: v.e.Slug}
	list := make([]chart.Point, len(p.Series.Points))
	for i, x := range p.Series.Points {
		list[i] = chart.Point{At: x.At, V: x.V}
		out.Points = append(out.Points, figures.Point{At: x.At, V: x.V})
	}
	out.Draw = func(title string, number func(float64) string) string { return chart.Line(list, title, number) }
	return out
}

// barsMost is how many rows a picture of bars has at most.
const barsMost = 20

// bars are the values of a small table of which each row is a name and a number,
// nil for another.
func (v *view) bars() *figures.Bars {
	p := v.Row.Profile
	if p == nil || !v.shows(p) || v.halved >= withoutFigures || p.Truncated || p.RecordCount == nil || *p.RecordCount != int64(len(p.SampleRecords)) || *p.RecordCount < 2 || *p.RecordCount > barsMost {
		return nil
	}
	name, value := -1, -1
	for i := range p.Fields {
		f := &p.Fields[i]
		switch {
		case f.Personal != "":
		case f.Type == "string" && name < 0 && f.Distinct != nil && *f.Distinct == *p.RecordCount:
			name = i
		case f.Type == "integer" && value < 0 && f.Concept == "":
			value = i
		}
	}
	if name < 0 || value < 0 {
		return nil
	}
	return barsOf(p, p.Fields[name].Name, p.Fields[value].Name, v.e.Slug)
}

func barsOf(p *catalog.Profile, name, value, slug string) *figures.Bars {
	out := &figures.Bars{Label: clip(value, 60), ColumnName: clip(name, 40), Name: slug + "-" + strconv.Itoa(len(p.SampleRecords))}
	var list []chart.Bar
	for _, record := range p.SampleRecords {
		var row map[string]any
		if json.Unmarshal(record, &row) != nil {
			return nil
		}
		text, _ := row[name].(string)
		n, ok := row[value].(float64)
		if !ok || n < 0 || n > math.MaxInt32 || text == "" {
			return nil
		}
		out.List = append(out.List, figures.Bar{Name: clip(text, 60), V: int(n)})
		list = append(list, chart.Bar{Name: text, V: n})
	}
	out.Draw = func(title string, number func(float64) string) string { return chart.Bars(list, title, number) }
	return out
}
