package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/format"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/words"
	"github.com/assay-register/assay/render/catalog"
)

// Severity of a change to a schema, for a program that reads the data.
type Severity string

// Severities, the gravest first. Breaking: a program that worked stops or reads
// something else. Additive: it works and could read more. Cosmetic: nothing
// that a program reads is touched, or the sample alone may be the cause.
const (
	Breaking Severity = "breaking"
	Additive Severity = "additive"
	Cosmetic Severity = "cosmetic"
)

// Change is one difference between two profiles. It holds names and types,
// never values of the data.
type Change struct {
	Severity Severity `json:"severity"`
	// Kind is field_removed, field_added, field_renamed, type_changed,
	// nullable_changed, concept_changed, text_changed, order_changed,
	// format_changed or records_moved.
	Kind  string `json:"kind"`
	Field string `json:"field,omitempty"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
}

// Drift is how the schema of a source changed. Severity is that of the gravest
// change, empty if there is none.
type Drift struct {
	Severity Severity `json:"severity,omitempty"`
	Changes  []Change `json:"changes,omitempty"`
}

// Compare returns the changes from one profile of a source to a later one, in
// the order of the fields. A source that could not be read has not changed its
// schema: without fields on both sides there is no drift.
func Compare(from, to *catalog.Profile) Drift {
	var d Drift
	if from == nil || to == nil || len(from.Fields) == 0 || len(to.Fields) == 0 {
		return d
	}
	d.document(from, to)
	d.fields(from, to)
	for _, s := range []Severity{Breaking, Additive, Cosmetic} {
		if slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Severity == s }) {
			d.Severity = s
			break
		}
	}
	return d
}

func (d *Drift) add(s Severity, kind, field, from, to string) {
	d.Changes = append(d.Changes, Change{s, kind, field, from, to})
}

func (d *Drift) document(from, to *catalog.Profile) {
	for _, p := range []struct{ what, from, to string }{
		{"format", from.Kind, to.Kind}, {"separator", from.Separator, to.Separator}, {"encoding", from.Encoding, to.Encoding}} {
		unknown := p.from == "" || p.to == ""
		if p.from != p.to && (p.what == "format" || !unknown) {
			d.add(Breaking, "format_changed", "", strings.TrimSpace(p.what+" "+p.from), strings.TrimSpace(p.what+" "+p.to))
		}
	}
	if from.Records != to.Records && from.Kind == to.Kind {
		d.add(Breaking, "records_moved", "", from.Records, to.Records)
	}
}

func (d *Drift) fields(from, to *catalog.Profile) {
	before, after := index(from.Fields), index(to.Fields)
	var gone, come []*catalog.ProfileField
	for i := range from.Fields {
		if after[from.Fields[i].Name] == nil {
			gone = append(gone, &from.Fields[i])
		}
	}
	for i := range to.Fields {
		f := &to.Fields[i]
		if old := before[f.Name]; old != nil {
			d.field(old, f)
		} else {
			come = append(come, f)
		}
	}
	come = d.renamed(gone, come, from)
	for _, f := range come {
		d.add(Additive, "field_added", f.Name, "", f.Type)
	}
	if len(gone)+len(come) == 0 && !slices.EqualFunc(from.Fields, to.Fields, func(a, b catalog.ProfileField) bool { return a.Name == b.Name }) {
		d.add(Cosmetic, "order_changed", "", "", "")
	}
}

func index(fields []catalog.ProfileField) map[string]*catalog.ProfileField {
	out := make(map[string]*catalog.ProfileField, len(fields))
	for i := range fields {
		out[fields[i].Name] = &fields[i]
	}
	return out
}

// renamed reports what is gone, as a rename if a new field has the same words,
// and returns the new fields that are left.
func (d *Drift) renamed(gone, come []*catalog.ProfileField, from *catalog.Profile) []*catalog.ProfileField {
	for _, old := range gone {
		same := func(f *catalog.ProfileField) bool { return slices.Equal(words.Split(f.Name), words.Split(old.Name)) }
		if i := slices.IndexFunc(come, same); i >= 0 {
			d.add(Breaking, "field_renamed", old.Name, old.Name, come[i].Name)
			come = slices.Delete(slices.Clone(come), i, i+1)
			continue
		}
		severity := Breaking
		if old.Nullable && open(from.Kind) {
			severity = Cosmetic
		}
		d.add(severity, "field_removed", old.Name, old.Type, "")
	}
	return come
}

// open tells that a format writes a field only where it has a value, so that a
// sample may miss one that was missing before.
func open(kind string) bool {
	return slices.Contains([]string{format.JSON, format.NDJSON, format.GeoJSON, format.XML}, kind)
}

func (d *Drift) field(old, now *catalog.ProfileField) {
	from, to := typeOf(old), typeOf(now)
	if from != to {
		d.add(retyped(old.Type, now.Type), "type_changed", now.Name, from, to)
	}
	if old.Nullable != now.Nullable {
		d.add(Cosmetic, "nullable_changed", now.Name, fmt.Sprint(old.Nullable), fmt.Sprint(now.Nullable))
	}
	if old.Concept != now.Concept {
		severity := Cosmetic
		if old.Concept == "" {
			severity = Additive
		}
		d.add(severity, "concept_changed", now.Name, old.Concept, now.Concept)
	}
	if old.Label != now.Label || old.Description != now.Description {
		d.add(Cosmetic, "text_changed", now.Name, "", "")
	}
}

func typeOf(f *catalog.ProfileField) string {
	if f.Items == "" {
		return f.Type
	}
	return f.Type + " of " + f.Items
}

// retyped: a column without values had no type, and a narrower type reads like
// the wider one before. Everything else breaks a program that parses values.
func retyped(from, to string) Severity {
	f, t := infer.Type(from), infer.Type(to)
	switch {
	case f == infer.Unknown:
		return Additive
	case t == infer.Unknown:
		return Cosmetic
	case f == infer.String && (t == infer.ID || t == infer.URL || t == infer.Email), t == infer.String && (f == infer.ID || f == infer.URL || f == infer.Email):
		return Cosmetic
	case f == infer.Decimal && t == infer.Integer, f == infer.Integer && t == infer.Year, f == infer.Year && t == infer.Integer:
		return Cosmetic
	}
	return Breaking
}
