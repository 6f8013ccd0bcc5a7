// Package concept links columns to canonical identifier schemes: a column is
// linked only if its sampled values pass the scheme's format and check digit,
// or stand in its code list (decisions, section 5, "Profile").
package concept

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/words"
)

// Identifiers of schemes, as they stand in a profile's field.
const (
	Alpha2   = "iso-3166-1-alpha-2"
	Alpha3   = "iso-3166-1-alpha-3"
	Numeric  = "iso-3166-1-numeric"
	Language = "iso-639-1"
	Currency = "iso-4217"
	NUTS     = "nuts"
	LAU      = "lau"
	LEI      = "lei"
	VAT      = "vat"
	EAN      = "ean"
	ISIN     = "isin"
	ORCID    = "orcid"
	DOI      = "doi"
	SIREN    = "siren"
	SIRET    = "siret"
	CPV      = "cpv"
	NACE     = "nace"
	GeoPoint = "geo-point"
)

// scheme is one kind of identifier. hints are words of a column's name, in
// several languages. Without a hint the values alone link a column if at least
// alone of them differ; zero means that a hint is needed.
type scheme struct {
	id    string
	valid func(string) bool
	alone int
	hints []string
}

var schemes = []scheme{
	{ORCID, validORCID, 1, hints("orcid")},
	{DOI, validDOI, 1, hints("doi")},
	{LEI, validLEI, 1, hints("lei|lei code|legal entity identifier")},
	{ISIN, validISIN, 2, hints("isin")},
	{VAT, ValidVAT, 2, hints("vat|vat number|tva|ust id|ustid|uid|iva|btw|moms|alv|afm|nip|partita iva|nif|cif|tax number")},
	{SIRET, validSIRET, 3, hints("siret")},
	{SIREN, validSIREN, 5, hints("siren")},
	{CPV, checkedCPV, 1, nil}, // eight digits alone are any number
	{CPV, validCPV, 0, hints("cpv|cpv code")},
	{EAN, validEAN, 5, hints("ean|gtin|upc|barcode|ean 13|gtin 13")},
	{NACE, validNACE, 0, hints("nace|nace code|nace rev|ateco|naf|wz|db 07|cae|stakod|activity code|economic activity")},
	{NUTS, validNUTS, 5, hints("nuts|nuts id|nuts code|nuts 1|nuts 2|nuts 3|geo|geo time|region code")},
	{LAU, validLAU, 0, hints("lau|lau code|lau id|lau 1|lau 2")},
	{Alpha2, validAlpha2, 5, countryHints},
	{Alpha3, validAlpha3, 5, countryHints},
	{Numeric, validNumeric, 0, countryHints},
	{Currency, validCurrency, 5, hints("currency|currency code|devise|monnaie|wahrung|moneda|valuta|waluta|νομισμα|валута|mena|penznem|moeda|valiuta")},
	{Language, validLanguage, 5, hints("lang|language|langue|sprache|idioma|lingua|taal|jezyk|γλωσσα|език|kieli|sprak|sprog|limba|nyelv|jazyk|kalba|valoda|keel|jezik")},
	{GeoPoint, validPoint, 1, hints("geo point 2 d|geo point|coordinates|coordonnees|coordenadas|geopunkt|location|latlon|lat lon")},
}

var countryHints = hints("country|country code|iso|iso 2|iso 3|iso code|iso 3166|pays|code pays|land|landcode|landkode|laenderkode|landerkurzel|pais|paese|" +
	"χωρα|κωδικος χωρας|kraj|страна|държава|država|drzava|maa|stat|tara|orszag|zeme|zemes|valstybe|valsts|riik|krajina|nationality|nationalite|origin|geo|citizenship")

func hints(list string) []string {
	out := strings.Split(list, "|")
	for i, h := range out {
		out[i] = strings.Join(words.Split(h), " ")
	}
	return out
}

// share is how many of the sampled values have to pass.
const share = 0.95

// Match returns the scheme to which a column of the given name and sampled
// values belongs, or the empty string. Values must not be empty; equal ones
// count once.
func Match(name string, values []string) string {
	distinct := unique(values)
	if len(distinct) == 0 {
		return ""
	}
	list := words.Split(name)
	for _, hinted := range []bool{true, false} {
		for i := range schemes {
			s := &schemes[i]
			if s.hinted(list) == hinted && (hinted || s.alone > 0 && len(distinct) >= s.alone) && passes(distinct, s.valid) {
				return s.id
			}
		}
	}
	return ""
}

// Valid tells whether value passes the format and check digit of the scheme.
func Valid(id, value string) bool {
	return slices.ContainsFunc(schemes, func(s scheme) bool { return s.id == id && s.valid(strings.TrimSpace(value)) })
}

func (s *scheme) hinted(list []string) bool {
	for _, h := range s.hints {
		if words.Has(list, h) {
			return true
		}
	}
	return false
}

func unique(values []string) []string {
	seen := make(map[string]bool, len(values))
	var out []string
	for _, v := range values {
		v = strings.TrimSpace(v)
		if v != "" && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

func passes(values []string, valid func(string) bool) bool {
	allowed := int(float64(len(values)) * (1 - share))
	for _, v := range values {
		if !valid(v) {
			if allowed--; allowed < 0 {
				return false
			}
		}
	}
	return true
}
