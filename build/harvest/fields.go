package harvest

import (
	"maps"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// recommended is a field whose absence costs points of metadata completeness
// (decisions §5), and how to see that a record came with it.
type recommended struct {
	field string
	has   func(*source.Draft) bool
}

var common = []recommended{
	{"description", func(d *source.Draft) bool { return d.Entry.Description != "" || d.Entry.DescriptionEn != "" }},
	{"docs_url", func(d *source.Draft) bool { return d.Entry.DocsURL != "" }},
	{"tags", func(d *source.Draft) bool { return len(d.Entry.Tags) > 0 }},
	{"publisher_name", func(d *source.Draft) bool {
		return d.PublisherName != "" || d.PublisherKey != "" || d.Entry.PublisherName != ""
	}},
	{"country_code", func(d *source.Draft) bool { return d.Entry.CountryCode != "" }},
}

var recommendedByType = map[catalog.EntryType][]recommended{
	catalog.TypeAPI: append([]recommended{
		{"homepage_url", func(d *source.Draft) bool { return d.Entry.HomepageURL != "" }},
		{"api.base_url", func(d *source.Draft) bool { return d.Entry.API != nil && d.Entry.API.BaseURL != "" }},
		{"api.openapi_url", func(d *source.Draft) bool { return d.Entry.API != nil && d.Entry.API.OpenAPIURL != "" }},
		{"auth_type", func(d *source.Draft) bool {
			return d.Entry.AuthType != "" && d.Entry.AuthType != catalog.AuthUnknown
		}},
		{"license_raw", func(d *source.Draft) bool {
			return d.Entry.LicenseRaw != "" || d.Entry.API != nil && d.Entry.API.TermsURL != ""
		}},
	}, common...),
	catalog.TypeMCPServer: append([]recommended{
		{"homepage_url", func(d *source.Draft) bool { return d.Entry.HomepageURL != "" }},
		{"repo_url", func(d *source.Draft) bool { return d.Entry.RepoURL != "" }},
		{"mcp.endpoint_url", func(d *source.Draft) bool { return d.Entry.MCP != nil && d.Entry.MCP.EndpointURL != "" }},
		{"mcp.tools", func(d *source.Draft) bool { return d.Entry.MCP != nil && len(d.Entry.MCP.Tools) > 0 }},
		{"auth_type", func(d *source.Draft) bool {
			return d.Entry.AuthType != "" && d.Entry.AuthType != catalog.AuthUnknown
		}},
	}, common...),
	catalog.TypeDataset: append([]recommended{
		{"dataset.landing_page", func(d *source.Draft) bool { return d.Entry.Dataset != nil && d.Entry.Dataset.LandingPage != "" }},
		{"formats", func(d *source.Draft) bool { return len(d.Entry.Formats) > 0 }},
		{"dataset.distributions", func(d *source.Draft) bool { return d.Entry.Dataset != nil && len(d.Entry.Dataset.Distributions) > 0 }},
		{"license_raw", func(d *source.Draft) bool { return d.Entry.LicenseRaw != "" || d.OtherLicence }},
		{"source_modified_at", func(d *source.Draft) bool { return !d.Entry.SourceModifiedAt.IsZero() }},
		{"dataset.frequency", func(d *source.Draft) bool { return d.Entry.Dataset != nil && d.Entry.Dataset.Frequency != "" }},
		{"dataset.spatial", func(d *source.Draft) bool {
			return d.Entry.Dataset != nil && (len(d.Entry.Dataset.Spatial) > 0 || !d.Entry.Dataset.TemporalStart.IsZero())
		}},
		{"contact", func(d *source.Draft) bool { return d.Entry.Contact != nil }},
	}, common...),
}

// tally adds up over the records of a run what their publishers delivered and
// omitted, and what the harvest could not keep of it.
type tally struct {
	delivered, repaired, refused int
	by                           map[string]catalog.FieldCount
	lacks                        [len(asked)]catalog.Lack
}

func (t *tally) add(d *source.Draft) {
	refused := map[string]bool{}
	dropped := 0
	for i := range d.Rows {
		if row := &d.Rows[i]; row.Basis == catalog.BasisNotDelivered {
			refused[row.Field] = true
			dropped++
		}
	}
	t.delivered += d.Delivered
	t.refused += dropped
	// A draft counts what it refuses among its repairs.
	t.repaired += max(0, d.Repaired-dropped)
	if t.by == nil {
		t.by = map[string]catalog.FieldCount{}
	}
	for _, f := range recommendedByType[d.Entry.Type] {
		n := t.by[f.field]
		n.Field = f.field
		switch {
		case f.has(d):
			n.Delivered++
		case refused[f.field]:
			n.Refused++
		default:
			n.Omitted++
		}
		t.by[f.field] = n
	}
}

// fields is the tally as it is published, by field.
func (t *tally) fields() catalog.RunFields {
	out := catalog.RunFields{Delivered: t.delivered, Repaired: t.repaired, Refused: t.refused}
	for _, field := range slices.Sorted(maps.Keys(t.by)) {
		n := t.by[field]
		out.Omitted += n.Omitted
		out.By = append(out.By, n)
	}
	for _, l := range t.lacks {
		if l.Of > 0 {
			out.Lacks = append(out.Lacks, l)
		}
	}
	return out
}

func newTally(f *catalog.RunFields) tally {
	t := tally{delivered: f.Delivered, repaired: f.Repaired, refused: f.Refused, by: map[string]catalog.FieldCount{}}
	for _, n := range f.By {
		t.by[n.Field] = n
	}
	for i := range asked {
		for _, l := range f.Lacks {
			if l.What == asked[i].what {
				t.lacks[i] = l
			}
		}
	}
	return t
}

// merge adds what another tally counted.
func (t *tally) merge(more *tally) {
	t.delivered += more.delivered
	t.repaired += more.repaired
	t.refused += more.refused
	if t.by == nil {
		t.by = map[string]catalog.FieldCount{}
	}
	for field, m := range more.by {
		n := t.by[field]
		n.Field = field
		n.Delivered, n.Refused, n.Omitted = n.Delivered+m.Delivered, n.Refused+m.Refused, n.Omitted+m.Omitted
		t.by[field] = n
	}
	for i, l := range more.lacks {
		t.lacks[i].What = asked[i].what
		t.lacks[i].Of += l.Of
		t.lacks[i].NotStated += l.NotStated
		t.lacks[i].Unresolved += l.Unresolved
	}
}

func (t *tally) clone() tally {
	c := *t
	c.by = maps.Clone(t.by)
	return c
}
