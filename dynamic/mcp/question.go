package mcp

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// question is what was understood of a sentence: what the data are about, and what else is
// asked of them.
type question struct {
	words    string
	country  string
	formats  []string
	kind     catalog.EntryType
	purposes []string
}

// purpose is a use that a licence allows or not.
type purpose struct {
	name  string
	words *regexp.Regexp
	right func(*catalog.Licence) bool
}

func yes(r catalog.Right) bool { return r == catalog.RightYes }

// purposes are those that the licence table knows.
var purposes = []purpose{
	{"commercial use", regexp.MustCompile(`(?i)\b(commercial\w*|sell\w*|business|product|paid|startup|company)\b`), func(l *catalog.Licence) bool { return yes(l.CommercialUse) }},
	{"redistribution", regexp.MustCompile(`(?i)\b(redistribut\w*|republish\w*|publish\w*|share)\b`), func(l *catalog.Licence) bool { return yes(l.Redistribution) }},
	{"modification", regexp.MustCompile(`(?i)\b(modif\w*|adapt\w*|combin\w*|remix\w*|build on)\b`), func(l *catalog.Licence) bool { return yes(l.Modification) }},
	{"use without attribution", regexp.MustCompile(`(?i)\bwithout (attribution|naming|credit)\w*`), func(l *catalog.Licence) bool { return l.AttributionRequired == catalog.RightNo }},
	{"an open licence", regexp.MustCompile(`(?i)\b(open(ly)?[- ]licen[cs]\w*|open licen[cs]e|freely|free to (re)?use)\b`), func(l *catalog.Licence) bool { return yes(l.Open) }},
}

// terms finds the part of a sentence that is about use.
var terms = regexp.MustCompile(`(?i)[,;]?\s*\b((that|which)\s+)?(i|we|one|you|anybody)\s+(may|can|could|am allowed to|are allowed to)\s+(legally\s+|freely\s+)?(re-?)?(use|sell|publish|redistribute|share|build on|modify|combine|adapt)\b.*$` +
	`|[,;]?\s*\b(for|with)\s+(a\s+|an\s+|my\s+|our\s+)?(commercial|business|paid|open(ly)?)\b.*$|[,;]?\s*\b(openly licen[cs]ed|free to (re)?use|without attribution)\b.*$`)

// formatWords are words for formats, by their codes.
var formatWords = map[string]string{"csv": "CSV", "json": "JSON", "geojson": "GEOJSON", "xml": "XML", "excel": "XLSX", "xlsx": "XLSX", "xls": "XLS", "parquet": "PARQUET",
	"wms": "WMS_SRVC", "wfs": "WFS_SRVC", "gtfs": "GTFS", "netcdf": "NETCDF", "shapefile": "SHP", "shapefiles": "SHP", "kml": "KML", "rdf": "RDF", "gml": "GML", "zip": "ZIP", "ods": "ODS"}

// typeWords are words for the types of entries.
var typeWords = map[string]catalog.EntryType{"api": catalog.TypeAPI, "apis": catalog.TypeAPI, "mcp": catalog.TypeMCPServer}

// passed are words of questions that say nothing of the data, in the languages of the
// interface.
var passed = words(`a d l s about all am an and any are as at available be by can could current data database dataset datasets do does download downloadable each every fetch file files find for form
 format free from get give have how i in information is it latest like list looking machine me my need of official on one open or our please provide public readable recent search server show some
 source sources stats that the their them there to us want we what when where which who with would you your
 cherche chercher dans de des donnees du en et je la le les moi ou par pour quelles sur trouve trouver un une veux
 auf das daten den der die ein eine finde fur gibt ich im in mir mit nach suche uber und von wo zu
 de een en gegevens het ik naar over van vind voor waar zoek`)

