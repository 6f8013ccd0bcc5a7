package ckan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// field is a field of Solr that is a dimension of the register, or has values of its own.
type field struct {
	dimension string
	// values are those of an entry that no dimension has, nil where there is one.
	values func(*snapshot.Line) []string
	// value is what CKAN has for a value of the register, and how people read it; nil for
	// the same.
	value func(c *call, v string) (name, title string)
}

func (f *field) of(c *call, v string) (name, title string) {
	if f.value == nil {
		return v, v
	}
	return f.value(c, v)
}

// fits is a condition on the values of a field.
func (f *field) fits(test func(value string) bool) query.Condition {
	if f.values == nil {
		return query.Has(f.dimension, test)
	}
	return query.Fits(func(l *snapshot.Line) bool { return slices.ContainsFunc(f.values(l), test) })
}

// fieldOf is a field by its name: one of CKAN, or a filter of the list under the name that it has there.
func fieldOf(name string) (field, bool) {
	if f, ok := facetFields[name]; ok {
		return f, true
	}
	dimension := strings.TrimPrefix(name, "extras_")
	if dimension == "country" { // as the list has it, too
		dimension = snapshot.ByCountry
	}
	return field{dimension: dimension}, isDimension(dimension)
}

// facetFields are those whose names differ from the register's.
var facetFields = map[string]field{
	"organization": {dimension: "institution_id", value: func(c *call, v string) (string, string) {
		if i := c.s.Institutions[v]; i != nil {
			return i.Key, i.Name
		}
		return v, v
	}},
	"owner_org":  {dimension: "institution_id"},
	"groups":     {dimension: "theme", value: func(_ *call, v string) (string, string) { return strings.ToLower(v), cmp.Or(themes[v], v) }},
	"tags":       {dimension: "tags"},
	"res_format": {values: func(l *snapshot.Line) []string { return l.Resources }},
	"license_id": {dimension: "license", value: func(c *call, v string) (string, string) {
		if l := c.s.Licences[v]; l != nil {
			return v, l.Title
		}
		return v, v
	}},
	"dataset_type": {dimension: "type", value: typed}, "type": {dimension: "type", value: typed},
}

func typed(_ *call, v string) (string, string) {
	word := packageTypes[catalog.EntryType(v)]
	return word, word
}

// texts of Solr that are looked for by words.
var wordFields = map[string]bool{"text": true, "notes": true, "res_name": true, "res_description": true, "extras": true, "author": true, "maintainer": true}

// times are the fields of instants.
var timeFields = map[string]func(*snapshot.Line) int64{
	"metadata_modified": func(l *snapshot.Line) int64 { return l.Updated }, "metadata_created": func(l *snapshot.Line) int64 { return l.Created },
}

// numberFields are the fields of numbers.
var numberFields = map[string]func(*snapshot.Line) float64{
	"num_tags": func(l *snapshot.Line) float64 { return float64(len(l.Tags)) }, "mqa_score": func(l *snapshot.Line) float64 { return l.MQA.Float() },
	"official_confidence": func(l *snapshot.Line) float64 { return float64(l.Confidence) },
}

// constants are fields that have one value in all packages.
var constants = map[string]string{"state": active, "private": "false", "capacity": "public", "entity_type": "package", "permission_labels": "public", "site_id": "default", "is_organization": "false"}

// lineFields are further fields with the values of an entry.
var lineFields = map[string]func(*snapshot.Line) string{
	"id": func(l *snapshot.Line) string { return l.ID }, "name": func(l *snapshot.Line) string { return l.Slug },
}

// inSolr tells whether the words of a search are in Solr's language: they name a field of
// CKAN. What the search itself understands is left to it.
func inSolr(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ()+-!", r) }) {
		name, _, ok := strings.Cut(word, ":")
		if _, known := facetFields[name]; ok && (known || wordFields[name] || timeFields[name] != nil || lineFields[name] != nil || constants[name] != "" ||
			numberFields[name] != nil || strings.HasPrefix(name, "extras_") || strings.HasPrefix(name, "vocab_")) {
			return true
		}
	}
	return false
}

// condition is that a field has a value that fits a pattern.
func (c *call) condition(name string, v *value) (query.Condition, error) {
	switch {
	case name == "*" && v.any():
		return everything, nil
	case v.ranged && !v.any() && (name == "title" || wordFields[name]):
		return everything, unsearchable(name + " is a text, which has words and no range")
	case name == "title":
		return query.Fits(func(l *snapshot.Line) bool { return v.any() || contains(l.Name, v.text) || contains(l.NameEn, v.text) }), nil
	case wordFields[name]:
		return query.Says(v.text), nil
	case timeFields[name] != nil:
		return c.instants(name, v)
	case numberFields[name] != nil:
		return numbers(name, v)
	case lineFields[name] != nil:
		return query.Fits(func(l *snapshot.Line) bool { return v.fits(lineFields[name](l)) }), nil
	case constants[name] != "":
		return constant(v.fits(constants[name])), nil
	case name == "isopen":
		return query.Fits(func(l *snapshot.Line) bool {
			x := c.s.Licences[l.LicenseID]
			return v.fits(strconv.FormatBool(x != nil && x.Open == catalog.RightYes))
		}), nil
	case strings.HasPrefix(name, "vocab_"):
		return constant(false), nil // there are no vocabularies
	}
	f, ok := fieldOf(name)
	if !ok {
		return everything, unsearchable("undefined field " + name)
	}
	return f.fits(func(have string) bool {
		name, _ := f.of(c, have)
		return v.fits(name)
	}), nil
}

