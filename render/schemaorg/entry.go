package schemaorg

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/usage"
	"github.com/assay-register/assay/render/wire"
)

// Entry is the block of an entry's page, by its type.
func Entry(site snapshot.Site, s *snapshot.Scored) ([]byte, error) {
	switch s.Entry().Type {
	case catalog.TypeAPI:
		return WebAPI(site, s)
	case catalog.TypeMCPServer:
		return SoftwareApplication(site, s)
	}
	return Dataset(site, s)
}

// shapeOf is a box as its corners, south before west, north before east (schema.org/box).
func shapeOf(b catalog.Box) *shape {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return &shape{"GeoShape", number(b.South) + " " + number(b.West) + " " + number(b.North) + " " + number(b.East)}
}

// Page is the block of an entry's page in another language than the first, whose page describes the entry: it names
// that, for what is the same in all languages is said once.
func Page(site snapshot.Site, s *snapshot.Scored, lang string) ([]byte, error) {
	return marshal(webPage{Context: context, Type: "WebPage", InLanguage: lang, MainEntity: named{ID: address(site, "/id/"+s.Entry().ID)}})
}

// Dataset describes a dataset (schema.org/Dataset; Google, "Dataset structured
// data"). sameAs leads to the publisher's own page, which tells a search engine
// that this one is a copy of the description.
func Dataset(site snapshot.Site, s *snapshot.Scored) ([]byte, error) {
	e := s.Entry()
	b := dataset{thing: about(site, s, "Dataset"), work: workOf(s), IncludedInDataCatalog: catalogRef(site)}
	landing := ""
	if d := e.Dataset; d != nil {
		landing, b.Version = d.LandingPage, d.Version
		b.TemporalCoverage = interval(d.TemporalStart, d.TemporalEnd)
		for _, place := range d.Spatial {
			if x, ok := catalog.ParseBox(place); ok {
				b.SpatialCoverage = append(b.SpatialCoverage, named{Type: "Place", Geo: shapeOf(x)})
			} else if u := web(place); u != "" {
				b.SpatialCoverage = append(b.SpatialCoverage, named{Type: "Place", ID: u})
			} else {
				b.SpatialCoverage = append(b.SpatialCoverage, named{Type: "Place", Name: place})
			}
		}
		b.Distribution = downloads(d.Distributions, e.SourceModifiedAt)
	}
	// The service has a description of its records, too; crawlers of machine learning know it by
	// its profile (Croissant 1.0).
	if wire.HasCroissant(s) {
		b.SubjectOf = &download{Type: "DataDownload", ContentURL: strings.TrimRight(site.BaseURL, "/") + "/id/" + e.ID + "/croissant.json",
			EncodingFormat: `application/ld+json; profile="http://mlcommons.org/croissant/1.0"`}
	}
	b.SameAs = webs(landing, e.HomepageURL, e.PrimarySourceURL)
	return marshal(b)
}

// downloadsMost is how many files a block names; all of them are in the DCAT of the entry.
const downloadsMost = 3

// downloads are the first files with an address, those of a format of their own before second ones of it, each with
// its day unless the dataset changed then.
func downloads(list []catalog.Distribution, changed time.Time) []download {
	var out []download
	for _, again := range [...]bool{false, true} {
		for i := range list {
			d := &list[i]
			u := cmp.Or(web(d.DownloadURL), web(d.AccessURL))
			format := usage.EncodingOf(d)
			if u == "" || slices.ContainsFunc(out, func(x download) bool {
				return x.ContentURL == u || !again && format != "" && x.EncodingFormat == format
			}) {
				continue
			}
			x := download{Type: "DataDownload", ContentURL: u, EncodingFormat: format, ContentSize: size(d.ByteSize)}
			if !d.ModifiedAt.Equal(changed) {
				x.DateModified = stamp(d.ModifiedAt)
			}
			if out = append(out, x); len(out) == downloadsMost {
				return out
			}
		}
	}
	return out
}

