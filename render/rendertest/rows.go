package rendertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// Slugs of the fixture's entries.
const (
	// WeatherAPI has everything: all proofs, checks, a profile, a target,
	// kept evidence, overrides, history, a former slug and a member.
	WeatherAPI = "weather-observations"
	// AirDataset is a dataset that WeatherAPI serves; another entry was merged
	// into it and a third one has the same name.
	AirDataset = "air-quality"
	// FrenchAir has the name of AirDataset.
	FrenchAir = "air-quality-3f1c2a"
	// StatisticsServer is an MCP server whose state is STALE.
	StatisticsServer = "statistics-server"
	// FailingAPI needs a key and fails.
	FailingAPI = "genesis-api"
	// BareDataset has no optional value at all.
	BareDataset = "ktiria"
	// OldAPI is deprecated in favour of WeatherAPI.
	OldAPI = "weather-v1"
	// HostileServer is run by a third party; its texts hold everything that
	// breaks careless writers.
	HostileServer = "community-server"
	// CityRegister holds personal data and has no licence.
	CityRegister = "city-register"
	// MergedDataset became part of AirDataset, RemovedAPI was removed.
	MergedDataset = "air-quality-copy"
	RemovedAPI    = "floods-api"
	// PendingAPI and FutureDataset are not visible.
	PendingAPI    = "pending-api"
	FutureDataset = "future-dataset"
)

// Hostile is text that a careless writer of JSON, HTML, CSV or XML breaks on.
const Hostile = "Quotes \" ' ` and \\ back\\slash, <script>alert(\"x\")</script> & ]]> </b>,\ttab,\nline,\u2028separator\u2029, " +
	"right-to-left \u202eabc\u202c \u200fעברית, 🏛👩🏽‍💻 e\u0301, =1+1, {{.}} ${x} \u00a0\ufeff\ufffd"

func ago(days int) time.Time {
	return At.Truncate(24*time.Hour).AddDate(0, 0, -days).Add(6 * time.Hour)
}

// Rows are all rows of the fixture in id order, made anew by each call.
func Rows() []*catalog.Row {
	rows := []*catalog.Row{
		weather(), air(), frenchAir(), statisticsServer(), failing(), bareDataset(), oldAPI(), hostile(), cityRegister(),
		merged(), removed(), pending(), future(),
	}
	for _, r := range rows {
		finish(r)
	}
	slices.SortFunc(rows, func(a, b *catalog.Row) int { return cmp.Compare(a.Entry.ID, b.Entry.ID) })
	return rows
}

// ID is the id of the fixture's entry with a slug.
func ID(slug string) string { return catalog.EntryID("fixture:entry:"+slug, "", 1) }

func entry(t catalog.EntryType, slug, name string) catalog.Entry {
	return catalog.Entry{ID: ID(slug), Slug: slug, Type: t, Name: name, Status: catalog.StatusActive,
		FreeAccessClass: catalog.AccessUnknown, AuthType: catalog.AuthUnknown, ExtractionConfidence: 100,
		CreatedAt: ago(100), UpdatedAt: ago(20), PublishedAt: ago(99)}
}

// finish sets what follows from the rest.
func finish(r *catalog.Row) {
	e := &r.Entry
	e.IdentityKey = catalog.IdentityKey(e.Type, e.PrimarySourceURL, e.Name)
	e.MatchKey = catalog.MatchKey(e.Type, e.PrimarySourceURL, search.Fold(e.Name))
	for i := range r.Checks {
		r.Checks[i].EntryID = e.ID
	}
	for i := range r.Scores {
		r.Scores[i].EntryID = e.ID
	}
	for i := range r.Overrides {
		r.Overrides[i].EntryID = e.ID
	}
	if r.State != nil {
		r.State.EntryID, r.State.ID = e.ID, catalog.NewID("check_state", e.ID)
	}
	if r.Profile != nil {
		r.Profile.EntryID, r.Profile.ID = e.ID, catalog.NewID("profile", e.ID)
	}
	r.Provenance.EntryID = e.ID
	said(r)
	effective, err := catalog.Apply(*e, r.Overrides)
	if err != nil {
		panic(err)
	}
	*e = effective
}

