package source

import (
	"bytes"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Builder fills a draft field by field and keeps the account of it: a
// provenance row per field, and how many fields came and needed a repair. A
// raw value that is empty was not delivered and leaves no trace.
type Builder struct {
	Draft Draft
	// Seed is the page or file the record was found in.
	Seed string
	// DefaultLang is the language, a BCP 47 tag, that the source or its catalogue
	// declares for texts that carry no tag; empty when nothing is declared.
	DefaultLang string
	// Preferred are the languages in which the original is looked for after
	// DefaultLang, the best first: those of the resource, then of the catalogue.
	Preferred []string
	in        *Input
	urls      URLRules
}

// NewBuilder starts the draft of the record at place, found in seed.
func NewBuilder(in *Input, place, seed string, base string) *Builder {
	b := &Builder{in: in, Seed: seed, urls: URLRules{Base: base, AllowPrivate: in.AllowPrivate}}
	b.Draft.Place = place
	b.Draft.Entry.SourceSeedURL = seed
	b.Raw("application/json", in.record)
	b.row("source_seed_url", catalog.BasisObserved, "", "", "where the harvest found the record")
	return b
}

// Raw keeps a copy of what the source published of the record, in the media type; nil is
// nothing.
func (b *Builder) Raw(media string, record []byte) {
	if record != nil {
		b.Draft.Raw, b.Draft.RawMedia = bytes.Clone(record), media
	}
}

func (b *Builder) row(field string, basis catalog.Basis, upstream, transform, note string) {
	if note, _ = Clean(note); len(note) > 500 {
		note, _ = Cut(note, 500)
	}
	b.Draft.Rows = append(b.Draft.Rows, catalog.FieldRow{
		Field: field, Basis: basis, SourceID: b.in.Source.ID, SourceURL: b.Seed,
		UpstreamField: upstream, Transform: transform, Note: note, ObservedAt: b.in.Now,
	})
}

// Deliver records a field that the publisher delivered. A repair, if not
// empty, is noted and counted.
func (b *Builder) Deliver(field, upstream, transform, repair string) {
	b.Draft.Delivered++
	if repair != "" {
		b.Draft.Repaired++
	}
	b.row(field, catalog.BasisPublisher, upstream, transform, repair)
}

// Remark records a delivered field with a note that is no repair.
func (b *Builder) Remark(field, upstream, transform, note string) {
	b.Draft.Delivered++
	b.row(field, catalog.BasisPublisher, upstream, transform, note)
}

// Refuse records a field whose delivered value could not be used.
func (b *Builder) Refuse(field, upstream, reason string) {
	b.Draft.Delivered++
	b.Draft.Repaired++
	b.row(field, catalog.BasisNotDelivered, upstream, "refused", reason)
}

// Inherit records a field that holds for everything the source lists.
func (b *Builder) Inherit(field, note string) {
	b.row(field, catalog.BasisInherited, "", "", note)
}

// Compute records a field that was derived from other fields.
func (b *Builder) Compute(field, upstream, transform, note string) {
	b.row(field, catalog.BasisComputed, upstream, transform, note)
}

// Line sets a one-line text. What is too long for limit bytes is cut.
func (b *Builder) Line(dst *string, field, upstream, raw string, limit int) {
	s, repair := Line(raw)
	b.text(dst, field, upstream, "white space folded", s, repair, limit)
}

// Text sets a text of several lines that was made of the raw one by transform,
// a phrase; empty is "as is".
func (b *Builder) Text(dst *string, field, upstream, transform, raw, repair string, limit int) {
	s, cleaned := Clean(raw)
	b.text(dst, field, upstream, transform, Paragraphs(s), join(repair, cleaned), limit)
}

func (b *Builder) text(dst *string, field, upstream, transform, s, repair string, limit int) {
	if s == "" {
		return
	}
	s, cut := Cut(s, limit)
	if cut {
		repair = join(repair, "cut to the longest text the register keeps")
	}
	*dst = s
	b.Deliver(field, upstream, transform, repair)
}

// URL sets an address. One that cannot be used is refused with its reason.
func (b *Builder) URL(dst *string, field, upstream, raw string) bool {
	if raw, _ = Clean(raw); raw == "" {
		return false
	}
	u, repair, err := b.urls.Repair(field, raw)
	if err != nil {
		b.Refuse(field, upstream, err.Error())
		return false
	}
	*dst = u
	b.Deliver(field, upstream, "", repair)
	return true
}

// Date sets a date. One that cannot be read is refused with its reason.
func (b *Builder) Date(dst *time.Time, field, upstream, raw string) bool {
	if raw, _ = Clean(raw); raw == "" {
		return false
	}
	t, precision, err := ParseDate(field, inCountry(b.in.Source.CountryCode, raw))
	if err != nil {
		b.Refuse(field, upstream, err.Error())
		return false
	}
	*dst = t
	transform := "to UTC"
	if precision != PrecisionTime {
		transform = "stated to the " + string(precision)
	}
	b.Remark(field, upstream, transform, "")
	return true
}

// Tags sets the tags.
func (b *Builder) Tags(upstream string, raw ...string) {
	if tags := Tags(raw...); len(tags) > 0 {
		b.Draft.Entry.Tags = tags
		b.Deliver("tags", upstream, "lower case, sorted, distinct", "")
	}
}

// Contact sets the contact point: an address of a page, or the first e-mail
// address that is no person's; names are whom the record names beside it. A
// person's address and name are not kept.
func (b *Builder) Contact(upstream, raw string, names ...string) {
	raw, _ = Clean(raw)
	mails := Mails(raw)
	switch {
	case raw == "":
	case len(mails) > 0:
		for _, m := range mails {
			if !b.Personal(m, names...) {
				b.Draft.Entry.Contact = &catalog.Contact{Email: m}
				b.Deliver("contact", upstream, "the first functional address", "")
				return
			}
		}
		b.row("contact", catalog.BasisNotDelivered, upstream, "refused", "the address looks like a person's and is not kept")
	default:
		u, repair, err := b.urls.Repair("contact", raw)
		if err != nil {
			b.row("contact", catalog.BasisNotDelivered, upstream, "refused", "neither a URL nor an e-mail address of a function")
			return
		}
		b.Draft.Entry.Contact = &catalog.Contact{URL: u}
		b.Deliver("contact", upstream, "", repair)
	}
}

// Done returns the finished draft.
func (b *Builder) Done() Draft {
	b.Draft.Entry.ExtractionConfidence = b.Draft.Confidence()
	return b.Draft
}

// Period sets the two ends of a period. One that cannot be read is refused
// with its reason.
func (b *Builder) Period(start, end *time.Time, field, upstream, raw string) bool {
	if raw, _ = Clean(raw); raw == "" {
		return false
	}
	from, to, err := parsePeriod(field, raw, b.in.Source.CountryCode)
	if err != nil {
		b.Refuse(field, upstream, err.Error())
		return false
	}
	*start, *end = from, to
	b.Remark(field, upstream, "start and last day, to UTC", "")
	return true
}

// ContactOf sets the contact point of a record that names whom to write to:
// the first address of a function, else the page of a form. name decides
// whether an address may be kept; it is never kept itself.
func (b *Builder) ContactOf(upstream, name, page string, mails ...string) {
	found := false
	for _, raw := range mails {
		raw, _ = Clean(raw)
		for _, m := range Mails(raw) {
			if found = true; !b.Personal(m, name) {
				b.Draft.Entry.Contact = &catalog.Contact{Email: m}
				b.Deliver("contact", upstream, "the first functional address", "")
				return
			}
		}
	}
	if page, _ = Clean(page); page != "" {
		if u, note, err := b.urls.Repair("contact", page); err == nil {
			b.Draft.Entry.Contact = &catalog.Contact{URL: u}
			b.Deliver("contact", upstream, "", note)
			return
		}
	}
	if found {
		b.row("contact", catalog.BasisNotDelivered, upstream, "refused", "the address looks like a person's and is not kept")
	}
}
