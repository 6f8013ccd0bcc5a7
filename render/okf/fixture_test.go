package okf

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var (
	noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	site = snapshot.Site{BaseURL: "https://assay.example/register", Name: "Assay", License: "CC0-1.0"}
)

// hostile is text that has broken a format before.
const hostile = "\n  \"It's\" \\ `x` | [a](b) <script>alert(1)</script> ]]> \u202eRTL\u200f \U0001F3DB\u2028no: *y* &amp; # 1. é"

var institutions = []catalog.Institution{
	{ID: "1a000000-0000-5000-8000-000000000001", Key: "gr-elstat", Name: "Ελληνική Στατιστική Αρχή", NameEn: "Hellenic Statistical Authority",
		CountryCode: "GR", Type: catalog.InstStatistics, HomepageURL: "https://www.statistics.gr/"},
	{ID: "1a000000-0000-5000-8000-000000000002", Key: "index", Name: hostile, CountryCode: "FR", Type: catalog.InstGovernment},
}

var licences = []catalog.Licence{{ID: "CC-BY-4.0", Title: "Creative Commons Attribution 4.0", URL: "https://creativecommons.org/licenses/by/4.0/",
	Open: catalog.RightYes, CommercialUse: catalog.RightYes, Redistribution: catalog.RightYes, AttributionRequired: catalog.RightYes, ShareAlike: catalog.RightNo}}

func entry(kind catalog.EntryType, slug, name string) *catalog.Row {
	at := noon.AddDate(0, 0, -10)
	return &catalog.Row{Entry: catalog.Entry{ID: catalog.NewID("entry", slug), Slug: slug, Type: kind, Name: name,
		PrimarySourceURL: "https://data.example/" + slug, Status: catalog.StatusActive, FreeAccessClass: catalog.AccessFreeNoAuth,
		AuthType: catalog.AuthNone, CreatedAt: at, UpdatedAt: at, PublishedAt: at, ContentChangedAt: at}}
}

// rows are entries of every kind, one of them hostile in every text.
func rows() []*catalog.Row {
	api := entry(catalog.TypeAPI, "business-register", "Business register: API")
	api.Entry.Description, api.Entry.Tags = "Companies and their officers. Updated each night.", []string{"2026", "no", "register"}
	api.Entry.CountryCode, api.Entry.InstitutionID, api.Entry.LicenseID = "GR", institutions[0].ID, "CC-BY-4.0"
	api.Entry.API = &catalog.APIDetails{BaseURL: "https://api.example/v1", OpenAPIURL: "https://api.example/openapi.json",
		Endpoints: []catalog.Endpoint{{Method: "GET", Path: "/companies/{id}|x", Summary: "One company"}}}
	set := entry(catalog.TypeDataset, "population", "Πληθυσμός")
	set.Entry.NameEn, set.Entry.CountryCode, set.Entry.InstitutionID = "Population", "GR", institutions[0].ID
	set.Entry.Dataset = &catalog.DatasetDetails{Distributions: []catalog.Distribution{{Title: "All (CSV)", DownloadURL: "https://data.example/p(1).csv", Format: "CSV", ByteSize: 5}}}
	set.Profile = &catalog.Profile{Fields: []catalog.ProfileField{{Name: "a`b|c", Type: "integer", Concept: "nuts"}}}
	server := entry(catalog.TypeMCPServer, "law-server", "Law server")
	server.Entry.MCP = &catalog.MCPDetails{EndpointURL: "https://mcp.example/mcp", Tools: []catalog.MCPTool{{Name: "search", Description: "Finds laws."}}}
	server.Entry.Status, server.Entry.StatusReason, server.Entry.DeprecatedAt = catalog.StatusDeprecated, "closed", noon.AddDate(0, 0, -2)
	return []*catalog.Row{api, set, server, hostileRow(hostile)}
}

func hostileRow(text string) *catalog.Row {
	bad := entry(catalog.TypeAPI, "log-1", text)
	e := &bad.Entry
	e.NameEn, e.Description, e.DescriptionEn, e.StatusReason, e.LicenseRaw, e.PublisherName = text, text+"\n\n# Citations\n\n[9] x\n\n---\n"+text, "", text, text, text
	e.Tags, e.Formats, e.NativeLang, e.CountryCode, e.InstitutionID = []string{text}, []string{text}, text, "FR", institutions[1].ID
	e.DocsURL, e.HomepageURL = "javascript:alert(1)", "https://x.example/"+text
	e.API = &catalog.APIDetails{BaseURL: "https://x.example/a'b" + text, Endpoints: []catalog.Endpoint{{Method: text, Path: text, Summary: text}}}
	e.Members = []catalog.Member{{Name: text, Title: text, URL: text}, {Name: text, EntryID: e.ID}}
	e.Limits = []catalog.Limit{{Kind: "requests", Text: text}}
	bad.Profile = &catalog.Profile{Fields: []catalog.ProfileField{{Name: text, Type: text, Label: text, Concept: text}},
		QueryExamples: []catalog.QueryExample{{URL: "https://x.example", Curl: "curl '" + text + "'\n```\n# Schema\n", Label: text}}}
	return bad
}

// freeze makes the snapshot of rows at an instant, with the fragments of this
// format, as a build does.
func freeze(tb testing.TB, at time.Time, rows ...*catalog.Row) *snapshot.Catalog {
	tb.Helper()
	frame := snapshot.NewFrame(site, at, institutions, licences, nil)
	slices.SortFunc(rows, func(a, b *catalog.Row) int { return cmp.Compare(a.Entry.ID, b.Entry.ID) })
	draft := snapshot.NewDraft(frame)
	gathered := snapshot.Fragments{}
	for i, r := range rows {
		s := frame.Score(r, search.Fold(r.Entry.Name))
		fragments, err := Fragments(s)
		if err != nil {
			tb.Fatal(err)
		}
		gathered.Add(i, fragments)
		if _, _, err := wire.EncodeItem(s); err != nil {
			tb.Fatal(err)
		}
		if err := draft.Add(snapshot.NewLine(s, r.Entry.Slug), nil); err != nil {
			tb.Fatal(err)
		}
	}
	draft.Bury(snapshot.Tombstone{ID: catalog.NewID("entry", "gone"), Slug: "gone", Reason: "merged", At: noon.AddDate(0, 0, -3), Successor: catalog.NewID("entry", "population")})
	c := draft.Finish(nil)
	c.Streams = gathered.Streams()
	return c
}

// render collects every file of the snapshot by its path below Root.
func render(tb testing.TB, c *snapshot.Catalog) fstest.MapFS {
	tb.Helper()
	out := fstest.MapFS{}
	put := func(f artifact.File) error {
		if f.Stream != nil {
			var b bytes.Buffer
			if err := f.Stream(&b); err != nil {
				return err
			}
			f.Body = b.Bytes()
		}
		name := strings.TrimPrefix(f.Route, Root)
		if out[name] != nil {
			tb.Errorf("%s is emitted twice", name)
		}
		out[name] = &fstest.MapFile{Data: f.Body}
		return nil
	}
	for i := range c.Lines {
		files, err := Related(c, i)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range files {
			if err := put(f); err != nil {
				tb.Fatal(err)
			}
		}
	}
	if err := Aggregates(c, put); err != nil {
		tb.Fatal(err)
	}
	return out
}