func signals(kinds ...catalog.SignalKind) []catalog.Signal {
	out := make([]catalog.Signal, len(kinds))
	for i, k := range kinds {
		out[i] = catalog.Signal{Kind: k, Held: true, EvidenceURL: "https://evidence.example/" + string(k), ObservedAt: ago(15)}
	}
	return out
}

// probes are checks of the given days, oldest first; a negative day is a
// failure.
func probes(url string, days ...int) []catalog.Check {
	out := make([]catalog.Check, 0, len(days))
	for i, d := range days {
		c := catalog.Check{At: ago(max(d, -d)).Add(time.Duration(i) * time.Second), Kind: "http", URL: url, Method: "GET", Up: d >= 0,
			HTTPStatus: 200, ContentType: "application/json", LatencyMS: 100 + 10*i, Bytes: 512, Vantages: 1}
		if !c.Up {
			c.HTTPStatus, c.Class, c.Error = 503, catalog.ErrorHTTP, "the server answered 503"
		}
		out = append(out, c)
	}
	return out
}

func state(s catalog.VerificationState, url string, checked, succeeded time.Time) *catalog.CheckState {
	st := &catalog.CheckState{State: s, LastCheckedAt: checked, SucceededAt: succeeded, ProbeURL: url, ProbeMethod: "GET",
		ProbeHTTPStatus: 200, ProbeContentType: "application/json", Vantages: 1, CreatedAt: ago(90), UpdatedAt: checked, ConsecutiveSuccesses: 12}
	if s == catalog.StateFailing {
		st.ConsecutiveSuccesses, st.ConsecutiveFailures, st.ProbeHTTPStatus = 0, 4, 503
		st.LastError, st.LastClass = "the server answered 503", catalog.ErrorHTTP
	}
	return st
}

func history(first int, rankings ...float64) []catalog.ScoreDay {
	out := make([]catalog.ScoreDay, len(rankings))
	for i := range rankings {
		axis := rankings[i]
		out[i] = catalog.ScoreDay{Day: ago(first - i).Format(time.DateOnly), MQA: rankings[i] + 1, Trust: rankings[i] + 2, Ranking: &rankings[i]}
		out[i].Axes[0], out[i].Axes[2] = &axis, &axis
	}
	return out
}

