package api

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Summary counts the catalog and links its machine-readable forms.
func Summary(c *snapshot.Catalog) wire.CatalogSummary {
	f := c.Facets(c.Order)
	s := wire.CatalogSummary{
		Name: c.Site.Name, License: c.Site.License, Snapshot: c.ID, AsOf: c.AsOf.Format(time.RFC3339),
		Entries: len(c.Lines), Listed: len(c.Order), Deprecated: len(c.Lines) - len(c.Order),
		Types: f.Type, States: f.State, Tiers: f.Tier, Licences: f.License, ByCountry: f.CountryCode,
		Formats: formatLinks(c.Site),
	}
	for _, t := range c.Gone {
		if t.Reason == snapshot.ReasonMerged {
			s.Merged++
		} else {
			s.Removed++
		}
	}
	s.LeftOut, s.Honesty = c.LeftOut(), wire.NewHonestyFigures(c)
	institutions, countries, langs, sum := map[string]bool{}, map[string]bool{}, map[string]bool{}, 0
	for _, i := range c.Order {
		l := &c.Lines[i]
		institutions[l.InstitutionID], countries[l.Country], langs[l.Lang] = true, true, true
		sum += int(l.MQA)
		if l.Public {
			s.PublicSector++
		}
	}
	for _, m := range []map[string]bool{institutions, countries, langs} {
		delete(m, "")
	}
	s.Institutions, s.Countries, s.Languages = len(institutions), len(countries), len(langs)
	if len(c.Order) > 0 {
		s.MeanMQAScore = tenth(float64(sum) / float64(len(c.Order)))
	}
	return s
}

func inPath(p wire.Param) bool { return p.In == "path" }

// formatLinks names every form of the whole catalog that stands in the table
// of operations.
func formatLinks(site snapshot.Site) []wire.FormatLink {
	var out []wire.FormatLink
	for _, op := range wire.Operations() {
		if op.Static && (len(op.Params) == 0 || slices.Contains([]string{wire.TagCatalog, wire.TagInstitutions}, op.Tag) && !slices.ContainsFunc(op.Params, inPath)) {
			out = append(out, wire.FormatLink{Name: op.Summary, MediaType: op.Media, Href: wire.Path(site, op.Path)})
		}
	}
	return out
}