// spoken are the words of a text in their order, folded.
func spoken(text string) []string {
	return strings.FieldsFunc(search.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// places are the folded names of countries in the languages of the interface and their own.
var places = sync.OnceValue(func() map[string]string {
	out := map[string]string{"britain": "GB", "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "america": "US", "holland": "NL", "czech republic": "CZ", "korea": "KR",
		"european union": "EU", "europe": "EU"}
	for code, names := range demonyms {
		for name := range strings.FieldsSeq(names) {
			out[name] = code
		}
	}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !region.IsCountry() || region.Canonicalize() != region {
				continue
			}
			own, _ := language.Compose(language.Und, region)
			base, _ := own.Base()
			for _, tag := range []language.Tag{language.English, language.French, language.German, language.Dutch, language.Make(base.String())} {
				namer := display.Regions(tag)
				if namer == nil {
					continue
				}
				if name := strings.Join(spoken(namer.Name(region)), " "); len(name) > 3 && out[name] == "" {
					out[name] = region.String()
				}
			}
		}
	}
	return out
})

// demonyms are the adjectives of countries in English.
var demonyms = map[string]string{"AT": "austrian", "AU": "australian", "BE": "belgian flemish walloon", "BG": "bulgarian", "BR": "brazilian", "CA": "canadian", "CH": "swiss", "CL": "chilean",
	"CY": "cypriot", "CZ": "czech", "DE": "german", "DK": "danish", "EE": "estonian", "ES": "spanish catalan", "EU": "european", "FI": "finnish", "FR": "french", "GB": "british english scottish welsh",
	"GR": "greek hellenic", "HR": "croatian", "HU": "hungarian", "IE": "irish", "IN": "indian", "IS": "icelandic", "IT": "italian", "JP": "japanese", "KR": "korean", "LT": "lithuanian", "LU": "luxembourgish",
	"LV": "latvian", "MT": "maltese", "MX": "mexican", "NL": "dutch", "NO": "norwegian", "NZ": "zealand", "PL": "polish", "PT": "portuguese", "RO": "romanian", "RS": "serbian", "SE": "swedish",
	"SI": "slovenian", "SK": "slovak", "TR": "turkish", "UA": "ukrainian", "US": "american"}

// shortNames are written in capitals.
var shortNames = regexp.MustCompile(`\b(UK|USA|US|U\.S\.|EU)\b`)

// understand reads a sentence.
func understand(text string) *question {
	q := &question{}
	if use := terms.FindString(text); use != "" {
		for _, p := range purposes {
			if p.words.MatchString(use) {
				q.purposes = append(q.purposes, p.name)
			}
		}
		text = strings.TrimSuffix(text, use)
	}
	if short := shortNames.FindString(text); short != "" {
		q.country = map[string]string{"UK": "GB", "EU": "EU"}[short]
		if q.country == "" {
			q.country = "US"
		}
		text = strings.Replace(text, short, " ", 1)
	}
	rest := q.place(spoken(text))
	var about []string
	for _, w := range rest {
		switch {
		case formatWords[w] != "":
			q.formats = append(q.formats, formatWords[w])
		case typeWords[w] != "":
			q.kind = typeWords[w]
		case !passed[w]:
			about = append(about, w)
		}
	}
	q.words = strings.Join(about, " ")
	return q
}

// place takes the longest name of a country out of the words.
func (q *question) place(words []string) []string {
	if q.country != "" {
		return words
	}
	for n := min(5, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			if code := places()[strings.Join(words[i:i+n], " ")]; code != "" {
				q.country = code
				return slices.Concat(words[:i], words[i+n:])
			}
		}
	}
	return words
}

// licences are the ids of those that allow all purposes, at most as many as a filter takes.
func (q *question) licences(table map[string]*catalog.Licence) (ids []string) {
	for id, l := range table {
		fits := true
		for _, p := range purposes {
			fits = fits && (!slices.Contains(q.purposes, p.name) || p.right(l))
		}
		if fits && !strings.Contains(id, ",") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