func weather() *catalog.Row {
	const base = "https://api.environment.example.gr/weather"
	e := entry(catalog.TypeAPI, WeatherAPI, "Παρατηρήσεις καιρού")
	e.FormerSlugs = []string{"weather", "weather-data"}
	e.NameEn, e.NativeLang = "Weather observations", "el"
	e.Description, e.DescriptionEn = "Μετρήσεις σταθμών ανά ώρα.", "Hourly measurements of stations."
	e.HomepageURL, e.DocsURL, e.RepoURL = "https://environment.example.gr", "https://environment.example.gr/docs", "https://github.com/environment-gr/weather"
	e.LogoURL, e.PrimarySourceURL, e.SourceSeedURL = "data:image/svg+xml;base64,PHN2Zy8+", base, "https://data.example/api/3/package_show?id=weather"
	e.Tags, e.Formats, e.Themes, e.HVDCategories = []string{"air", "real-time", "weather"}, []string{"JSON"}, []string{"ENVI"}, []string{"c_164e0bf5"}
	e.CountryCode, e.InstitutionID, e.PublisherName = "GR", InstitutionID(Ministry), "ΥΠΕΝ"
	e.FreeAccessClass, e.AuthType, e.LicenseID, e.LicenseRaw = catalog.AccessFreeNoAuth, catalog.AuthNone, OpenLicence, "cc-by"
	e.Contact = &catalog.Contact{Name: "Data desk", URL: "https://environment.example.gr/contact", Email: "data@environment.example.gr"}
	e.Limits = []catalog.Limit{{Kind: "requests", Text: "60 a minute", Quantity: 60, PeriodSeconds: 60}, {Kind: "other", Text: "fair use"}}
	e.UpstreamRef, e.SourceID, e.ExtractionConfidence = "data.example:service:weather", SourceID(NationalData), 97
	e.Admission = &catalog.Admission{Rule: catalog.AdmittedByRule, Reason: "officialness 100", By: "system", At: ago(99)}
	e.Signals = signals(catalog.SignalDomain, catalog.SignalBacklink, catalog.SignalGithub, catalog.SignalReciprocal, catalog.SignalPolicy)
	e.SourceIssuedAt, e.SourceModifiedAt, e.ContentChangedAt = ago(900), ago(3), ago(3)
	e.API = &catalog.APIDetails{BaseURL: base, OpenAPIURL: base + "/openapi.json", Version: "2.1", SpecFormat: "openapi", EndpointsCount: 3,
		Endpoints:     []catalog.Endpoint{{Method: "GET", Path: "/stations", Summary: "Stations"}, {Method: "GET", Path: "/stations/{id}"}},
		RateLimitInfo: "60 a minute", FreeTierLimits: "none", PingURL: base + "/health", TermsURL: "https://environment.example.gr/terms"}
	e.Members = []catalog.Member{{Name: "air-quality", Title: "Air quality", EntryID: ID(AirDataset), Formats: []string{"CSV"}}, {Name: "rain", URL: base + "/rain"}}
	records, size := int64(1200), int64(48_000)
	return &catalog.Row{Entry: e,
		State:  state(catalog.StateVerified, base+"/health", ago(0), ago(0)),
		Checks: probes(base+"/health", 40, 29, -10, 5, 1, 0),
		Profile: &catalog.Profile{Source: base + "/stations", Kind: "json", Status: "ok", RecordCount: &records, DataSizeBytes: &size, Previewable: true,
			Fields: []catalog.ProfileField{{Name: "country", Type: "string", Label: "Country", Concept: "iso-3166-1-alpha-2", Matches: true},
				{Name: "origin", Type: "string", Concept: "iso-3166-1-alpha-2", Matches: true}, {Name: "value", Type: "number", Description: "Τιμή", DescriptionEn: "Value"}},
			SampleRecords: []json.RawMessage{json.RawMessage(`{"country":"GR","value":1.50,"2024":-0,"10":[{"9":1,"b":2}],"text":"a\u2028b"}`)},
			QueryExamples: []catalog.QueryExample{{URL: base + "/stations", Curl: "curl " + base + "/stations", Label: "All stations", Method: "GET"}},
			PersonalData:  catalog.PersonalData{Status: "none", Allowed: true, Columns: catalog.PersonalColumns{Measures: []string{"value"}}},
			ProfiledAt:    ago(2), CreatedAt: ago(50), UpdatedAt: ago(2)},
		Targets:  []catalog.Target{{ID: catalog.NewID("target", "1"), Availability: 99.5, WindowDays: 30, Active: true, By: "admin", Reason: "contract", CreatedAt: ago(30), UpdatedAt: ago(30)}},
		Evidence: []catalog.Evidence{{ID: catalog.NewID("evidence", "1"), SHA256: strings.Repeat("ab", 32), Kept: true, CreatedAt: ago(8)}},
		Scores:   history(9, 70, 71, 72.5, 74, 75, 76, 77, 78, 79),
		Overrides: []catalog.Override{
			{ID: catalog.NewID("override", "1"), Field: "docs_url", Value: json.RawMessage(`"https://environment.example.gr/manual"`), By: "curator", Reason: "moved", CreatedAt: ago(12)},
			{ID: catalog.NewID("override", "2"), Field: "tags", Value: json.RawMessage(`["wrong"]`), By: "curator", Reason: "mistake", CreatedAt: ago(11), RevokedAt: ago(10), RevokedBy: "curator"},
		},
		Provenance: catalog.Provenance{Rows: []catalog.FieldRow{
			{Field: "name", Basis: catalog.BasisPublisher, SourceID: SourceID(NationalData), SourceURL: "https://data.example/weather", UpstreamField: "title", ObservedAt: ago(20)},
			{Field: "name_en", Basis: catalog.BasisTranslated, Transform: "translated", ObservedAt: ago(20)},
			{Field: "license_raw", Basis: catalog.BasisPublisher, SourceID: "another", SourceURL: "https://data.example/weather", UpstreamField: "license_id", Note: "normalised"},
			{Field: "docs_url", Basis: catalog.BasisCurator, Note: "moved", ObservedAt: ago(12)},
			{Field: "admission", Basis: catalog.BasisComputed, Note: "officialness 100"},
		}},
	}
}

