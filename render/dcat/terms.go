package dcat

import (
	"regexp"
	"strings"
	"time"

	"github.com/knakk/rdf"
)

// iri is an address. That of the register's own things begins with mark.
type iri string

// mark stands for the base URL until a document is written: an entry is
// rendered before the address of the site is known to it. Both forms escape
// control characters, so it can mean nothing else.
const mark = "\x01"

// checked is an address that the tables of this package are made of. One that
// is none is a fault of theirs.
func checked(address string) iri {
	i, err := rdf.NewIRI(address)
	if err != nil {
		panic("address " + address + ": " + err.Error())
	}
	return iri(i.String())
}

// own is a name below the base URL. The path begins with a slash.
func own(path string) iri { return iri(mark + escape(path)) }

// Ids of entries are UUIDs, and parts are words of this package: there is
// nothing to escape.
func entryIRI(id string) iri      { return iri(mark + "/id/" + id) }
func partIRI(id, part string) iri { return iri(mark + "/id/" + id + "#" + part) }

func institutionIRI(id string) iri     { return own("/id/institution/" + id) }
func contactIRI(id string) iri         { return own("/id/institution/" + id + "#contact") }
func definitionIRI(concept string) iri { return own("/def/" + concept) }

// object is what a statement says about its subject: an address, or a text in
// a language or with a datatype. Without a value it says nothing.
type object struct {
	value, lang string
	datatype    *name
}

// typed is a value of a datatype.
func typed(value string, datatype *name) object { return object{value: value, datatype: datatype} }

// plain is a string without a language.
func plain(s string) object { return inLanguage(cleanText(s), "") }

// tagged is a string in a language, or without one when the tag is unusable.
func tagged(s, lang string) object { return inLanguage(cleanText(s), langTag(lang)) }

// inLanguage is a clean text under a clean tag.
func inLanguage(text, tag string) object {
	if tag == "" {
		return typed(text, xsdString)
	}
	return object{value: text, lang: tag}
}

// tagShape is what Turtle and BCP 47 both take, extensions such as the mark of machine translation
// (de-t-nl) among it. Tags are compared in lower case (RFC 5646, 2.1.1), and JSON-LD processors write
// them so.
var tagShape = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8}|-[a-z0-9](-[a-z0-9]{2,8})+)*$`)

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

// instant is a moment, or nothing when it has no year of four digits: that is
// all that DCAT-AP and every known reader take of XML Schema.
func instant(t time.Time) object {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return object{}
	}
	return typed(t.Format(time.RFC3339), xsdDateTime)
}

// dated is a date of a publisher: a day when the source gave no time of day.
func dated(t time.Time) object {
	if t.Truncate(24 * time.Hour).Equal(t) {
		return day(t)
	}
	return instant(t)
}

// day is the day of an instant.
func day(t time.Time) object {
	moment := instant(t)
	if moment.value == "" {
		return object{}
	}
	return typed(moment.value[:len(time.DateOnly)], xsdDate)
}

// link is an address of the web, or "" when it is none.
func link(raw string) iri { return iri(webURL(raw)) }
