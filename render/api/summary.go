package api

import (
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

func formatLinks(site snapshot.Site) []wire.FormatLink {
	return []wire.FormatLink{
		{Name: "Entries (JSON pages)", MediaType: "application/json", Href: wire.Path(site, "/api/v1/entries")},
		{Name: "Interface description (OpenAPI 3.1)", MediaType: "application/json", Href: wire.Path(site, "/openapi.json")},
		{Name: "Tombstones (NDJSON)", MediaType: "application/x-ndjson", Href: wire.Path(site, "/tombstones.ndjson")},
		{Name: "Routes and hashes (NDJSON)", MediaType: "application/x-ndjson", Href: wire.Path(site, "/routes.ndjson")},
		{Name: "Snapshot", MediaType: "application/json", Href: wire.Path(site, "/snapshot.json")},
	}
}