func air() *catalog.Row {
	const page = "https://environment.example.gr/air"
	e := entry(catalog.TypeDataset, AirDataset, "Air quality")
	e.NativeLang, e.Description = "en", "Concentrations of pollutants."
	e.DocsURL, e.PrimarySourceURL, e.CountryCode, e.InstitutionID = page+"/docs", page, "GR", InstitutionID(Ministry)
	e.Tags, e.Formats = []string{"air", "health", "pollution"}, []string{"CSV", "JSON"}
	e.FreeAccessClass, e.AuthType, e.LicenseID = catalog.AccessFreeNoAuth, catalog.AuthNone, NonFree
	e.Contact = &catalog.Contact{Email: "air@environment.example.gr"}
	e.SourceID, e.SourceModifiedAt, e.ContentChangedAt = SourceID(NationalData), ago(180), ago(40)
	e.Titles = catalog.Texts{"en": e.Name, "el": "Ποιότητα αέρα", "fr-t-el": "Qualité de l’air"}
	e.Descriptions = catalog.Texts{"en": e.Description, "el": "Συγκεντρώσεις ρύπων."}
	e.Keywords = catalog.Terms{"en": {"air", "pollution, urban"}, "el": {"αέρας"}}
	e.AlternativeTitles, e.Languages, e.AccessRights = []string{"Air"}, []string{"el", "en"}, catalog.RightsPublic
	e.Creators = []catalog.Agent{{Names: catalog.Texts{"el": "ΥΠΕΝ"}, IRI: "https://id.example.gr/ypen", Type: "NationalAuthority"}}
	e.Subjects, e.ConformsTo = []string{"https://vocabulary.example/air"}, []string{"https://standards.example/air/1"}
	e.Identifiers = []string{"https://doi.org/10.5555/air"}
	e.Relations = []catalog.Relation{{Kind: catalog.RelationSeries, Ref: "data.example.gr:dataset:https://data.example.gr/series/air"}}
	e.Admission = &catalog.Admission{Rule: catalog.AdmittedBySource, Reason: "listed by the national catalogue", At: ago(99)}
	e.Signals = append(signals(catalog.SignalDomain, catalog.SignalBacklink), catalog.Signal{Kind: catalog.SignalGithub, ObservedAt: ago(15), Detail: "no repository"})
	e.Dataset = &catalog.DatasetDetails{LandingPage: page, Frequency: "DAILY", Spatial: []string{"http://publications.europa.eu/resource/authority/country/GRC"},
		TemporalStart: ago(3000), TemporalEnd: ago(1), Version: "7", Distributions: []catalog.Distribution{
			{Title: "All years", DownloadURL: page + "/all.csv", Format: "CSV", MediaType: "text/csv", ByteSize: 123456, LicenseID: NonFree, ModifiedAt: ago(180)},
			{AccessURL: page + "/api", Format: "JSON", LicenseRaw: "ask us"},
		}}
	return &catalog.Row{Entry: e, State: state(catalog.StateVerified, page+"/all.csv", ago(1), ago(1)), Checks: probes(page+"/all.csv", 20, 10, 1)}
}

func frenchAir() *catalog.Row {
	const page = "https://data.idf.example.fr/air"
	e := entry(catalog.TypeDataset, FrenchAir, "Air quality")
	e.NativeLang, e.PrimarySourceURL, e.CountryCode, e.InstitutionID = "fr", page, "FR", InstitutionID(Region)
	e.Tags, e.Formats, e.PublishedAt, e.CreatedAt = []string{"air", "health"}, []string{"PDF"}, ago(6), ago(6)
	e.AuthType, e.LicenseRaw = catalog.AuthNone, "Licence Ouverte ?"
	e.UpdatedAt = ago(5)
	e.Dataset = &catalog.DatasetDetails{Distributions: []catalog.Distribution{{DownloadURL: page + "/report.pdf", Format: "PDF"}}}
	return &catalog.Row{Entry: e}
}

