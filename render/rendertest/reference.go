package rendertest

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Handles of the fixture's institutions, sources and licences.
const (
	Ministry     = "gr-environment"
	City         = "gr-athens"
	Statistics   = "de-destatis"
	Region       = "fr-idf"
	OpenLicence  = "CC-BY-4.0"
	NonFree      = "CC-BY-NC-4.0"
	Unspecified  = "UNSPECIFIED"
	NationalData = "data.example"
	Registry     = "registry.example"
)

// InstitutionID and SourceID are the ids of handles.
func InstitutionID(key string) string { return catalog.NewID("institution", key) }

// SourceID is the id of a source.
func SourceID(key string) string { return catalog.NewID("source", key) }

var founded = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// Reference are the tables that the fixture's rows are judged by.
func Reference() ([]catalog.Institution, []catalog.Licence, []catalog.Source) {
	institutions := []catalog.Institution{
		{Key: Ministry, Name: "Υπουργείο Περιβάλλοντος", NameEn: "Ministry of the Environment", NativeLang: "el", CountryCode: "GR",
			Type: catalog.InstGovernment, HomepageURL: "https://environment.example.gr", OfficialDomains: []string{"environment.example.gr"}},
		{Key: City, Name: "Δήμος Αθηναίων", NativeLang: "el", CountryCode: "GR", Type: catalog.InstMunicipality},
		{Key: Statistics, Name: "Statistisches Bundesamt", NameEn: "Federal Statistical Office", NativeLang: "de", CountryCode: "DE",
			Type: catalog.InstStatistics, OfficialDomains: []string{"destatis.example.de", "genesis.example.de"}, GithubOrgs: []string{"destatis"}},
		{Key: Region, Name: "Île-de-France", NativeLang: "fr", CountryCode: "FR", Type: catalog.InstRegion},
	}
	for i := range institutions {
		institutions[i].ID, institutions[i].CreatedAt, institutions[i].UpdatedAt = InstitutionID(institutions[i].Key), founded, founded
	}
	licences := []catalog.Licence{
		{ID: OpenLicence, Title: "Creative Commons Attribution 4.0", URL: "https://creativecommons.org/licenses/by/4.0/",
			EUURI:         "http://publications.europa.eu/resource/authority/licence/CC_BY_4_0",
			CommercialUse: catalog.RightYes, Redistribution: catalog.RightYes, Modification: catalog.RightYes,
			AttributionRequired: catalog.RightYes, ShareAlike: catalog.RightNo, Open: catalog.RightYes},
		{ID: NonFree, Title: "Creative Commons Attribution-NonCommercial 4.0", URL: "https://creativecommons.org/licenses/by-nc/4.0/",
			CommercialUse: catalog.RightNo, Redistribution: catalog.RightYes, AttributionRequired: catalog.RightYes,
			ShareAlike: catalog.RightUnknown, Open: catalog.RightNo},
		{ID: Unspecified, Title: "No licence stated", CommercialUse: catalog.RightUnknown, Redistribution: catalog.RightUnknown,
			AttributionRequired: catalog.RightUnknown, ShareAlike: catalog.RightUnknown, Open: catalog.RightUnknown},
	}
	sources := []catalog.Source{
		{ID: SourceID(NationalData), Kind: "ckan", Title: "National open data portal", URL: "https://data.example", CountryCode: "GR",
			Official: "the national catalogue", CreatedAt: founded, UpdatedAt: founded},
		{ID: SourceID(Registry), Kind: "mcp-registry", Title: "Server registry", URL: "https://registry.example", CreatedAt: founded, UpdatedAt: founded},
	}
	return institutions, licences, sources
}
