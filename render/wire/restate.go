package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/codelist"
)

// Restated is the answer of restate: what an identifier can mean, and how each
// meaning is written in other notations.
type Restated struct {
	Identifier string            `json:"identifier"`
	Notation   *string           `json:"notation"`
	Readings   []RestatedReading `json:"readings"`
}

// RestatedReading is one meaning. ReadAs are the notations in which it is
// spelled so; CheckedBy is list, or form for a code that no list confirms.
type RestatedReading struct {
	Kind      codelist.Kind  `json:"kind"`
	Label     string         `json:"label"`
	ReadAs    []string       `json:"read_as"`
	CheckedBy string         `json:"checked_by"`
	Codes     []RestatedCode `json:"codes"`
}

// RestatedCode are the codes of a meaning in one notation, the usual one first.
type RestatedCode struct {
	Notation string   `json:"notation"`
	Values   []string `json:"values"`
	Source   string   `json:"source"`
}

// NewRestated writes readings in a notation, or in all for "". Readings that
// cannot be written in it are left out.
func NewRestated(identifier, notation string, readings []codelist.Reading) Restated {
	out := Restated{Identifier: identifier, Notation: null(notation), Readings: []RestatedReading{}}
	for _, r := range readings {
		w := RestatedReading{Kind: r.Kind, Label: r.Label, ReadAs: r.As, CheckedBy: "list"}
		if r.ByForm {
			w.CheckedBy = "form"
		}
		for _, n := range codelist.Notations() {
			if values := r.Codes[n.ID]; len(values) > 0 && (notation == "" || notation == n.ID) {
				w.Codes = append(w.Codes, RestatedCode{n.ID, values, n.Source})
			}
		}
		if len(w.Codes) > 0 {
			out.Readings = append(out.Readings, w)
		}
	}
	return out
}

// TagIdentifiers are the codes that the register reads and writes.
const TagIdentifiers = "identifiers"

// RestateParams are an identifier and the notation to write it in.
func RestateParams() []Param {
	return []Param{
		{Name: "identifier", In: "path", Kind: KindString, Example: "GR",
			Description: "A code or its address in an EU authority table; a slash in it is written `%2F`."},
		{Name: "notation", In: "query", Kind: KindString, Enum: codelist.NotationIDs(), Example: codelist.Alpha3,
			Description: "The notation to write it in; all when missing."},
	}
}

// identifierOperations read and write codes.
func identifierOperations() []Operation {
	return []Operation{{ID: "restateIdentifier", Path: "/api/v1/identifiers/restate/{identifier}", Tag: TagIdentifiers, Summary: "A code in other notations",
		Description: "Restates a country, language, file type, licence or NUTS region between the notations of ISO, IANA, SPDX, Eurostat and the EU " +
			"authority tables. An identifier that can mean several things gets all its readings, exact spellings first.",
		Params: RestateParams(), Response: reflect.TypeFor[Restated](), Sealed: true, Media: MediaJSON, Problems: []int{400, 404, 422}, Cache: CacheShort}}
}
