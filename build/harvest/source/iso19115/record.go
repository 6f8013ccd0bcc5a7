// Package iso19115 reads metadata records of ISO 19139 (gmd) and ISO 19115-3
// (mdb), of any profile that says which elements of the standard its own stand
// for, and maps them to drafts.
package iso19115

import (
	"cmp"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Root tells by its name that an element is a metadata record: MD_Metadata, the
// MI_Metadata of ISO 19115-2, or that of a profile (CHE_MD_Metadata).
func Root(n xml.Name) bool {
	return strings.HasSuffix(n.Local, "MD_Metadata") || strings.HasSuffix(n.Local, "MI_Metadata")
}

// record is a metadata record with its names brought to the standard.
type record struct {
	root *xmltree.Node
	// ident is its identification: of a dataset or of a service.
	ident *xmltree.Node
	// lang is the language of texts that are not in another locale, locales
	// those of the locales by their ids; BCP 47.
	lang    string
	locales map[string]string
}

func newRecord(root *xmltree.Node) *record {
	root.Each(standardise)
	r := &record{root: root, locales: map[string]string{}}
	for _, property := range []string{"defaultLocale", "locale", "otherLocale"} {
		for _, at := range root.All(property, "PT_Locale") {
			tag := languageOf(cmp.Or(codeOf(at.First("language")), codeOf(at.First("languageCode"))))
			if id := at.Attr("id"); id != "" && tag != "" {
				r.locales[strings.ToLower(id)] = tag
			}
			if property == "defaultLocale" && r.lang == "" {
				r.lang = tag
			}
		}
	}
	if r.lang == "" {
		r.lang = languageOf(codeOf(root.First("language")))
	}
	r.ident = r.identification()
	return r
}

// identification is the one that the record is about: the first that has a title,
// as editors leave an empty one of a template in front of it.
func (r *record) identification() *xmltree.Node {
	for _, n := range r.root.All("identificationInfo", "*") {
		if r.first(n, "citation", "CI_Citation", "title").text() != "" {
			return n
		}
	}
	return r.root.First("identificationInfo", "*")
}

// profiled is the name of an element of a profile: its letters, then the name
// of the element of the standard that it extends.
var profiled = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{1,9}_((?:MD|MI|CI|EX|SV|DQ|LI|PT|DS)_[A-Za-z]+)$`)

// standardise gives an element of a profile the name of the one that it stands
// for: by gco:isoType, else by the shape of its name.
func standardise(n *xmltree.Node) {
	if iso := n.Attr("isoType"); iso != "" {
		n.Name = strings.TrimSpace(iso[strings.LastIndexByte(iso, ':')+1:])
	} else if m := profiled.FindStringSubmatch(n.Name); m != nil {
		n.Name = m[1]
	}
	if n.Name == "RS_Identifier" {
		n.Name = "MD_Identifier"
	}
}

// languageOf is the tag of a language as records write it: a code, or a code
// with a country ("eng; CAN").
func languageOf(raw string) string {
	word, _, _ := strings.Cut(raw, ";")
	tag, _ := source.Language(word)
	return tag
}

// words are the words in which a code list entry is given: its code, and what
// stands in the element, some profiles having codes of their own and the word
// of the standard beside them ("RI_622", "dataset; jeuDonnées").
func words(property *xmltree.Node) []string {
	var out []string
	add := func(raw string) {
		raw = strings.TrimSpace(raw)
		if i := strings.LastIndexAny(raw, "#/"); i >= 0 {
			raw = raw[i+1:] // a code as an IRI
		}
		if raw != "" && !slices.Contains(out, raw) {
			out = append(out, raw)
		}
	}
	for _, c := range append([]*xmltree.Node{property}, property.Children...) {
		add(c.Attr("codeListValue"))
		for part := range strings.SplitSeq(c.Text, ";") {
			add(part)
		}
	}
	return out
}

// codeOf is the first of the words.
func codeOf(property *xmltree.Node) string {
	for _, w := range words(property) {
		return w
	}
	return ""
}

// value is what a property holds: texts by language, and the IRI of an anchor.
type value struct {
	texts []source.Text
	iri   string
}

// text is the first text, that of the record's language if there is one.
func (v value) text() string {
	for _, t := range v.texts {
		return t.Value
	}
	return ""
}

// iriOrText is the IRI of an anchor, else the text.
func (v value) iriOrText() string { return cmp.Or(v.iri, v.text()) }

// value reads a property of free text.
func (r *record) value(property *xmltree.Node) value {
	var v value
	for _, c := range property.Children {
		switch c.Name {
		case "CharacterString", "Anchor", "URL", "LocalName", "ScopedName", "MimeFileType", "FileName", "Date", "DateTime", "Decimal", "Real":
			v.add(c.Text, r.lang)
		case "PT_FreeText":
			r.localised(&v, c.All("textGroup", "LocalisedCharacterString"))
		case "PT_FreeURL":
			r.localised(&v, c.All("URLGroup", "LocalisedURL"))
		}
		if c.Name == "Anchor" && v.iri == "" {
			v.iri = strings.TrimSpace(c.Attr("href"))
		}
	}
	if len(property.Children) == 0 { // a property without an element for its type
		v.add(property.Text, r.lang)
	}
	return v
}

func (r *record) localised(v *value, list []*xmltree.Node) {
	for _, c := range list {
		id := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(c.Attr("locale")), "#"))
		tag, ok := r.locales[id]
		if !ok {
			tag = languageOf(id[strings.LastIndexByte(id, '-')+1:]) // locale-eng
		}
		v.add(c.Text, tag)
	}
}

// add adds a text, unless it is there in that language.
func (v *value) add(raw, lang string) {
	t := source.Text{Value: strings.TrimSpace(raw), Lang: lang}
	if t.Value != "" && !slices.Contains(v.texts, t) {
		v.texts = append(v.texts, t)
	}
}

// values reads all properties at a path.
func (r *record) values(n *xmltree.Node, path ...string) []value {
	var out []value
	for _, p := range n.All(path...) {
		if v := r.value(p); len(v.texts) > 0 || v.iri != "" {
			out = append(out, v)
		}
	}
	return out
}

// first reads the first property at a path that says something.
func (r *record) first(n *xmltree.Node, path ...string) value {
	for _, v := range r.values(n, path...) {
		return v
	}
	return value{}
}

// id is the identifier of the record.
func (r *record) id() string {
	return cmp.Or(r.first(r.root, "fileIdentifier").text(), r.first(r.root, "metadataIdentifier", "MD_Identifier", "code").text())
}

// service tells that the record describes a service.
func (r *record) service() bool { return r.ident.Name == "SV_ServiceIdentification" }

// levels are the words for what is described.
func (r *record) levels() []string {
	var out []string
	for _, p := range append(r.root.All("hierarchyLevel"), r.root.All("metadataScope", "MD_MetadataScope", "resourceScope")...) {
		out = append(out, words(p)...)
	}
	return out
}

// languages are those of the resource.
func (r *record) languages() []string {
	var out []string
	list := r.ident.All("language")
	for _, p := range []string{"defaultLocale", "otherLocale"} {
		list = append(list, r.ident.All(p, "PT_Locale", "language")...)
	}
	for _, p := range list {
		if tag := languageOf(codeOf(p)); tag != "" && !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out
}
