package table

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// mapper turns records into drafts.
type mapper struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// record is one row or object.
type record struct {
	place, seed string
	// values are the fields as written.
	values map[string]string
	// other are the columns or keys that hold no field.
	other []string
	// raw is the row with its header, nil for an object of JSON.
	raw []byte
}

// record emits or rejects one record.
func (m *mapper) record(r *record) error {
	d, bad := m.draft(r)
	if bad != nil {
		return m.reject(*bad)
	}
	return m.emit(d)
}

func (m *mapper) draft(r *record) (source.Draft, *source.Rejection) {
	if bad := r.control(); bad != nil {
		return source.Draft{}, bad
	}
	b := source.NewBuilder(m.in, r.place, r.seed, "")
	b.Raw("text/csv", r.raw)
	r.note(b)
	e := &b.Draft.Entry
	name := func(field string) string { return columnOf(m.in, field) }
	b.Line(&e.Name, "name", name("name"), r.values["name"], catalog.NameMax)
	if e.Name == "" {
		return source.Draft{}, r.refuse(source.CodeMissingName, "the record has no name", "give the source a name")
	}
	switch raw := strings.TrimSpace(r.values["url"]); {
	case raw == "":
		return source.Draft{}, r.refuse(source.CodeMissingURL, e.Name+" has no url", "give the source's url")
	case !b.URL(&e.PrimarySourceURL, "primary_source_url", name("url"), raw):
		return source.Draft{}, r.refuse(source.CodeBadURL, fmt.Sprintf("the url of %s cannot be used: %.200q", e.Name, raw),
			"give an absolute http or https URL on the public internet")
	}
	b.Text(&e.Description, "description", name("description"), "", source.HTMLText(r.values["description"]), "", catalog.DescriptionMax)
	b.URL(&e.DocsURL, "docs_url", name("docs_url"), r.values["docs_url"])
	b.Line(&e.LicenseRaw, "license_raw", name("license"), r.values["license"], catalog.RawLicenceMax)
	b.Tags(name("tags"), strings.Split(bars.Replace(r.values["tags"]), ",")...)
	formats(b, name("format"), r.values["format"])
	country(b, name("country_code"), r.values["country_code"])
	institution(b, name("institution"), r.values["institution"])
	if bad := r.kind(b, name("type"), name("url")); bad != nil {
		return source.Draft{}, bad
	}
	return b.Done(), nil
}

// bars writes the other separators of lists as commas.
var bars = strings.NewReplacer(";", ",", "|", ",")

func (r *record) refuse(code source.Code, reason, remedy string) *source.Rejection {
	return &source.Rejection{Place: r.place, Code: code, Reason: reason, Remedy: remedy}
}

// control refuses a record with characters that no text has: they mean that
// the file is damaged or no text at all.
func (r *record) control() *source.Rejection {
	for _, f := range fields {
		for i, c := range r.values[f] {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= 0x7f && c <= 0x9f {
				return r.refuse(source.CodeControlCharacter, fmt.Sprintf("%s has the control character %U at byte %d", f, c, i), "remove the control characters")
			}
		}
	}
	return nil
}

// note says which columns or keys were not read.
func (r *record) note(b *source.Builder) {
	if len(r.other) == 0 {
		return
	}
	text, _ := source.Line(fmt.Sprintf("%s; %d not read: %s", b.Draft.Rows[0].Note, len(r.other), strings.Join(r.other, ", ")))
	b.Draft.Rows[0].Note, _ = source.Cut(text, 500)
}

func formats(b *source.Builder, column, raw string) {
	var codes []string
	for part := range strings.SplitSeq(bars.Replace(raw), ",") {
		if code, _ := source.Format(part); code != "" {
			codes = append(codes, code)
		}
	}
	switch {
	case len(codes) > 0:
		slices.Sort(codes)
		b.Draft.Entry.Formats = slices.Compact(codes)
		b.Remark("formats", column, "codes of the EU file-type table", "")
	case strings.TrimSpace(raw) != "":
		b.Refuse("formats", column, "names no format")
	}
}

func country(b *source.Builder, column, raw string) {
	if raw, _ = source.Line(raw); raw == "" {
		return
	}
	code, ok := source.Country(raw)
	if !ok {
		b.Refuse("country_code", column, fmt.Sprintf("%.40q is no country of ISO 3166-1", raw))
		return
	}
	b.Draft.Entry.CountryCode = code
	b.Remark("country_code", column, "ISO 3166-1 alpha-2", "")
}

// institutionKey is the shape of a key of the register of institutions.
var institutionKey = regexp.MustCompile(`^[a-z]{2}-[a-z0-9]+(-[a-z0-9]+)*$`)

// institution takes the publisher: a key of the register, or a name.
func institution(b *source.Builder, column, raw string) {
	if s, _ := source.Line(raw); institutionKey.MatchString(s) {
		b.Draft.PublisherKey = s
		return
	}
	b.Line(&b.Draft.Entry.PublisherName, "publisher_name", column, raw, catalog.NameMax)
	b.Draft.PublisherName = b.Draft.Entry.PublisherName
}
