package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/chart"
	"github.com/assay-register/assay/templates/entry"
)

// preview is the look at the data, nil where nothing is known of them.
func (v *view) preview() *entry.Preview {
	p, d := v.Row.Profile, v.e.Dataset
	if p == nil && d == nil && len(v.e.Members) == 0 {
		return nil
	}
	out := &entry.Preview{}
	if p != nil {
		out.Notice = p.PersonalData.Notice
		out.Table = v.sampleOf(p)
		out.Fields, out.Left = v.fieldsOf(p, out.Table != nil)
		out.Figures = v.sampled(p)
		if out.Series = v.series(); out.Series == nil {
			out.Bars = v.bars()
		}
	}
	out.Place = v.place()
	out.Figures = append(out.Figures, v.coverage()...)
	for i := range v.e.Members[:min(len(v.e.Members), v.most(membersShown))] {
		m := &v.e.Members[i]
		out.Members = append(out.Members, entry.Member{Name: clip(cmp.Or(m.Title, m.Name), 140), Address: m.URL, Formats: clip(strings.Join(formatNames(m.Formats), ", "), 60)})
	}
	out.MembersLeft = len(v.e.Members) - len(out.Members)
	if out.Table == nil && len(out.Figures) == 0 && len(out.Fields) == 0 && len(out.Members) == 0 && out.Notice == "" && out.Place == nil {
		return nil
	}
	return out
}

// sampled are the figures of what was sampled; what is not known to be the whole file is said to
// be of the sample.
func (v *view) sampled(p *catalog.Profile) []entry.Figure {
	var list []entry.Figure
	file, whole := v.sampledFile(p)
	if p.RecordCount != nil {
		list = append(list, entry.Figure{Key: "data.records", Count: *p.RecordCount, About: p.CountEstimated, Sample: !whole && !p.CountEstimated})
	} else if p.SampledRecords > 0 {
		list = append(list, entry.Figure{Key: "data.records", Count: p.SampledRecords, Sample: true})
	}
	if p.DataSizeBytes != nil && *p.DataSizeBytes > 0 && (file == nil || file.ByteSize == 0) {
		list = append(list, entry.Figure{Key: "files.size", Bytes: *p.DataSizeBytes, Sample: !whole})
	}
	if name := sampledName(file, p.Source); name != "" && v.e.Dataset != nil && len(v.e.Dataset.Distributions) > 1 {
		list = append(list, entry.Figure{Key: "data.sampled_file", Text: clip(name, 80)})
	}
	if !p.ProfiledAt.IsZero() {
		list = append(list, entry.Figure{Key: "data.profiled", Day: p.ProfiledAt})
	}
	return list
}

// sampledName is what to call a file that was sampled: as its address does, if that names a file and no
// answer of a program (…/exports/csv), else by its title or its format.
func sampledName(file *catalog.Distribution, address string) string {
	name := fileName(address)
	if file == nil || strings.Contains(name, ".") {
		return name
	}
	return cmp.Or(strings.TrimSpace(file.Title), formatName(file.Format), name)
}

// sampledFile is the file that was sampled, nil for none that is known, and whether the figures
// of the profile are those of all of it.
func (v *view) sampledFile(p *catalog.Profile) (*catalog.Distribution, bool) {
	d := v.e.Dataset
	if d == nil {
		return nil, false
	}
	for i := range d.Distributions {
		f := &d.Distributions[i]
		if f.DownloadURL != p.Source || p.Source == "" {
			continue
		}
		size := int64(0)
		if p.DataSizeBytes != nil {
			size = *p.DataSizeBytes
		}
		near := f.ByteSize == 0 || size == 0 || size*2 >= f.ByteSize && size <= 2*f.ByteSize
		return f, near && !p.Truncated && !bounded(p.Source)
	}
	return nil, false
}

// bounded tells that an address asks for some of the records only.
func bounded(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	for key := range u.Query() {
		switch strings.TrimPrefix(strings.ToLower(key), "$") {
		case "count", "limit", "rows", "maxfeatures", "top", "per_page", "page_size", "pagesize", "resultrecordcount":
			return true
		}
	}
	return false
}

