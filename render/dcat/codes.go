package dcat

import (
	_ "embed" // the code tables
	"strings"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/codelist"
)

// The tables are described in codes/README.md; the EU's are in codelist.
var (
	//go:embed codes/media-types.txt
	mediaTable string
	//go:embed codes/themes.tsv
	themesTable string
)

// Code lists (DCAT-AP 3.0.1, "Controlled vocabularies to be used").
const (
	listAccess        = "access-right"
	listCountry       = "country"
	listTheme         = "data-theme"
	listDistStatus    = "distribution-status"
	listFileType      = "file-type"
	listFrequency     = "frequency"
	listHVD           = "hvd"
	listLanguage      = "language"
	listLicence       = "licence"
	listSPDX          = "licence-spdx"
	listLicenceType   = "licence-type"
	listMediaType     = "media-type"
	listPublisherType = "publisher-type"
)

const authority = codelist.Authority

// bases begin the codes of lists that are not of the EU authority tables.
var bases = map[string]string{
	listHVD:           "http://data.europa.eu/bna/",
	listLicenceType:   "http://purl.org/adms/licencetype/",
	listPublisherType: "http://purl.org/adms/publishertype/",
	listMediaType:     "https://www.iana.org/assignments/media-types/",
}

// code is one code of a list.
type code struct {
	iri          iri
	label, extra string
}

// tables are all code lists with their indexes.
type tables struct {
	lists map[string]map[string]code
	// countries and languages go from ISO codes of two letters to the EU's.
	countries, languages map[string]string
	// fileTypes go from a media type to the one file type that has it.
	fileTypes map[string]string
	// themes are what a tag implies.
	themes map[string][]string
}

// codes are the tables, read at first use.
var codes = sync.OnceValue(func() *tables {
	t := &tables{lists: map[string]map[string]code{}, countries: map[string]string{}, languages: map[string]string{},
		fileTypes: map[string]string{}, themes: map[string][]string{}}
	for c := range codelist.Codes() {
		t.put(c.List, c.Code, c.Label, c.Extra)
	}
	for name := range strings.Lines(mediaTable) {
		name = strings.TrimSpace(name)
		t.put(listMediaType, name, name, "")
	}
	for row := range rows(themesTable) {
		t.themes[row[0]] = strings.Fields(row[1])
	}
	t.index()
	return t
})

// rows are the lines of a table without its header.
func rows(table string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		_, body, _ := strings.Cut(table, "\n")
		for line := range strings.Lines(body) {
			if !yield(strings.Split(strings.TrimRight(line, "\n"), "\t")) {
				return
			}
		}
	}
}

func (t *tables) put(list, name, label, extra string) {
	base := bases[list]
	if base == "" {
		base = authority + list + "/"
	}
	if t.lists[list] == nil {
		t.lists[list] = map[string]code{}
	}
	t.lists[list][name] = code{checked(base + name), label, extra}
}

func (t *tables) index() {
	for name, c := range t.lists[listCountry] {
		if c.extra != "" {
			t.countries[c.extra] = name
		}
	}
	for name, c := range t.lists[listLanguage] {
		if c.extra != "" {
			t.languages[c.extra] = name
		}
	}
	shared := map[string]bool{}
	for name, c := range t.lists[listFileType] {
		media, _, _ := strings.Cut(c.extra, " ")
		shared[media] = shared[media] || t.fileTypes[media] != ""
		t.fileTypes[media] = name
	}
	for media := range shared {
		if shared[media] || media == "" {
			delete(t.fileTypes, media)
		}
	}
	// A media type of several file types is that of the plain one.
	for media, name := range map[string]string{"application/pdf": "PDF", "application/xml": "XML", "application/zip": "ZIP",
		"text/html": "HTML", "text/plain": "TXT", "application/rdf+xml": "RDF_XML", "image/tiff": "TIFF", "text/xml": "XML"} {
		t.fileTypes[media] = name
	}
}

