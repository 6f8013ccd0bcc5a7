package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Dimension is a property of entries by which lists are narrowed and counted: a filter of
// its name, and a facet. It is declared once, for the list, the search, the exports, the
// tools of agents and the pages (decisions-2 §G).
type Dimension struct {
	// Name is the parameter that narrows by it, and the member that counts it.
	Name string
	// All tells that an entry must have every value that is asked for, not one of them.
	All bool
	// Counted tells that facets count its values.
	Counted bool

	one   func(*Line) string
	many  func(*Line) []string
	facet func(*Facets) *[]Count
}

// Names of the dimensions that the program itself asks for.
const (
	ByStatus  = "status"
	ByCountry = "country_code"
	ByTags    = "tags"
)

// dimensions are in the order of the facets.
var dimensions = []Dimension{
	word("type", func(l *Line) string { return string(l.Type) }, func(f *Facets) *[]Count { return &f.Type }),
	word(ByCountry, func(l *Line) string { return l.Country }, func(f *Facets) *[]Count { return &f.CountryCode }),
	word("institution_type", func(l *Line) string { return string(l.InstType) }, func(f *Facets) *[]Count { return &f.InstitutionType }),
	word("institution_id", func(l *Line) string { return l.InstitutionID }, func(f *Facets) *[]Count { return &f.InstitutionID }),
	{Name: ByTags, All: true, Counted: true, many: func(l *Line) []string { return l.Tags }, facet: func(f *Facets) *[]Count { return &f.Tags }},
	word("verification_state", func(l *Line) string { return string(l.State) }, func(f *Facets) *[]Count { return &f.State }),
	word(ByStatus, func(l *Line) string { return string(l.Status) }, func(f *Facets) *[]Count { return &f.Status }),
	word("free_access_class", func(l *Line) string { return string(l.FreeAccess) }, func(f *Facets) *[]Count { return &f.FreeAccessClass }),
	word("auth_type", func(l *Line) string { return string(l.Auth) }, func(f *Facets) *[]Count { return &f.AuthType }),
	word("access_rights", func(l *Line) string { return string(l.Rights) }, func(f *Facets) *[]Count { return &f.AccessRights }),
	word("mqa_tier", func(l *Line) string { return string(l.Tier) }, func(f *Facets) *[]Count { return &f.Tier }),
	word("maturity", func(l *Line) string { return string(l.Maturity) }, func(f *Facets) *[]Count { return &f.Maturity }),
	words("format", func(l *Line) []string { return l.Formats }, func(f *Facets) *[]Count { return &f.Format }),
	word("lang", func(l *Line) string { return l.Lang }, func(f *Facets) *[]Count { return &f.Lang }),
	word("license", func(l *Line) string { return l.LicenseID }, func(f *Facets) *[]Count { return &f.License }),
	{Name: "license_allows", All: true, Counted: true, many: func(l *Line) []string { return l.Allows }, facet: func(f *Facets) *[]Count { return &f.LicenseAllows }},
	words("theme", func(l *Line) []string { return l.Themes }, func(f *Facets) *[]Count { return &f.Theme }),
	words("hvd_category", func(l *Line) []string { return l.HVD }, func(f *Facets) *[]Count { return &f.HVDCategory }),
	words("place", func(l *Line) []string { return l.Places }, func(f *Facets) *[]Count { return &f.Place }),
	word("frequency", func(l *Line) string { return l.Frequency }, func(f *Facets) *[]Count { return &f.Frequency }),
	word("has_download", func(l *Line) string { return strconv.FormatBool(l.Download) }, func(f *Facets) *[]Count { return &f.HasDownload }),
	{Name: "is_public_sector", one: func(l *Line) string { return strconv.FormatBool(l.Public) }},
}

func word(name string, one func(*Line) string, facet func(*Facets) *[]Count) Dimension {
	return Dimension{Name: name, Counted: true, one: one, facet: facet}
}

