package ogc

import (
	"cmp"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
)

// property is what a filter can name: texts, of which one suffices, or an instant in Unix
// seconds, 0 for none. Words are those of the search, not the text itself.
type property struct {
	title, kind string
	texts       func(l *line) []string
	time        func(l *line) int64
	words       bool
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// properties are the queryables beside the geometry. What is shown in a record is what is
// compared; a licence goes by its address, too.
func properties(licences map[string]*catalog.Licence) map[string]property {
	return map[string]property{
		"id":             {title: "Id", kind: "string", texts: func(l *line) []string { return one(l.ID) }},
		"type":           {title: "Type of the resource", kind: "string", texts: func(l *line) []string { return one(resource(l.Type)) }},
		"title":          {title: "Title", kind: "string", texts: func(l *line) []string { return titles(l) }},
		"anytext":        {title: "Any text: words of the search", kind: "string", words: true},
		"keywords":       {title: "Keywords", kind: "string", texts: func(l *line) []string { return l.Tags }},
		"formats":        {title: "Formats", kind: "string", texts: func(l *line) []string { return l.Formats }},
		"themes":         {title: "EU data themes", kind: "string", texts: func(l *line) []string { return l.Themes }},
		"language":       {title: "Language of the title", kind: "string", texts: func(l *line) []string { return one(l.Lang) }},
		"country":        {title: "Country", kind: "string", texts: func(l *line) []string { return one(l.Country) }},
		"license":        {title: "Licence", kind: "string", texts: func(l *line) []string { return named(licences, l.LicenseID) }},
		"rights":         {title: "Access rights", kind: "string", texts: func(l *line) []string { return one(string(l.Rights)) }},
		"state":          {title: "What the last check found", kind: "string", texts: func(l *line) []string { return one(string(l.State)) }},
		"institution_id": {title: "Id of the institution that publishes it", kind: "string", texts: func(l *line) []string { return one(l.InstitutionID) }},
		"created":        {title: "When the entry came", time: func(l *line) int64 { return l.Created }},
		"updated":        {title: "When the entry last changed", time: func(l *line) int64 { return l.Updated }},
		"start":          {title: "Begin of the period", time: func(l *line) int64 { return l.From }},
		"end":            {title: "End of the period", time: func(l *line) int64 { return l.To }},
	}
}

func named(licences map[string]*catalog.Licence, id string) []string {
	out := one(id)
	if x := licences[id]; x != nil && x.URL != "" {
		out = append(out, x.URL)
	}
	return out
}

func titles(l *line) []string {
	out := one(l.Name)
	if l.NameEn != "" {
		out = append(out, l.NameEn)
	}
	for _, t := range l.Titles {
		out = append(out, t.Text)
	}
	return out
}

// orders are what records can be sorted by.
var orders = map[string]query.Key{
	"title":   {},
	"type":    by(func(l *line) string { return resource(l.Type) }),
	"created": by(func(l *line) int64 { return l.Created }),
	"updated": by(func(l *line) int64 { return l.Updated }),
	"id":      by(func(l *line) string { return l.ID }),
}

func by[T cmp.Ordered](key func(*line) T) query.Key {
	return query.Key{Compare: func(a, b *line) int { return cmp.Compare(key(a), key(b)) }}
}

// polygon is a box as the coordinates of GeoJSON. One that crosses the antimeridian is two
// (RFC 7946, section 3.1.9).
func polygon(b *catalog.Box) any {
	if b == nil {
		return nil
	}
	ring := func(w, e float64) [][][2]float64 {
		return [][][2]float64{{{w, b.South}, {e, b.South}, {e, b.North}, {w, b.North}, {w, b.South}}}
	}
	if b.West > b.East {
		return map[string]any{"type": "MultiPolygon", "coordinates": [][][][2]float64{ring(b.West, 180), ring(-180, b.East)}}
	}
	return map[string]any{"type": "Polygon", "coordinates": ring(b.West, b.East)}
}