func (t *tables) find(list, name string) (code, bool) {
	c, ok := t.lists[list][name]
	return c, ok
}

// country is the EU code of a country: alpha-3 but for Kosovo (1A0) and the
// European Union (EUR). "" is unknown.
func (t *tables) country(alpha2 string) string {
	return t.countries[strings.ToUpper(alpha2)]
}

// language is the EU code of a language tag's first part, of two letters or
// three.
func (t *tables) language(tag string) string {
	first, _, _ := strings.Cut(langTag(tag), "-")
	if name := t.languages[first]; name != "" || len(first) != 3 {
		return name
	}
	if name := strings.ToUpper(first); t.lists[listLanguage][name].label != "" {
		return name
	}
	return ""
}

// aliases are other names of file types, without the signs that format folds.
var aliases = map[string]string{
	"EXCEL": "XLS", "GEOPACKAGE": "GPKG", "GEOTIF": "GEOTIFF", "GZ": "GZIP", "HDF5": "HDF", "HTM": "HTML", "ICAL": "ICS",
	"JAVASCRIPT": "JS", "JPG": "JPEG", "JSONLD": "JSON_LD", "JSONSTAT": "JSON", "KMLKMZ": "KMZ", "NQUADS": "RDF_N_QUADS",
	"NT": "RDF_N_TRIPLES", "NTRIPLES": "RDF_N_TRIPLES", "RDFXML": "RDF_XML", "SHAPE": "SHP", "SHAPEFILE": "SHP",
	"ESRISHAPE": "SHP", "TEXT": "TXT", "TIF": "TIFF", "TRIG": "RDF_TRIG", "TTL": "RDF_TURTLE", "TURTLE": "RDF_TURTLE",
	"WCS": "WCS_SRVC", "WFS": "WFS_SRVC", "WMS": "WMS_SRVC", "YML": "YAML", "SPARQL": "SPARQLQ", "TGZ": "TAR_GZ", "WORD": "DOC",
}

// fold drops the signs by which people write one format differently.
var fold = strings.NewReplacer("-", "", "_", "", " ", "", "/", "", ".", "")

// fileType is the EU code of a format, by its name or its media type; "" is
// unknown.
func (t *tables) fileType(format string) string {
	upper := strings.ToUpper(strings.TrimSpace(format))
	if t.lists[listFileType][upper].label != "" {
		return upper
	}
	if name := aliases[fold.Replace(upper)]; name != "" {
		return name
	}
	if name := strings.ReplaceAll(upper, "-", "_"); t.lists[listFileType][name].label != "" {
		return name
	}
	return t.fileTypes[bareMedia(format)]
}

// bareMedia is a media type in lower case without parameters.
func bareMedia(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// ThemeLabel is the English name of an EU data theme, "" for no code of the table; ThemeIRI
// its IRI.
func ThemeLabel(name string) string {
	c, _ := codes().find(listTheme, name)
	return c.label
}

// ThemeIRI is described with ThemeLabel.
func ThemeIRI(name string) string { return authority + listTheme + "/" + name }

// AccessRightsIRI is the IRI of access rights in the EU table.
func AccessRightsIRI(r catalog.AccessRights) string { return authority + listAccess + "/" + string(r) }

// LicenceAddress is where the EU table or SPDX has a licence of the register, "" for one that
// neither knows.
func LicenceAddress(id string) string { return string(licenceOf(id, nil).iri) }

// MediaType is the IANA media type of a file of a format or media type, "" if neither table
// has it.
func MediaType(format, media string) string {
	t := codes()
	bare := bareMedia(media)
	if _, ok := t.find(listMediaType, bare); ok {
		return bare
	}
	name := t.fileType(format)
	if name == "" {
		name = t.fileType(media)
	}
	c, _ := t.find(listFileType, name)
	bare, _, _ = strings.Cut(c.extra, " ")
	return bare
}

// DeprecatedIRI says that something should not be used any more.
const DeprecatedIRI = authority + listDistStatus + "/DEPRECATED"