func words(name string, many func(*Line) []string, facet func(*Facets) *[]Count) Dimension {
	return Dimension{Name: name, Counted: true, many: many, facet: facet}
}

// Dimensions lists the dimensions in the order of the facets.
func Dimensions() []Dimension { return dimensions }

// Single tells that an entry has one value at most.
func (d *Dimension) Single() bool { return d.one != nil }

// Values are those of an entry, none of them empty. They may lie in room.
func (d *Dimension) Values(l *Line, room []string) []string {
	if d.many != nil {
		return d.many(l)
	}
	if v := d.one(l); v != "" {
		return append(room[:0], v)
	}
	return nil
}

// Counts is where facets have the counts of a dimension that is counted.
func (d *Dimension) Counts(f *Facets) *[]Count { return d.facet(f) }

// fits tells whether an entry has what is wanted.
func (d *Dimension) fits(l *Line, wanted []string) bool {
	if d.one != nil {
		return slices.Contains(wanted, d.one(l))
	}
	have := d.many(l)
	if d.All {
		return !slices.ContainsFunc(wanted, func(v string) bool { return !slices.Contains(have, v) })
	}
	return slices.ContainsFunc(have, func(v string) bool { return slices.Contains(wanted, v) })
}

// condition is what a query wants of a dimension.
type condition struct {
	of     *Dimension
	wanted []string
}

// conditions are those of a query; only active entries are in lists that do not say which
// (decisions §3).
func (q *Query) conditions() []condition {
	out := []condition{}
	for i := range dimensions {
		d := &dimensions[i]
		if wanted := q.Where[d.Name]; len(wanted) > 0 {
			out = append(out, condition{d, wanted})
		}
	}
	return out
}

// placesOf are the places that a source states of an entry's data: as it writes them, or
// by the code where they are of NUTS. One with a comma cannot be asked for.
func placesOf(e *catalog.Entry) []string {
	var stated []string
	if e.Dataset != nil {
		stated = append(stated, e.Dataset.Spatial...)
	}
	if e.API != nil {
		stated = append(stated, e.API.Spatial...)
	}
	var out []string
	for _, p := range stated {
		p = strings.TrimPrefix(p, nutsPrefix)
		if rest, ok := strings.CutPrefix(p, "http://sws.geonames.org/"); ok {
			p = "https://sws.geonames.org/" + rest
		}
		if p != "" && len(p) <= placeMax && !strings.Contains(p, ",") && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

const (
	// nutsPrefix is that of the IRIs of statistical regions (Eurostat, NUTS).
	nutsPrefix = "http://data.europa.eu/nuts/code/"
	// placeMax is how long the name of a place that is asked for can be, in bytes.
	placeMax = 200
)

// LicencePermissions lists what a licence may permit, by the names that its rights have in
// answers.
func LicencePermissions() []string { return permissions }

var permissions = []string{"open", "commercial_use", "modification", "redistribution"}

// allowsOf are the permissions that a licence gives, nil for none or an unknown licence.
func allowsOf(x *catalog.Licence) []string {
	if x == nil {
		return nil
	}
	var out []string
	for i, right := range []catalog.Right{x.Open, x.CommercialUse, x.Modification, x.Redistribution} {
		if right == catalog.RightYes {
			out = append(out, permissions[i])
		}
	}
	return out
}

// frequencyOf is how often the data is updated, a code of the EU frequency authority table.
func frequencyOf(e *catalog.Entry) string {
	switch {
	case e.Dataset != nil:
		return e.Dataset.Frequency
	case e.API != nil:
		return e.API.Frequency
	}
	return ""
}

// downloadable tells that one of the entry's files has an address of its own.
func downloadable(e *catalog.Entry) bool {
	return e.Dataset != nil && slices.ContainsFunc(e.Dataset.Distributions, func(d catalog.Distribution) bool { return d.DownloadURL != "" })
}
