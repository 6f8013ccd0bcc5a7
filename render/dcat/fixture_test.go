package dcat

import (
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

var (
	day1 = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	now  = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	site = snapshot.Site{BaseURL: "https://register.example/assay", Name: "Test register", License: "CC0-1.0"}
)

// id makes the n-th id.
func id(n int) string { return catalog.NewID("test", strings.Repeat("x", n)) }

var institutions = []catalog.Institution{
	{ID: id(900), Key: "fr-insee", Name: "Institut national de la statistique", NameEn: "National Institute of Statistics",
		NativeLang: "fr", CountryCode: "FR", Type: catalog.InstStatistics, HomepageURL: "https://stat.example.fr/"},
	{ID: id(901), Key: "eu-x", Name: "Office without a page", CountryCode: "EU", Type: catalog.InstAgency},
}

var licences = []catalog.Licence{
	{ID: "CC-BY-4.0", Title: "CC BY 4.0", URL: "https://creativecommons.org/licenses/by/4.0/",
		EUURI: "http://publications.europa.eu/resource/authority/licence/CC_BY_4_0", AttributionRequired: catalog.RightYes},
	{ID: "KOGL-1", Title: "Korea Open Government Licence 1", URL: "https://www.kogl.or.kr/info/license.do", AttributionRequired: catalog.RightYes},
	{ID: "CC0-1.0", Title: "CC0 1.0"},
}

// entry is an active one with the clocks set.
func entry(n int, t catalog.EntryType, name string) catalog.Entry {
	return catalog.Entry{ID: id(n), Slug: "entry-" + itoa(n), Type: t, Name: name, NativeLang: "fr", Status: catalog.StatusActive,
		FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone, CreatedAt: day1, UpdatedAt: day1.Add(time.Hour),
		PublishedAt: day1, IdentityKey: "k" + itoa(n), MatchKey: string(t) + "|u|" + name}
}

func itoa(n int) string {
	return string(rune('0'+n/100%10)) + string(rune('0'+n/10%10)) + string(rune('0'+n%10))
}

// richDataset fills every field that the mapping reads.
func richDataset(n int) catalog.Row {
	e := entry(n, catalog.TypeDataset, "Base des communes")
	e.NameEn, e.Description, e.DescriptionEn = "Municipalities", "Liste des communes.\nAvec \"guillemets\".", "List of municipalities."
	e.HomepageURL, e.DocsURL, e.RepoURL = "https://data.example.fr/communes", "https://data.example.fr/doc", "https://github.com/example/communes"
	e.PrimarySourceURL, e.SourceSeedURL = "https://data.example.fr/communes", "https://data.example.fr/catalog.json"
	e.Tags, e.Themes, e.HVDCategories = []string{"addresses", "communes"}, []string{"REGI", "NOSUCH"}, []string{"c_ac64a52d"}
	e.CountryCode, e.InstitutionID, e.LicenseID = "FR", institutions[0].ID, "CC-BY-4.0"
	e.UpstreamRef, e.SourceIssuedAt, e.SourceModifiedAt = "data.example.fr:dataset:communes", day1, now
	e.ContentChangedAt = day1.Add(24 * time.Hour)
	e.Contact = &catalog.Contact{Name: "Open data desk", URL: "https://data.example.fr/contact", Email: "data@example.fr"}
	e.Dataset = &catalog.DatasetDetails{LandingPage: "https://data.example.fr/landing", Frequency: "MONTHLY",
		Spatial:       []string{"Île-de-France", "http://publications.europa.eu/resource/authority/country/BEL", "https://sws.geonames.org/3017382/"},
		TemporalStart: day1, TemporalEnd: now, Version: "2026.1", Distributions: []catalog.Distribution{
			{Title: "CSV", AccessURL: "https://data.example.fr/page", DownloadURL: "https://data.example.fr/c.csv?x=[1]", Format: "CSV", MediaType: "text/csv; charset=utf-8", ByteSize: 1024, ModifiedAt: day1},
			{AccessURL: "https://api.example.fr/communes/v1/all", Format: "JSON"},
			{DownloadURL: "https://data.example.fr/c.csv?x=[1]", Format: "XML"},
			{DownloadURL: "https://data.example.fr/c.shp", Format: "SHP", LicenseRaw: "Licence maison", LicenseID: "house"},
		}}
	measured := int64(2048)
	return catalog.Row{Entry: e, Profile: &catalog.Profile{Source: "https://data.example.fr/c.csv?x=[1]", DataSizeBytes: &measured},
		State: &catalog.CheckState{EntryID: e.ID, State: catalog.StateVerified, LastCheckedAt: now, SucceededAt: now, ProbeHTTPStatus: 200}}
}

// fixture is a register in which each rule of the mapping shows.
func fixture() []catalog.Row {
	bare := entry(2, catalog.TypeDataset, "Sans description")
	bare.HomepageURL, bare.Status, bare.LicenseRaw = "https://bare.example.fr/", catalog.StatusDeprecated, "Voir le site"
	api := entry(3, catalog.TypeAPI, "API communes")
	api.NativeLang, api.NameEn, api.Description, api.LicenseID, api.InstitutionID = "en-GB", "Ignored", "Query.", "KOGL-1", institutions[1].ID
	api.Formats, api.Tags, api.FreeAccessClass = []string{"JSON", "JSON-LD", "no such"}, []string{"weather"}, catalog.AccessNotFree
	api.API = &catalog.APIDetails{BaseURL: "https://api.example.fr/communes/", OpenAPIURL: "https://api.example.fr/openapi.json", SpecFormat: "openapi", Version: "1.2"}
	api.Members = []catalog.Member{{Name: "communes", EntryID: id(1)}, {Name: "bare", EntryID: id(2)}, {Name: "gone", EntryID: id(77)}, {Name: "none"}}
	api.Status, api.UpstreamRef = catalog.StatusDeprecated, "data.example.fr:api:7"
	graphql := entry(4, catalog.TypeAPI, "GraphQL")
	graphql.API = &catalog.APIDetails{GraphQLURL: "https://api.example.fr/graphql", SpecFormat: "graphql"}
	mcp := entry(5, catalog.TypeMCPServer, "Serveur MCP")
	mcp.PrimarySourceURL = "https://mcp.example.fr/server.json"
	mcp.MCP = &catalog.MCPDetails{EndpointURL: "https://mcp.example.fr/mcp", Version: "0.3", ProtocolVersions: []string{"2025-11-25", "next"}}
	stdio := entry(6, catalog.TypeMCPServer, "Local")
	stdio.MCP = &catalog.MCPDetails{Transport: "stdio"}
	nowhere := entry(7, catalog.TypeAPI, "Nowhere")
	nowhere.HomepageURL, nowhere.DocsURL = "https://nowhere.example/", "https://nowhere.example/docs"
	probed := entry(8, catalog.TypeAPI, "Sondé")
	rows := []catalog.Row{richDataset(1), {Entry: bare}, {Entry: api}, {Entry: graphql}, {Entry: mcp}, {Entry: stdio}, {Entry: nowhere},
		{Entry: probed, State: &catalog.CheckState{SucceededAt: day1, ProbeURL: "https://probe.example.fr/v1", ProbeContentType: "application/json"}}}
	for i, year := range []string{"2021", "2019", "2020"} { // a series that its publisher does not name
		e := entry(9+i, catalog.TypeDataset, "Puits "+year)
		e.HomepageURL, e.InstitutionID = "https://data.example.fr/puits/"+year, institutions[0].ID
		rows = append(rows, catalog.Row{Entry: e})
	}
	return rows
}
