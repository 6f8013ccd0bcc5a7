package search

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search/thesaurus"
)

// Field is a part of an entry that is searched.
type Field uint8

// Fields, the most telling first.
const (
	FieldTitle Field = iota
	FieldTags
	FieldInstitution
	FieldProfile
	FieldText
	// FieldCodes holds codes of themes and categories, which mean concepts.
	FieldCodes
	fieldCount
)

// Text is a piece of text in a language, a BCP 47 tag or "".
type Text struct{ Value, Lang string }

// Document is what is indexed of one entry.
type Document [fieldCount][]Text

// Bounds of what is indexed of one document.
const (
	fieldMax  = 64 << 10 // bytes of one text
	profilesM = 400      // columns, members, operations and tools
)

// Project takes from an entry what is indexed: titles in all languages, tags,
// institution and publisher, columns, layers, operations and tools, and the
// descriptions. inst may be nil.
func Project(row *catalog.Row, inst *catalog.Institution) Document {
	e := &row.Entry
	var d Document
	add := func(f Field, value, lang string) {
		if value != "" {
			d[f] = append(d[f], Text{cutAt(value, fieldMax), lang})
		}
	}
	add(FieldTitle, e.Name, e.NativeLang)
	if e.NameEn != e.Name {
		add(FieldTitle, e.NameEn, "en")
	}
	otherLanguages(add, FieldTitle, e.Titles, e.Name, e.NameEn)
	for _, t := range e.AlternativeTitles {
		add(FieldTitle, t, e.NativeLang)
	}
	d[FieldTags] = make([]Text, 0, len(e.Tags))
	for _, t := range e.Tags {
		add(FieldTags, t, e.NativeLang)
	}
	for _, tag := range slices.Sorted(maps.Keys(e.Keywords)) {
		for _, term := range e.Keywords[tag] {
			add(placed(FieldTags, tag), term, spoken(tag))
		}
	}
	if inst != nil {
		lang := cmp.Or(inst.NativeLang, e.NativeLang)
		add(FieldInstitution, inst.Name, lang)
		if inst.NameEn != inst.Name {
			add(FieldInstitution, inst.NameEn, "en")
		}
	} else {
		add(FieldInstitution, e.PublisherName, e.NativeLang)
	}
	if e.Publisher != nil {
		publisherNames(add, e, inst)
	}
	add(FieldText, e.Description, e.NativeLang)
	if e.DescriptionEn != e.Description {
		add(FieldText, e.DescriptionEn, "en")
	}
	otherLanguages(add, FieldText, e.Descriptions, e.Description, e.DescriptionEn)
	for _, t := range profileTexts(row) {
		add(FieldProfile, t, e.NativeLang)
	}
	for _, code := range slices.Concat(e.Themes, e.HVDCategories) {
		add(FieldCodes, code, "")
	}
	placeCodes(add, e)
	return d
}

// Beginnings of the codes of places in the thesaurus, and of the addresses that mean them.
const (
	countryCode  = "country:"
	nutsCode     = "nuts:"
	geonamesCode = "geonames:"
)

var placeAddresses = []struct{ address, code string }{
	{"http://data.europa.eu/nuts/code/", nutsCode}, {"https://sws.geonames.org/", geonamesCode}, {"http://sws.geonames.org/", geonamesCode},
}

// placeCodes adds the country of an entry, and the places that its source states by code.
func placeCodes(add func(Field, string, string), e *catalog.Entry) {
	if e.CountryCode != "" {
		add(FieldCodes, countryCode+e.CountryCode, "")
	}
	var stated []string
	if e.Dataset != nil {
		stated = e.Dataset.Spatial
	} else if e.API != nil {
		stated = e.API.Spatial
	}
	for _, s := range stated {
		add(FieldCodes, thesaurus.CodeOf(s), "")
		for _, a := range placeAddresses {
			if code, ok := strings.CutPrefix(s, a.address); ok {
				add(FieldCodes, a.code+strings.TrimSuffix(code, "/"), "")
			}
		}
	}
}

// publisherNames adds what the source calls the publisher in its languages.
func publisherNames(add func(Field, string, string), e *catalog.Entry, inst *catalog.Institution) {
	known := []string{e.PublisherName}
	if inst != nil {
		known = []string{inst.Name, inst.NameEn}
	}
	for _, tag := range e.Publisher.Names.Tags() {
		if name := e.Publisher.Names[tag]; !slices.Contains(known, name) {
			add(FieldInstitution, name, spoken(tag))
			known = append(known, name)
		}
	}
	for _, name := range e.Publisher.Aliases {
		if !slices.Contains(known, name) {
			add(FieldInstitution, name, "")
		}
	}
}

// otherLanguages adds the texts of a field in the languages that are not shown.
func otherLanguages(add func(Field, string, string), f Field, all catalog.Texts, shown ...string) {
	for _, tag := range all.Tags() {
		if !slices.Contains(shown, all[tag]) {
			add(placed(f, tag), all[tag], spoken(tag))
		}
	}
}

// placed is where a text is indexed: what a machine translated counts less.
func placed(f Field, tag string) Field {
	if catalog.MachineTag(tag) && f < FieldProfile {
		return FieldProfile
	}
	return f
}

// spoken is the language of a tag, "" for none.
func spoken(tag string) string {
	if tag == catalog.Undetermined {
		return ""
	}
	return catalog.PlainTag(tag)
}

// profileTexts are the names of what an entry offers, most telling first.
func profileTexts(row *catalog.Row) []string {
	e := &row.Entry
	var out []string
	if p := row.Profile; p != nil {
		for i := range p.Fields {
			f := &p.Fields[i]
			out = append(out, f.Name, f.Label, f.Concept)
		}
	}
	for i := range e.Members {
		out = append(out, cmp.Or(e.Members[i].Title, e.Members[i].Name))
	}
	if e.MCP != nil {
		for i := range e.MCP.Tools {
			t := &e.MCP.Tools[i]
			out = append(out, t.Name, t.Title, t.Description)
		}
	}
	if e.API != nil {
		for i := range e.API.Endpoints {
			out = append(out, e.API.Endpoints[i].Summary)
		}
	}
	return out[:min(len(out), profilesM)]
}