var everything = constant(true)

func constant(yes bool) query.Condition { return query.Fits(func(*snapshot.Line) bool { return yes }) }

// contains tells whether all words of a text are in another.
func contains(have, words string) bool {
	terms := search.Terms(have)
	for _, w := range search.Terms(strings.TrimSuffix(words, "*")) {
		found := false
		for _, t := range terms {
			found = found || t == w || strings.HasSuffix(words, "*") && strings.HasPrefix(t, w)
		}
		if !found {
			return false
		}
	}
	return true
}

// instants is a condition on a time: a range, or the day that a text begins with.
func (c *call) instants(name string, v *value) (query.Condition, error) {
	at := timeFields[name]
	if v.any() {
		return query.Fits(func(l *snapshot.Line) bool { return at(l) != 0 }), nil
	}
	from, err := instant(v.from, c.s.AsOf)
	if err != nil {
		return everything, err
	}
	to, err := instant(v.to, c.s.AsOf)
	if err != nil {
		return everything, err
	}
	if !v.ranged {
		if from, err = instant(v.text, c.s.AsOf); err != nil {
			return everything, err
		}
		to = from
	}
	return query.Fits(func(l *snapshot.Line) bool { return within(float64(at(l)), v, from, to) && at(l) != 0 }), nil
}

// within tells whether a number lies in a range; nil is an open end.
func within(x float64, v *value, from, to *float64) bool {
	return (from == nil || x > *from || x == *from && !v.openFrom) && (to == nil || x < *to || x == *to && !v.openTo)
}

func numbers(name string, v *value) (query.Condition, error) {
	of := numberFields[name]
	if v.any() {
		return everything, nil
	}
	ends := [2]*float64{}
	for i, text := range []string{v.from, v.to} {
		if !v.ranged {
			text = v.text
		}
		if text == "*" {
			continue
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return everything, unsearchable("Invalid Number: " + text)
		}
		ends[i] = &n
	}
	return query.Fits(func(l *snapshot.Line) bool { return within(of(l), v, ends[0], ends[1]) }), nil
}

// instant reads a time of Solr: an instant, a day, or NOW with steps such as NOW-7DAYS/DAY.
// NOW is the time of the snapshot, so that an answer depends on it alone.
func instant(text string, now time.Time) (*float64, error) {
	if text == "*" || text == "" {
		return nil, nil
	}
	at, err := time.Time{}, error(nil)
	if rest, ok := strings.CutPrefix(text, "NOW"); ok {
		at, err = stepped(now.UTC(), rest)
	} else {
		for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02T15:04:05", time.DateOnly} {
			if at, err = time.Parse(form, text); err == nil {
				break
			}
		}
	}
	if err != nil {
		return nil, unsearchable("Invalid Date String: '" + text + "'")
	}
	seconds := float64(at.UnixNano()) / 1e9
	return &seconds, nil
}

// stepped goes the steps of Solr's date math from an instant.
func stepped(at time.Time, steps string) (time.Time, error) {
	units := map[string]func(time.Time, int) time.Time{
		"YEAR": func(t time.Time, n int) time.Time { return t.AddDate(n, 0, 0) }, "MONTH": func(t time.Time, n int) time.Time { return t.AddDate(0, n, 0) },
		"DAY": func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) }, "HOUR": func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Hour) },
		"MINUTE": func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Minute) }, "SECOND": func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Second) },
	}
	floors := map[string]func(time.Time) time.Time{
		"YEAR":  func(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
		"MONTH": func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) },
		"DAY":   func(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }, "HOUR": func(t time.Time) time.Time { return t.Truncate(time.Hour) },
		"MINUTE": func(t time.Time) time.Time { return t.Truncate(time.Minute) }, "SECOND": func(t time.Time) time.Time { return t.Truncate(time.Second) },
	}
	for steps != "" {
		end := len(steps)
		if i := strings.IndexAny(steps[1:], "+-/"); i >= 0 {
			end = i + 1
		}
		sign, step := steps[0], steps[1:end]
		steps = steps[end:]
		digits := strings.TrimLeft(step, "0123456789")
		unit := strings.TrimSuffix(digits, "S")
		n, err := strconv.Atoi(step[:len(step)-len(digits)])
		switch {
		case sign == '/' && floors[unit] != nil:
			at = floors[unit](at)
		case (sign == '+' || sign == '-') && units[unit] != nil && err == nil && n <= 100_000:
			if sign == '-' {
				n = -n
			}
			at = units[unit](at, n)
		default:
			return at, unsearchable("Invalid Date Math String")
		}
	}
	return at, nil
}