func statisticsServer() *catalog.Row {
	const url = "https://mcp.destatis.example.de"
	e := entry(catalog.TypeMCPServer, StatisticsServer, "Statistics server")
	e.NativeLang, e.Description, e.HomepageURL, e.DocsURL = "en", "Tables of the office.", "https://destatis.example.de", "https://destatis.example.de/mcp"
	e.RepoURL, e.PrimarySourceURL, e.Tags = "https://github.com/destatis/mcp", url, []string{"census", "statistics"}
	e.CountryCode, e.InstitutionID, e.AuthType, e.FreeAccessClass = "DE", InstitutionID(Statistics), catalog.AuthNone, catalog.AccessFreeNoAuth
	e.SourceID, e.SourceModifiedAt = SourceID(Registry), ago(30)
	e.Signals = signals(catalog.SignalDomain, catalog.SignalGithub)
	e.MCP = &catalog.MCPDetails{EndpointURL: url, Transport: "streamable-http", Version: "1.0.0", ProtocolVersions: []string{"2026-07-28"},
		Packages:    []catalog.MCPPackage{{Registry: "pypi", Identifier: "destatis-mcp", Version: "1.0.0"}},
		Tools:       []catalog.MCPTool{{Name: "find_table", Title: "Find", Description: "Finds a table.", ReadOnly: true}, {Name: "get_table"}},
		HandshakeAt: ago(5)}
	return &catalog.Row{Entry: e, State: state(catalog.StateStale, url, ago(4), ago(5)), Checks: probes(url, 8, 5, -4)}
}

func failing() *catalog.Row {
	const base = "https://genesis.example.de/api"
	e := entry(catalog.TypeAPI, FailingAPI, "GENESIS API")
	e.NativeLang, e.Description, e.DocsURL, e.PrimarySourceURL = "de", "Amtliche Statistik.", base+"/docs", base
	e.Tags, e.CountryCode, e.InstitutionID = []string{"census", "statistics"}, "DE", InstitutionID(Statistics)
	e.AuthType, e.FreeAccessClass, e.LicenseID = catalog.AuthAPIKey, catalog.AccessFreeKey, OpenLicence
	e.Signals = signals(catalog.SignalDomain)
	e.API = &catalog.APIDetails{BaseURL: base, SpecFormat: "none"}
	st := state(catalog.StateFailing, base, ago(0), ago(12))
	st.RequiresAuth = true
	return &catalog.Row{Entry: e, State: st, Checks: probes(base, 12, -3, -2, -1, 0)[:4]}
}

func bareDataset() *catalog.Row {
	e := entry(catalog.TypeDataset, BareDataset, "Κτίρια")
	e.SourceID = SourceID(NationalData)
	return &catalog.Row{Entry: e}
}

func oldAPI() *catalog.Row {
	const base = "https://api.environment.example.gr/v1"
	e := entry(catalog.TypeAPI, OldAPI, "Weather, first version")
	e.FormerSlugs = []string{"old-weather"}
	e.Status, e.StatusReason, e.DeprecatedAt, e.SunsetAt, e.SuccessorID = catalog.StatusDeprecated, "replaced", ago(30), ago(-60), ID(WeatherAPI)
	e.PrimarySourceURL, e.CountryCode, e.InstitutionID, e.Tags = base, "GR", InstitutionID(Ministry), []string{"weather"}
	e.AuthType, e.API = catalog.AuthNone, &catalog.APIDetails{PingURL: base}
	return &catalog.Row{Entry: e, State: state(catalog.StateUnverified, base, time.Time{}, time.Time{})}
}

func hostile() *catalog.Row {
	e := entry(catalog.TypeMCPServer, HostileServer, `Server "of" the <people> \ & 'friends' 🏛`)
	e.NativeLang, e.Description = "he", strings.Repeat(Hostile+" ", 6)
	e.DescriptionEn, e.PublisherName = strings.Repeat("é", 400), "\u202eשרת"
	e.Tags, e.LicenseRaw = []string{"<b>", "a\\b", "ünïcode \"tag\""}, "© \"me\" — all rights <reserved>"
	e.ThirdParty, e.InstitutionID, e.CountryCode = true, InstitutionID(Statistics), "DE"
	e.RepoURL, e.PrimarySourceURL = "https://github.com/people/server", "https://people.example/server?q='x'&y=(1)"
	e.Admission = &catalog.Admission{Rule: catalog.AdmittedByModerator, Reason: Hostile, By: "moderator", At: ago(99)}
	e.MCP = &catalog.MCPDetails{Transport: "stdio", Packages: []catalog.MCPPackage{{Registry: "npm", Identifier: "@people/server"}},
		Tools: []catalog.MCPTool{{Name: "run", Description: Hostile}}}
	return &catalog.Row{Entry: e}
}

