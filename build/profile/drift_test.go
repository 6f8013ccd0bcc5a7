package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

func named(name, kind string) catalog.ProfileField {
	return catalog.ProfileField{Name: name, Type: kind}
}

func TestCompare(t *testing.T) {
	base := func(edit func(*catalog.Profile)) *catalog.Profile {
		p := &catalog.Profile{Kind: "csv", Separator: ",", Encoding: "utf-8", Status: StatusOK, Fields: []catalog.ProfileField{
			named("id", "id"), named("value", "decimal"), {Name: "note", Type: "string", Nullable: true}}}
		edit(p)
		return p
	}
	for _, c := range []struct {
		what string
		edit func(*catalog.Profile)
		want Drift
	}{
		{"nothing", func(*catalog.Profile) {}, Drift{}},
		{"more rows", func(p *catalog.Profile) { n := int64(9); p.RecordCount, p.Fields[1].Max = &n, "99" }, Drift{}},
		{"a field more", func(p *catalog.Profile) { p.Fields = append(p.Fields, named("x", "date")) },
			Drift{Additive, []Change{{Additive, "field_added", "x", "", "date"}}}},
		{"a field less", func(p *catalog.Profile) { p.Fields = p.Fields[:2] }, Drift{Breaking, []Change{{Breaking, "field_removed", "note", "string", ""}}}},
		{"a field renamed", func(p *catalog.Profile) { p.Fields[1].Name = "VALUE" }, Drift{Breaking, []Change{{Breaking, "field_renamed", "value", "value", "VALUE"}}}},
		{"another order", func(p *catalog.Profile) { p.Fields[0], p.Fields[1] = p.Fields[1], p.Fields[0] }, Drift{Cosmetic, []Change{{Cosmetic, "order_changed", "", "", ""}}}},
		{"a number became text", func(p *catalog.Profile) { p.Fields[1].Type = "string" }, Drift{Breaking, []Change{{Breaking, "type_changed", "value", "decimal", "string"}}}},
		{"a narrower number", func(p *catalog.Profile) { p.Fields[1].Type = "integer" }, Drift{Cosmetic, []Change{{Cosmetic, "type_changed", "value", "decimal", "integer"}}}},
		{"no value in the sample", func(p *catalog.Profile) { p.Fields[1].Type = "unknown" }, Drift{Cosmetic, []Change{{Cosmetic, "type_changed", "value", "decimal", "unknown"}}}},
		{"an identifier found", func(p *catalog.Profile) { p.Fields[0].Concept = "lei" }, Drift{Additive, []Change{{Additive, "concept_changed", "id", "", "lei"}}}},
		{"a description", func(p *catalog.Profile) { p.Fields[0].Description = "key" }, Drift{Cosmetic, []Change{{Cosmetic, "text_changed", "id", "", ""}}}},
		{"another separator", func(p *catalog.Profile) { p.Separator = ";" }, Drift{Breaking, []Change{{Breaking, "format_changed", "", "separator ,", "separator ;"}}}},
		{"another format", func(p *catalog.Profile) { p.Kind, p.Separator, p.Encoding = "json", "", "" }, Drift{Breaking, []Change{{Breaking, "format_changed", "", "format csv", "format json"}}}},
		{"a sample that failed", func(p *catalog.Profile) { p.Fields, p.Status = nil, StatusError }, Drift{}},
		{"the gravest counts", func(p *catalog.Profile) { p.Fields = append(p.Fields[1:], named("x", "date")) },
			Drift{Breaking, []Change{{Breaking, "field_removed", "id", "id", ""}, {Additive, "field_added", "x", "", "date"}}}},
	} {
		got := Compare(base(func(*catalog.Profile) {}), base(c.edit))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
	if got := Compare(nil, base(func(*catalog.Profile) {})); got.Severity != "" {
		t.Errorf("from nothing: %+v", got)
	}
}

// TestASampleMayMissOptionalFields: formats that write only what has a value.
func TestASampleMayMissOptionalFields(t *testing.T) {
	old := &catalog.Profile{Kind: "json", Records: "a", Fields: []catalog.ProfileField{named("x", "integer"), {Name: "y", Type: "string", Nullable: true}}}
	now := &catalog.Profile{Kind: "json", Records: "b", Fields: []catalog.ProfileField{named("x", "integer")}}
	want := Drift{Breaking, []Change{{Breaking, "records_moved", "", "a", "b"}, {Cosmetic, "field_removed", "y", "string", ""}}}
	if diff := cmp.Diff(want, Compare(old, now)); diff != "" {
		t.Error(diff)
	}
}

func TestPreview(t *testing.T) {
	p := profiled(t, "x.csv", []byte("region,value\nNorth,1\nSouth,2\n"))
	for _, c := range []struct {
		edit  func(*catalog.Profile)
		right catalog.Right
		want  bool
	}{
		{func(*catalog.Profile) {}, catalog.RightUnknown, true},
		{func(*catalog.Profile) {}, catalog.RightNo, false},
		{func(p *catalog.Profile) { p.SampleRecords = nil }, catalog.RightYes, false},
		{func(p *catalog.Profile) { p.PersonalData.Allowed = false }, catalog.RightYes, false},
		{func(p *catalog.Profile) { p.Status = StatusError }, catalog.RightYes, false},
	} {
		q := p
		c.edit(&q)
		if got, reason := q.Preview(c.right); got != c.want || got == (reason != "") {
			t.Errorf("%v %q, want %v", got, reason, c.want)
		}
	}
	if ok, _ := (*catalog.Profile)(nil).Preview(catalog.RightYes); ok {
		t.Error("nothing can be shown")
	}
}
