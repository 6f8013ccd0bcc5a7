package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Dataset returns the details of a dataset, made at first use.
func (b *Builder) Dataset() *catalog.DatasetDetails {
	if b.Draft.Entry.Dataset == nil {
		b.Draft.Entry.Dataset = &catalog.DatasetDetails{}
	}
	return b.Draft.Entry.Dataset
}

// Identify sets the upstream reference of a record whose id is unique in its
// catalogue by definition of the protocol. An id that cannot be kept gives none.
func (b *Builder) Identify(host, kind, upstream, id string) {
	ref := NewRef(host, kind, id)
	if ref == "" {
		return
	}
	b.Draft.Entry.UpstreamRef = ref
	b.Compute("upstream_ref", upstream, RefTransform, "")
}

// Publisher sets the name and address of the publisher.
func (b *Builder) Publisher(upstream, name, home string) {
	b.PublisherAgent(upstream, []Text{{Value: name}}, catalog.Agent{HomepageURL: home})
}

// Licence keeps what the publisher wrote of the licence: the first text that
// is not empty. HTML becomes plain text.
func (b *Builder) Licence(upstream string, raw ...string) {
	for _, r := range raw {
		text, transform, repair := readable(r)
		if text, _ = Line(text); text == "" {
			continue
		}
		text, cut := Cut(text, catalog.RawLicenceMax)
		if cut {
			repair = join(repair, "cut to the longest text the register keeps")
		}
		b.Draft.Entry.LicenseRaw = text
		b.Deliver("license_raw", upstream, transform, repair)
		return
	}
}

// Frequency sets how often a dataset, or the data behind a service, is updated.
// A statement that no code stands for is refused.
func (b *Builder) Frequency(upstream, raw string) bool {
	text, _ := Line(raw)
	if text == "" {
		return false
	}
	field := "dataset.frequency"
	if b.Draft.Entry.API != nil {
		field = "api.frequency"
	}
	code, ok := Frequency(text)
	if !ok {
		short, _ := Cut(text, 100)
		b.Refuse(field, upstream, fmt.Sprintf("no code of the EU frequency table stands for %q", short))
		return false
	}
	if api := b.Draft.Entry.API; api != nil {
		api.Frequency = code
	} else {
		b.Dataset().Frequency = code
	}
	b.Remark(field, upstream, "mapped to the EU frequency table", "")
	return true
}

// Themes adds the EU data themes among the words; other words are passed over,
// as they are also tags.
func (b *Builder) Themes(upstream string, raw ...string) {
	e := &b.Draft.Entry
	if codes := codesOf(Theme, raw); len(codes) > 0 {
		e.Themes = distinct(append(e.Themes, codes...))
		b.Remark("themes", upstream, "mapped to the EU data-theme table", "")
	}
}

// HVD adds the categories of high-value datasets that the source states.
func (b *Builder) HVD(upstream string, raw ...string) {
	e := &b.Draft.Entry
	if codes := codesOf(HVD, raw); len(codes) > 0 {
		e.HVDCategories = distinct(append(e.HVDCategories, codes...))
		b.Remark("hvd_categories", upstream, "mapped to the EU categories of high-value datasets", "")
	}
}

func codesOf(find func(string) (string, bool), raw []string) (codes []string) {
	for _, r := range raw {
		if code, ok := find(r); ok {
			codes = append(codes, code)
		}
	}
	return codes
}

func distinct(codes []string) []string {
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Country sets the country of the entry to that of the source.
func (b *Builder) Country() {
	if code := b.in.Source.CountryCode; catalog.CountryShape(code) {
		b.Draft.Entry.CountryCode = code
		b.Inherit("country_code", "the country of the catalogue")
	}
}

// Dates sets the publisher's dates of issue and change. An order that cannot
// be is noted and kept as stated.
func (b *Builder) Dates(issuedPath, issued, modifiedPath, modified string) {
	e := &b.Draft.Entry
	hasIssued := b.Date(&e.SourceIssuedAt, "source_issued_at", issuedPath, issued)
	if b.Date(&e.SourceModifiedAt, "source_modified_at", modifiedPath, modified) && hasIssued && e.SourceModifiedAt.Before(e.SourceIssuedAt) {
		b.Draft.Rows[len(b.Draft.Rows)-1].Note = "stated to be before the date of issue; kept as stated"
	}
}

// placeMax is the longest name of a place, in bytes.
const placeMax = 300

// Spatial sets the places a dataset covers: names, IRIs, or boxes as
// "west,south,east,north" in degrees. GeoJSON becomes its box.
func (b *Builder) Spatial(upstream string, raw ...string) {
	if places := b.places("dataset.spatial", upstream, raw); len(places) > 0 {
		b.Dataset().Spatial = places
	}
}

// ServiceSpatial sets the places that a service covers, by the rules of Spatial.
func (b *Builder) ServiceSpatial(upstream string, raw ...string) {
	if places := b.places("api.spatial", upstream, raw); len(places) > 0 && b.Draft.Entry.API != nil {
		b.Draft.Entry.API.Spatial = places
	}
}

// places are the places that texts name, and records where they are from.
func (b *Builder) places(field, upstream string, raw []string) []string {
	var places []string
	repair, transform := "", ""
	for _, r := range raw {
		place, _ := Line(r)
		if box, form, ok := boxOf(place); form != "" {
			if !ok {
				b.Refuse(field, upstream, form+" without coordinates in degrees of WGS 84, longitude first")
				continue
			}
			place, transform = box, form+" to west,south,east,north"
		}
		if len(place) > placeMax {
			place, _ = Cut(place, placeMax)
			repair = "cut to the longest text the register keeps"
		}
		if place != "" && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return nil
	}
	if len(places) > catalog.TagsMax {
		places, repair = places[:catalog.TagsMax], fmt.Sprintf("the first %d places kept", catalog.TagsMax)
	}
	b.Deliver(field, upstream, transform, repair)
	return places
}

// TestName tells by its name that a record is there to try something out: a
// name made of nothing but such words and numbers ("Test dataset 2"). A test
// as a subject (drug tests) is none.
func TestName(name string) bool {
	tries := false
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" \t_-[](){}:.!", r) }) {
		w = strings.TrimRight(w, "0123456789")
		if w == "" {
			continue
		}
		meaning, known := testWords[w]
		if !known {
			return false
		}
		tries = tries || meaning
	}
	return tries
}

// testWords are the words of which the names of test records are made; true
// are those that make one a test.
var testWords = map[string]bool{"test": true, "tests": true, "testing": true, "prueba": true, "essai": true, "asdf": true, "dummy": true,
	"testdatensatz": true, "ignore": true, "deleteme": true, "dataset": false, "data": false, "set": false, "my": false, "a": false,
	"the": false, "this": false, "is": false, "only": false, "just": false, "please": false, "for": false, "jeu": false, "de": false,
	"données": false, "datos": false, "datensatz": false, "do": false, "not": false, "use": false, "upload": false, "file": false}