func cityRegister() *catalog.Row {
	const page = "https://data.athens.example.gr/register"
	e := entry(catalog.TypeDataset, CityRegister, "City register")
	e.NativeLang, e.Description, e.HomepageURL, e.PrimarySourceURL = "el", "Μητρώο.", page, page
	e.CountryCode, e.InstitutionID, e.SourceID = "GR", InstitutionID(City), SourceID(NationalData)
	e.Tags, e.Formats, e.LicenseID, e.LicenseRaw = []string{"people"}, []string{"XLSX"}, Unspecified, "notspecified"
	e.AuthType, e.FreeAccessClass = catalog.AuthNone, catalog.AccessFreeNoAuth
	e.Dataset = &catalog.DatasetDetails{LandingPage: page, Frequency: "UNKNOWN", Distributions: []catalog.Distribution{{AccessURL: page, Format: "XLSX"}}}
	return &catalog.Row{Entry: e,
		Profile: &catalog.Profile{Source: page, Kind: "xlsx", Status: "error", ErrorMessage: "the second sheet is encrypted", FailureCount: 2,
			LastErrorAt: ago(3), LastErrorMessage: "the second sheet is encrypted", Fields: []catalog.ProfileField{{Name: "επώνυμο", Type: "string"}},
			SampleRecords: []json.RawMessage{json.RawMessage(`{"επώνυμο":"must not be shown"}`)},
			PersonalData: catalog.PersonalData{Status: "personal", Basis: "column names", Grain: "person", Columns: catalog.PersonalColumns{FamilyNames: []string{"επώνυμο"}},
				Publication: "withheld", Notice: "The values are not shown."},
			ProfiledAt: ago(3), CreatedAt: ago(30), UpdatedAt: ago(3)}}
}

func merged() *catalog.Row {
	e := entry(catalog.TypeDataset, MergedDataset, "Air quality (copy)")
	e.FormerSlugs = []string{"air-copy"}
	e.Status, e.StatusReason, e.MergedIntoID, e.RemovedAt, e.UpdatedAt = catalog.StatusRemoved, "duplicate", ID(AirDataset), ago(7), ago(7)
	return &catalog.Row{Entry: e}
}

func removed() *catalog.Row {
	e := entry(catalog.TypeAPI, RemovedAPI, "Floods API")
	e.Status, e.StatusReason, e.RemovedAt, e.UpdatedAt = catalog.StatusRemoved, "publisher's wish", ago(2), ago(2)
	return &catalog.Row{Entry: e}
}

func pending() *catalog.Row {
	e := entry(catalog.TypeAPI, PendingAPI, "Pending API")
	e.Status, e.PublishedAt = catalog.StatusPending, time.Time{}
	return &catalog.Row{Entry: e}
}

func future() *catalog.Row {
	e := entry(catalog.TypeDataset, FutureDataset, "Future dataset")
	e.PublishedAt = At.Add(time.Hour)
	return &catalog.Row{Entry: e}
}

// Many are n small datasets more, for lists of several pages.
func Many(n int) []*catalog.Row {
	out := make([]*catalog.Row, n)
	for i := range out {
		slug := fmt.Sprintf("dataset-%d", i)
		e := entry(catalog.TypeDataset, slug, fmt.Sprintf("Dataset %d", i))
		e.SourceID, e.CountryCode = SourceID(NationalData), []string{"GR", "DE", "FR", ""}[i%4]
		e.Tags = []string{fmt.Sprintf("topic-%d", i%7)}
		out[i] = &catalog.Row{Entry: e}
		finish(out[i])
	}
	return out
}
