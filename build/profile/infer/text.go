package infer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/concept"
	"github.com/assay-register/assay/build/profile/table"
	"github.com/assay-register/assay/build/profile/words"
)

var (
	uuidForm  = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	urlForm   = regexp.MustCompile(`(?i)^(?:https?|ftp)://[^\s/?#]+\.[^\s]+$|^www\.[^\s/]+\.[^\s]+$`)
	emailForm = regexp.MustCompile(`^[^\s@,;<>"]+@[^\s@,;<>"]+\.[\pL]{2,}$`)
	wktForm   = regexp.MustCompile(`(?i)^(?:SRID=\d+;)?\s*(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*\(`)
	geoJSON   = regexp.MustCompile(`^\{\s*"(?:type"\s*:\s*"(?:Multi)?(?:Point|LineString|Polygon)"|coordinates")`)
	codeForm  = regexp.MustCompile(`^[\pL\pN][\pL\pN._:/#-]*$`)
)

// textual finds the types that the form of the text tells, whatever the name
// of the column.
func (s *sampled) textual(c *Column) Type {
	is := func(form func(string) bool) bool {
		for _, v := range s.text {
			if !form(v) {
				return false
			}
		}
		return true
	}
	switch {
	case is(emailForm.MatchString):
		return Email
	case is(urlForm.MatchString):
		return URL
	case is(uuidForm.MatchString):
		return ID
	case is(func(v string) bool { return concept.Valid(concept.GeoPoint, v) }):
		return GeoPoint
	case is(wktForm.MatchString), is(geoJSON.MatchString):
		return Geometry
	case s.only(table.Text) && len(s.text) <= 4 && is(boolean):
		return Boolean
	}
	return s.calendar(c)
}

// booleans are pairs of words; a column with one word of a pair is a boolean if
// it has no other.
var booleans = [][2]string{{"true", "false"}, {"yes", "no"}, {"y", "n"}, {"t", "f"}, {"oui", "non"}, {"ja", "nein"}, {"ja", "nee"}, {"ja", "nej"}, {"ja", "nei"},
	{"si", "no"}, {"sí", "no"}, {"sì", "no"}, {"sim", "não"}, {"ναι", "οχι"}, {"ναι", "όχι"}, {"tak", "nie"}, {"ano", "ne"}, {"áno", "nie"}, {"da", "ne"}, {"da", "nu"},
	{"да", "не"}, {"igen", "nem"}, {"kyllä", "ei"}, {"jah", "ei"}, {"taip", "ne"}, {"jā", "nē"}, {"vrai", "faux"}, {"wahr", "falsch"}}

func boolean(v string) bool {
	v = strings.ToLower(v)
	for _, b := range booleans {
		if len(v) > 1 && (v == b[0] || v == b[1]) {
			return true
		}
	}
	return false
}

// flag takes 0 and 1 for a boolean only if the name asks a question.
func flag(c *Column, values []string) bool {
	list := words.Split(c.Name)
	if len(list) < 2 || !slices.Contains([]string{"is", "has", "est", "ist", "flag", "hat"}, list[0]) {
		return false
	}
	for _, v := range values {
		if v != "0" && v != "1" {
			return false
		}
	}
	return true
}

// words is String, or ID if the values are codes under a name for keys.
func (s *sampled) words(c *Column) Type {
	if !keyName(c.Name) {
		return String
	}
	for _, v := range s.text {
		if !codeForm.MatchString(v) || len(v) > 80 {
			return String
		}
	}
	return ID
}

// keys are words for keys, whole words of the name.
var keys = []string{"id", "uuid", "guid", "identifier", "identifiant", "identifikator", "kennung", "schluessel", "schlussel", "clave", "codigo", "code", "codice", "kod", "koodi",
	"kodas", "kods", "κωδικος", "код", "kodu", "sifra", "cod", "ref", "reference", "oid", "fid", "objectid", "gml id", "key", "number id", "nr id", "lei", "siren", "siret", "isin", "orcid", "doi", "ean", "gtin", "uri", "urn"}

func keyName(name string) bool {
	list := words.Split(name)
	for _, k := range keys {
		if words.Has(list, k) {
			return true
		}
	}
	return false
}

// numberedID tells that whole numbers are keys: the last word of the name says
// so, and no value comes twice.
func numberedID(c *Column) bool {
	list := words.Split(c.Name)
	if len(list) == 0 || c.Distinct < int64(c.Filled)*9/10 && !slices.Contains(list, "code") && !slices.Contains(list, "id") {
		return false
	}
	first, last := list[0], list[len(list)-1]
	return slices.Contains(keys, last) || slices.Contains(keys, first) || slices.Contains(keys, strings.Join(list, " "))
}
