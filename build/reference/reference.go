package reference

import (
	"embed"
	"io/fs"
	"slices"
	"sync"

	"github.com/assay-register/assay/render/codelist"
)

//go:embed *.tsv
var own embed.FS

// tables are the files of this package, and those that the service reads too.
var tables fs.FS = shelf{own, codelist.Files}

// shelf is several folders as one; the first that has a file gives it.
type shelf []fs.FS

// Open implements fs.FS.
func (s shelf) Open(name string) (fs.File, error) {
	for _, folder := range s[:len(s)-1] {
		if f, err := folder.Open(name); err == nil {
			return f, nil
		}
	}
	return s[len(s)-1].Open(name)
}

// Institution is a public body and what is known to belong to it.
type Institution struct {
	Key             string // stable handle, for example gb-companies-house
	Name            string // in its own language
	NameEn          string // empty if not known
	Lang            string // BCP 47, the language of Name
	CountryCode     string // ISO 3166-1 alpha-2, or EU, UN, XK
	Type            string // one of the institution types of the catalog
	Homepage        string
	OfficialDomains []string // hosts; everything below them belongs too
	GithubOrgs      []string
	Source          string // where the facts of the row come from
}

// Licence is a licence and the rights that it grants. A right is yes, no or
// unknown; unknown is never read as yes.
type Licence struct {
	ID                  string // the SPDX id where one exists
	Title               string
	URL                 string
	EUURI               string // in the EU authority table
	Jurisdiction        string // country code, empty if international
	CommercialUse       string
	Redistribution      string
	Modification        string
	AttributionRequired string
	ShareAlike          string
	Open                string   // whether it meets the Open Definition
	Aliases             []string // other names and addresses in use
	Note                string
	Source              string
}

// Suffix is a domain under which only, or mostly, public bodies have names. It
// is a hint that a host is governmental, never proof of who runs it.
type Suffix struct {
	Suffix      string
	CountryCode string
	Kind        string
	Source      string
}

// Country is a country of ISO 3166-1, or one of the pseudo countries EU, UN and
// XK, which have no number.
type Country struct {
	Alpha2  string
	Alpha3  string
	Numeric string
	NameEn  string
}

var (
	loadInstitutions = sync.OnceValues(func() ([]Institution, error) { return parseInstitutions(tables) })
	loadLicences     = sync.OnceValues(func() ([]Licence, error) { return parseLicences(tables) })
	loadSuffixes     = sync.OnceValues(func() ([]Suffix, error) { return parseSuffixes(tables) })
	loadCountries    = sync.OnceValues(func() ([]Country, error) { return parseCountries(tables) })
)

// Institutions returns the institutions of all tables, sorted by key.
func Institutions() ([]Institution, error) { return copied(loadInstitutions()) }

// Licences returns the licences in the order of their table.
func Licences() ([]Licence, error) { return copied(loadLicences()) }

// Suffixes returns the government domain suffixes in the order of their table.
func Suffixes() ([]Suffix, error) { return copied(loadSuffixes()) }

// Countries returns the countries sorted by alpha-2 code.
func Countries() ([]Country, error) { return copied(loadCountries()) }

// copied protects the loaded table from callers that sort or filter in place.
func copied[T any](rows []T, err error) ([]T, error) { return slices.Clone(rows), err }
