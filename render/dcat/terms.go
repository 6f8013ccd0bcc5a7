package dcat

import (
	"regexp"
	"strings"
	"time"

	"github.com/knakk/rdf"
)

// ownScheme begins the register's own names until a document is written: an
// entry is rendered before the address of the site is known to it.
const ownScheme = "urn:x-assay:"

// own is a name below the base URL. The path begins with a slash.
func own(path string) rdf.IRI { return mustIRI(ownScheme + escape(path)) }

func entryIRI(id string) rdf.IRI           { return own("/id/" + id) }
func partIRI(id, part string) rdf.IRI      { return own("/id/" + id + "#" + part) }
func institutionIRI(id string) rdf.IRI     { return own("/id/institution/" + id) }
func contactIRI(id string) rdf.IRI         { return own("/id/institution/" + id + "#contact") }
func definitionIRI(concept string) rdf.IRI { return own("/def/" + concept) }

// text is a string with a language. The library's own literal refuses tags of
// more than two parts; embedding it keeps text among its objects.
type text struct {
	rdf.Literal
	tag string
}

// Lang is the language tag.
func (t text) Lang() string { return t.tag }

// plain is a string without a language, or nil when nothing of it is left.
func plain(s string) rdf.Object {
	if s = cleanText(s); s == "" {
		return nil
	}
	return rdf.NewTypedLiteral(s, xsdString)
}

// tagged is a string in a language, or without one when the tag is unusable.
func tagged(s, lang string) rdf.Object {
	if lang = langTag(lang); lang == "" {
		return plain(s)
	}
	if s = cleanText(s); s == "" {
		return nil
	}
	return text{rdf.NewTypedLiteral(s, xsdString), lang}
}

// tagShape is what Turtle and BCP 47 both take. Tags are compared in lower
// case (RFC 5646, 2.1.1), and JSON-LD processors write them so.
var tagShape = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

// langTag is the tag in lower case, or "" when it is none.
func langTag(s string) string {
	if len(s) == 2 && s[0] >= 'a' && s[0] <= 'z' && s[1] >= 'a' && s[1] <= 'z' {
		return s
	}
	s = strings.ReplaceAll(strings.ToLower(s), "_", "-")
	if !tagShape.MatchString(s) {
		return ""
	}
	return s
}

// shapes are the lexical forms that a typed value may have (XML Schema 1.1
// part 2, narrowed to what DCAT-AP and all known readers take).
var shapes = map[rdf.IRI]*regexp.Regexp{
	xsdDate:     regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`),
	xsdDateTime: regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z$`),
	xsdDecimal:  regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`),
	xsdInteger:  regexp.MustCompile(`^-?[0-9]+$`),
	xsdNonNeg:   regexp.MustCompile(`^[0-9]+$`),
}

// typed is a value of a datatype, or nil when it has not the datatype's form.
func typed(value string, datatype rdf.IRI) rdf.Object {
	shape := shapes[datatype]
	if shape == nil || !shape.MatchString(value) {
		return nil
	}
	return rdf.NewTypedLiteral(value, datatype)
}

// instant is a moment of the register's own clocks, or nil for none.
func instant(t time.Time) rdf.Object {
	if t.IsZero() {
		return nil
	}
	return typed(t.UTC().Format("2006-01-02T15:04:05Z"), xsdDateTime)
}

// dated is a date of a publisher: a day when the source gave no time of day.
func dated(t time.Time) rdf.Object {
	if t = t.UTC(); t.IsZero() || t.Truncate(24*time.Hour) != t {
		return instant(t)
	}
	return day(t)
}

// day is the day of an instant, or nil for none.
func day(t time.Time) rdf.Object {
	if t.IsZero() {
		return nil
	}
	return typed(t.UTC().Format(time.DateOnly), xsdDate)
}

// link is an address as an object, or nil when it is not one of the web.
func link(raw string) rdf.Object {
	if u := webURL(raw); u != "" {
		return mustIRI(u)
	}
	return nil
}
