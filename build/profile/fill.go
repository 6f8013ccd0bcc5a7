package profile

import (
	"slices"
	"strconv"

	"github.com/assay-register/assay/build/profile/concept"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/render/catalog"
)

// fill turns a table into the profile's fields, verdict and sample rows.
func fill(p *catalog.Profile, t *table.Table) {
	p.Kind, p.Encoding, p.Separator, p.Records = t.Kind, t.Encoding, t.Separator, t.Records
	p.SampledRecords, p.Truncated = t.Count, p.Truncated || t.Truncated
	p.Notes = t.Notes
	columns := judged(t)
	var verdicts []personal.Verdict
	verdicts, p.PersonalData = personal.Classify(columns)
	if p.PersonalData.Grain != personal.GrainPerson {
		if p.BBox = t.BBox; p.BBox == nil {
			p.BBox = boxOf(columns, verdicts)
		}
	}
	for i := range columns {
		p.Fields = append(p.Fields, field(&columns[i], verdicts[i]))
	}
	if p.PersonalData.Allowed {
		p.SampleRecords = sampleRows(t, columns, verdicts)
		spreads(p, t, columns, verdicts)
	}
}

func judged(t *table.Table) []personal.Column {
	inferred := infer.Columns(t)
	out := make([]personal.Column, len(inferred))
	for i := range inferred {
		out[i] = personal.Column{Column: &inferred[i], Concept: conceptOf(&inferred[i]), Context: t.Records}
	}
	coordinates(out)
	return out
}

// scanned are types whose values can be identifiers of a canonical scheme.
var scanned = []infer.Type{infer.String, infer.ID, infer.Integer, infer.GeoPoint, infer.URL}

func conceptOf(c *infer.Column) string {
	kind := c.Type
	if kind == infer.Array {
		kind = c.Items
	}
	if !slices.Contains(scanned, kind) || c.AtLeast && len(c.Values) == 0 {
		return ""
	}
	if kind == infer.GeoPoint {
		return points(c)
	}
	return concept.Match(c.Name, c.Values)
}

// points links positions in degrees; others are of a national grid.
func points(c *infer.Column) string {
	for _, v := range c.Values {
		if !concept.Valid(concept.GeoPoint, v) {
			return ""
		}
	}
	return concept.GeoPoint
}

// coordinates links a pair of columns that hold latitude and longitude.
func coordinates(columns []personal.Column) {
	pair := map[concept.Axis]*personal.Column{}
	for i := range columns {
		c := &columns[i]
		axis := concept.AxisOf(c.Name)
		limit := map[concept.Axis]float64{concept.Latitude: 90, concept.Longitude: 180}[axis]
		if axis == "" || pair[axis] != nil || c.Type != infer.Decimal {
			continue
		}
		low, errLow := strconv.ParseFloat(c.Min, 64)
		high, errHigh := strconv.ParseFloat(c.Max, 64)
		if errLow == nil && errHigh == nil && low >= -limit && high <= limit {
			pair[axis] = c
		}
	}
	if pair[concept.Latitude] != nil && pair[concept.Longitude] != nil {
		pair[concept.Latitude].Concept, pair[concept.Longitude].Concept = concept.GeoPoint, concept.GeoPoint
	}
}

// boxOf is west, south, east and north of a pair of columns that hold latitude and longitude, nil for none.
func boxOf(columns []personal.Column, verdicts []personal.Verdict) []float64 {
	box := make([]float64, 4)
	found := 0
	for i := range columns {
		c := &columns[i]
		if c.Concept != concept.GeoPoint || c.Type != infer.Decimal || verdicts[i].Mask {
			continue
		}
		at := 0
		if concept.AxisOf(c.Name) == concept.Latitude {
			at = 1
		}
		low, errLow := strconv.ParseFloat(c.Min, 64)
		high, errHigh := strconv.ParseFloat(c.Max, 64)
		if errLow != nil || errHigh != nil {
			return nil
		}
		box[at], box[at+2] = low, high
		found++
	}
	if found != 2 {
		return nil
	}
	return box
}

// field leaves out bounds and counts of masked columns: the oldest date of
// birth is one person's.
func field(c *personal.Column, v personal.Verdict) catalog.ProfileField {
	f := catalog.ProfileField{Name: c.Name, Type: string(c.Type), Items: string(c.Items), Label: c.Label, Description: c.Description,
		Concept: c.Concept, Matches: c.Concept != "", Nullable: c.Nullable}
	if v.Mask {
		f.Personal, f.PersonalConfidence = string(v.Class), v.Confidence
		return f
	}
	if c.Type != infer.Array {
		f.Min, f.Max = c.Min, c.Max
	}
	if !c.AtLeast && c.Filled > 0 {
		n := c.Distinct
		f.Distinct = &n
	}
	return f
}