// interval is an ISO 8601 interval; ".." is an open end.
func interval(from, to time.Time) string {
	if from.IsZero() && to.IsZero() {
		return ""
	}
	day := func(t time.Time) string {
		if t.IsZero() {
			return ".."
		}
		return t.UTC().Format(time.DateOnly)
	}
	return day(from) + "/" + day(to)
}

// WebAPI describes an API (schema.org/WebAPI).
func WebAPI(site snapshot.Site, s *snapshot.Scored) ([]byte, error) {
	e := s.Entry()
	b := webAPI{thing: about(site, s, "WebAPI"), Documentation: web(e.DocsURL), Provider: organisation(s),
		AreaServed: e.CountryCode, Offers: offerOf(e.FreeAccessClass)}
	if d := e.API; d != nil {
		b.TermsOfService = web(d.TermsURL)
		b.Documentation = cmp.Or(b.Documentation, web(d.OpenAPIURL))
		if u := cmp.Or(web(d.BaseURL), web(d.GraphQLURL)); u != "" {
			b.AvailableChannel = &channel{Type: "ServiceChannel", ServiceURL: u}
		}
	}
	b.SameAs = webs(e.HomepageURL, e.PrimarySourceURL)
	return marshal(b)
}

// SoftwareApplication describes an MCP server (schema.org/SoftwareApplication).
func SoftwareApplication(site snapshot.Site, s *snapshot.Scored) ([]byte, error) {
	e := s.Entry()
	b := software{thing: about(site, s, "SoftwareApplication"), work: workOf(s), ApplicationCategory: "DeveloperApplication",
		OperatingSystem: "Any", Offers: offerOf(e.FreeAccessClass)}
	if d := e.MCP; d != nil {
		b.SoftwareVersion = d.Version
		for _, tool := range d.Tools {
			b.FeatureList = append(b.FeatureList, cmp.Or(tool.Title, tool.Name))
		}
	}
	if u := web(e.DocsURL); u != "" {
		b.SoftwareHelp = &named{Type: "CreativeWork", URL: u}
	}
	b.SameAs = webs(e.RepoURL, e.HomepageURL, e.PrimarySourceURL)
	return marshal(b)
}

// catalogRef names the register; its IRI is that of DCAT's catalogue.
func catalogRef(site snapshot.Site) named {
	return named{Type: "DataCatalog", ID: address(site, "/catalog"), Name: site.Name}
}

// DataCatalog describes the register for its first page
// (schema.org/DataCatalog).
func DataCatalog(c *snapshot.Catalog) ([]byte, error) {
	ref, yes := catalogRef(c.Site), true
	return marshal(dataCatalog{
		thing: thing{Context: context, Type: ref.Type, ID: ref.ID, Name: ref.Name, URL: address(c.Site, "/"),
			Description: "A public register of official public-sector APIs, datasets and MCP servers, tested: each entry says how official it is, " +
				"whether it answers, how good its description and licence are, and where each field comes from."},
		work: work{License: licenceURL(c.Site.License), IsAccessibleForFree: &yes, Version: c.ID, DateModified: stamp(c.AsOf),
			Keywords: []string{"open data", "public sector", "API", "dataset", "MCP server"}},
	})
}

// Organization describes the institution of a page with its persistent identifiers; parent
// is what it is a part of, nil for nothing that is known.
func Organization(site snapshot.Site, i, parent *catalog.Institution) ([]byte, error) {
	route := func(x *catalog.Institution) string { return address(site, "/institution/"+x.ID) }
	b := organization{thing: thing{Context: context, Type: "Organization", ID: route(i), Name: i.Name, URL: cmp.Or(web(i.HomepageURL), route(i)),
		Identifier: append([]string{i.ID}, i.Identifiers...), SameAs: webs(i.Identifiers...)}}
	for _, name := range append([]string{i.NameEn}, i.Aliases...) {
		if name != "" && name != i.Name {
			b.AlternateNames = append(b.AlternateNames, name)
		}
	}
	if parent != nil {
		b.ParentOrg = &named{Type: "Organization", ID: route(parent), Name: parent.Name}
	}
	return marshal(b)
}