// coverage is what the source states of the data, but for what stands at the top of the page.
func (v *view) coverage() []entry.Figure {
	var list []entry.Figure
	if d := v.e.Dataset; d != nil && (!d.TemporalStart.IsZero() || !d.TemporalEnd.IsZero()) {
		list = append(list, entry.Figure{Key: "data.period", From: d.TemporalStart, To: d.TemporalEnd})
	}
	if words := areas(v.e.Spatial()); len(words) > 0 {
		list = append(list, entry.Figure{Key: "data.area", Places: words})
	}
	return list
}

// areas are the areas that a page can name; an address that the register does not know tells a reader
// nothing, but for its last part where that is no code.
func areas(list []string) (out []string) {
	for _, s := range list {
		if _, box := catalog.ParseBox(s); box {
			continue // is on the map
		}
		s = strings.TrimSpace(s)
		if !locales()[languages[0]].knows(s) {
			if s = path.Base(strings.TrimRight(s, "/")); strings.ContainsAny(s, "0123456789") {
				continue
			}
		}
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// sampleOf is the table of the sampled records, nil if none may be shown.
func (v *view) sampleOf(p *catalog.Profile) *entry.Table {
	if !v.shows(p) || len(p.Fields) == 0 {
		return nil
	}
	columns := p.Fields[:min(len(p.Fields), v.fewer(columnsShown, 2))]
	t := &entry.Table{Left: len(p.Fields) - len(columns)}
	for i := range columns {
		t.Columns = append(t.Columns, entry.Column{Name: clip(columns[i].Name, 40), Type: columns[i].Type, Number: columns[i].Type == "decimal" || columns[i].Type == "integer", Spread: v.spreadOf(&columns[i])})
	}
	values := map[string]json.RawMessage{}
	for _, record := range p.SampleRecords[:min(len(p.SampleRecords), v.fewer(samplesShown, 1))] {
		clear(values)
		if json.Unmarshal(record, &values) != nil {
			continue
		}
		row := make([]string, len(columns))
		for i := range columns {
			row[i] = clip(scalar(values[columns[i].Name]), 60)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// scalar is a JSON value as a reader wants it: text without its quotes.
func scalar(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

// fieldsOf says what the fields mean: all of them where no sample names them, else those of which more
// than name and type is known, or that the sample leaves out.
func (v *view) fieldsOf(p *catalog.Profile, sampled bool) (list []entry.Field, left int) {
	for i := range p.Fields {
		f := &p.Fields[i]
		x := entry.Field{Name: clip(f.Name, 80), Type: f.Type, Meaning: clip(cmp.Or(f.DescriptionEn, f.Description, f.Label), 160), Concept: f.Concept, Personal: f.Personal != "", Range: rangeOf(f)}
		if sampled && i < v.fewer(columnsShown, 2) && v.halved < withoutColumns && pictured(f) {
			x.Range = "" // stands below the picture of the column
		}
		if sampled && i < v.fewer(columnsShown, 2) && x.Meaning == "" && x.Concept == "" && !x.Personal && x.Range == "" {
			continue
		}
		if len(list) == v.most(fieldsShown) {
			left++
			continue
		}
		list = append(list, x)
	}
	return list, left
}

// pictured tells that the ranges of a column are drawn, from its least to its largest value.
func pictured(f *catalog.ProfileField) bool {
	return f.Spread != nil && f.Personal == "" && chart.Spread(f.Spread.Bins) != ""
}

// rangeOf are the bounds of the sampled values.
func rangeOf(f *catalog.ProfileField) string {
	switch {
	case f.Min == "" && f.Max == "":
		return ""
	case f.Min == f.Max:
		return clip(f.Min, 40)
	}
	return clip(f.Min, 40) + " – " + clip(f.Max, 40)
}

// fileName is the last part of an address that names a file, "" for none.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.HasSuffix(u.Path, "/") {
		return ""
	}
	if name := path.Base(u.Path); name != "." && name != "/" {
		return name
	}
	return ""
}
