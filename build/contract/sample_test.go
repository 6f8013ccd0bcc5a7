package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func column(name, typ string) catalog.ProfileField {
	return catalog.ProfileField{Name: name, Type: typ}
}

// TestSamples: what a later sample of a table says of the table.
func TestSamples(t *testing.T) {
	t.Parallel()
	table := func(edit func(*catalog.Profile)) *catalog.Profile {
		p := &catalog.Profile{Kind: "csv", Separator: ",", Encoding: "utf-8", Fields: []catalog.ProfileField{
			column("id", "id"), column("value", "decimal"), {Name: "note", Type: "string", Nullable: true}, {Name: "tags", Type: "array", Items: "string"}}}
		edit(p)
		return p
	}
	for _, c := range []struct {
		what string
		edit func(*catalog.Profile)
		want string
	}{
		{"nothing", func(*catalog.Profile) {}, ""},
		{"more rows", func(p *catalog.Profile) { n := int64(9); p.RecordCount, p.Fields[1].Max = &n, "99" }, ""},
		{"a column more", func(p *catalog.Profile) { p.Fields = append(p.Fields, column("x", "date")) }, "compatible column.added x"},
		{"a column less", func(p *catalog.Profile) { p.Fields = append(p.Fields[:2:2], p.Fields[3]) }, "breaking column.removed note"},
		{"another name", func(p *catalog.Profile) { p.Fields[1].Name = "VALUE" }, "breaking column.removed value, compatible column.added VALUE"},
		{"another order", func(p *catalog.Profile) { p.Fields[0], p.Fields[1] = p.Fields[1], p.Fields[0] }, ""},
		{"numbers became text", func(p *catalog.Profile) { p.Fields[1].Type = "string" }, "breaking column.type-changed value"},
		{"whole numbers this time", func(p *catalog.Profile) { p.Fields[1].Type = "integer" }, ""},
		{"no value in the sample", func(p *catalog.Profile) { p.Fields[1].Type = "unknown" }, ""},
		{"no list has a value", func(p *catalog.Profile) { p.Fields[3].Items = "" }, ""},
		{"lists of numbers", func(p *catalog.Profile) { p.Fields[3].Items = "integer" }, "breaking column.type-changed tags"},
		{"an identifier found", func(p *catalog.Profile) { p.Fields[0].Concept = "lei" }, ""},
		{"a description", func(p *catalog.Profile) { p.Fields[0].Description = "key" }, ""},
		{"another separator", func(p *catalog.Profile) { p.Separator = ";" }, "breaking form.type-changed separator"},
		{"another code page", func(p *catalog.Profile) { p.Encoding = "windows-1252" }, "breaking form.type-changed encoding"},
		{"another format", func(p *catalog.Profile) { p.Kind, p.Separator, p.Encoding = "json", "", "" }, "breaking form.type-changed format"},
	} {
		if got := told(t, table(func(*catalog.Profile) {}), table(c.edit)); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestSamplesOfSparseFormats: JSON and XML write only what has a value, so that what was
// missing once may be missing again, and comes back without a change.
func TestSamplesOfSparseFormats(t *testing.T) {
	t.Parallel()
	doc := func(records string, fields ...catalog.ProfileField) *catalog.Profile {
		return &catalog.Profile{Kind: "json", Encoding: "windows-1252", Records: records, Fields: fields}
	}
	x, y, sometimes := column("x", "integer"), column("y", "string"), catalog.ProfileField{Name: "y", Type: "string", Nullable: true}
	ascii := doc("a", x, y)
	ascii.Encoding = "utf-8"
	for what, c := range map[string]struct {
		samples []*catalog.Profile
		want    string
	}{
		"a member that was always there is gone":     {[]*catalog.Profile{doc("a", x, y), doc("a", x)}, "breaking column.removed y"},
		"one that was missing before is missing":     {[]*catalog.Profile{doc("a", x, sometimes), doc("a", x), doc("a", x, y), doc("a", x)}, ""},
		"one that is missing at times":               {[]*catalog.Profile{doc("a", x, y), doc("a", x, sometimes), doc("a", x), doc("a", x), doc("a", x, y)}, ""},
		"records lie elsewhere":                      {[]*catalog.Profile{doc("a", x), doc("b", x)}, "breaking form.type-changed records"},
		"no letter of this sample tells the charset": {[]*catalog.Profile{doc("a", x, y), ascii}, ""},
	} {
		if got := told(t, c.samples...); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

// told are the changes that are seen in one sample after the other.
func told(t *testing.T, samples ...*catalog.Profile) string {
	t.Helper()
	var known *Contract
	var before *catalog.Profile
	var all []string
	for _, p := range samples {
		c, err := FromSample(known, before, p)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Compare(known, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range d.Changes {
			all = append(all, fmt.Sprintf("%s %s %s", x.Severity, x.Kind, x.Field))
		}
		if before = p; known == nil || len(d.Changes) > 0 {
			known = c
		}
	}
	return strings.Join(all, ", ")
}
