// Package identifiers restates codes in other notations.
package identifiers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/wire"
)

// identifierMax is the longest identifier that is read, in bytes.
const identifierMax = 200

// Restate answers what a code means and how it is written elsewhere. An
// unknown notation is a 422 that names the known ones, an unknown code a 404.
func Restate(library *query.Library) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		notation, err := query.ParseRestate(values)
		if err != nil {
			return err
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		identifier := r.PathValue("identifier")
		if len(identifier) > identifierMax {
			return web.NotFound("No code is that long.")
		}
		readings := codelist.Read(identifier, s.Licences)
		answer := wire.NewRestated(identifier, notation, readings)
		if len(answer.Readings) == 0 {
			return unknown(identifier, notation, readings)
		}
		body, err := wire.Seal(answer, s.AsOf, true)
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}

// unknown says what is missing: the code, or its form in the notation.
func unknown(identifier, notation string, readings []codelist.Reading) error {
	if len(readings) == 0 {
		return web.NotFound("No code list has " + web.Shorten(identifier) + ". Known are countries, languages, file types, licences and NUTS regions.")
	}
	var kinds, have []string
	for _, r := range readings {
		kinds = append(kinds, string(r.Kind))
		for _, n := range codelist.Notations() {
			if len(r.Codes[n.ID]) > 0 {
				have = append(have, n.ID)
			}
		}
	}
	slices.Sort(have)
	return web.NotFound(web.Shorten(identifier) + " is a " + strings.Join(kinds, " and a ") + " and has no code in " + notation +
		"; it can be restated in " + strings.Join(slices.Compact(have), ", ") + ".")
}
