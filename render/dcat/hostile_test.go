package dcat

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

// nasty are values that break careless writers.
var nasty = []string{
	`"`, `\`, "line\nbreak\r\n\ttab", "\u2028\u2029", "\u202eright to left\u202c", "👩‍👩‍👧 emoji", "<script>alert('x')</script>",
	`" . <http://evil/s> <http://evil/p> "x"^^xsd:anyURI`, "\x00\x01\x02\x1b\x7f\u0085", "\xff\xfe broken", "\xed\xa0\x80 lone surrogate",
	"# comment\n# another", "@prefix x: <y> .", `{"@id":"x"}`, "", "   ", "\ufffe\uffff", "]}\n],", "'''\"\"\"", "\\u0041 \\n", "a:b", "_:b0",
	"http://evil.example/> a <x", strings.Repeat("long ", 500),
}

// nastyTags are language tags, good and bad.
var nastyTags = []string{"sr-Latn-RS", "zh-Hant-TW", "", "fr", "x", "en_GB", "fr-", "-fr", "f r", "de-CH-1996", "toolongtag", "\x00", "EN", "pt-BR", `en"@x`}

// nastyURLs are addresses, usable and not.
var nastyURLs = []string{
	"https://a.example/a b\tc\nd", "https://a.example/<>\"{}|^`\\", "https://a.example/%zz%41", "https://user:pass@a.example:8443/x#a#b",
	"https://bücher.example/ü?ö=ä#ß", "javascript:alert(1)", "ftp://a.example/", "https://", "https://a b.example/", "HTTP://A.EXAMPLE/Path",
	"https://[::1]:80/x", "https://a.example:port/", "https://a.example/\x00\x01\u2028", "https://a.example/\xff", "//a.example/", "", "urn:x-assay:/id/evil",
	"https://a.example/?filter[x]=1&y=2", "http://例え.テスト/", "https://a.example\\evil", "data:text/plain,x", "https://%61.example/",
}

// hostile are entries with each nasty value in each field.
func hostile(seed int) []catalog.Row {
	var rows []catalog.Row
	for i := range nasty {
		s := func(k int) string { return nasty[(i+k+seed)%len(nasty)] }
		u := func(k int) string { return nastyURLs[(i+k+seed)%len(nastyURLs)] }
		rows = append(rows, hostileRow(100+i, s, u, nastyTags[(i+seed)%len(nastyTags)]))
	}
	return rows
}

func hostileRow(n int, s, u func(int) string, tag string) catalog.Row {
	e := entry(n, []catalog.EntryType{catalog.TypeDataset, catalog.TypeAPI, catalog.TypeMCPServer}[n%3], s(0))
	e.NativeLang, e.NameEn, e.Description, e.DescriptionEn = tag, s(1), s(2), s(3)
	e.HomepageURL, e.DocsURL, e.RepoURL, e.PrimarySourceURL, e.SourceSeedURL = u(0), u(1), u(2), u(3), u(4)
	e.Tags, e.Themes, e.Formats = []string{s(4), s(5)}, []string{s(6), "ENVI"}, []string{s(7), "CSV"}
	e.HVDCategories, e.CountryCode, e.LicenseID, e.LicenseRaw = []string{s(8)}, s(9), s(10), s(11)
	e.UpstreamRef, e.Contact = s(12), &catalog.Contact{Name: s(13), URL: u(5)}
	e.API = &catalog.APIDetails{BaseURL: u(6), OpenAPIURL: u(7), GraphQLURL: u(8), SpecFormat: s(14), Version: s(15)}
	e.MCP = &catalog.MCPDetails{EndpointURL: u(9), Version: s(16), ProtocolVersions: []string{s(17), "2025-06-18"}}
	e.Dataset = &catalog.DatasetDetails{LandingPage: u(10), Frequency: s(18), Spatial: []string{s(19), u(11)}, Version: s(20), Distributions: []catalog.Distribution{
		{Title: s(21), AccessURL: u(12), DownloadURL: u(13), Format: s(22), MediaType: s(23), LicenseID: s(24), LicenseRaw: s(25), ByteSize: -1},
		{Title: s(26), AccessURL: u(14), Format: "CSV"}}}
	e.Members = []catalog.Member{{Name: s(27), EntryID: id(1)}, {Name: s(28), EntryID: s(29)}}
	return catalog.Row{Entry: e, State: &catalog.CheckState{SucceededAt: day1, ProbeURL: u(15), ProbeContentType: s(30), ProbeHTTPStatus: -5}}
}

func TestHostileValues(t *testing.T) {
	for seed := range 3 {
		r := New(Options{})
		all := files(t, r, freeze(t, r, append(fixture(), hostile(seed*7)...)))
		for route, doc := range all {
			if strings.HasSuffix(route, ".ttl") {
				for _, line := range ofTurtle(t, []byte(doc)) {
					names, _, _ := strings.Cut(line, `"`) // what a literal holds is its own affair
					if strings.Contains(names, "<http://evil/") || strings.Contains(names, "urn:") || strings.Contains(names, "%01") && !strings.Contains(names, "a.example") {
						t.Errorf("%s: %s", route, line)
					}
				}
			} else if strings.HasSuffix(route, ".jsonld") {
				ofJSONLD(t, []byte(doc))
			}
		}
	}
}

// FuzzDocuments puts any text into every field and reads what comes out with
// two libraries: go test -fuzz . -fuzzminimizetime 1x ./render/dcat
func FuzzDocuments(f *testing.F) {
	for i, s := range nasty {
		f.Add(s, nastyURLs[i%len(nastyURLs)], nastyTags[i%len(nastyTags)])
	}
	f.Fuzz(func(t *testing.T, s, u, tag string) {
		if len(s)+len(u)+len(tag) > 4096 {
			return
		}
		rows := fixture()[:1]
		for n := range 3 {
			rows = append(rows, hostileRow(100+n, func(k int) string { return s }, func(k int) string { return u }, tag))
		}
		r := New(Options{})
		c := freeze(t, r, rows)
		var docs [2]bytes.Buffer
		for i, f := range forms {
			if err := r.fullDocument(c, f).write(&docs[i]); err != nil {
				t.Fatal(err)
			}
		}
		turtle, linked := known(ofTurtle(t, docs[0].Bytes())), ofJSONLD(t, docs[1].Bytes())
		if len(turtle) != len(linked) {
			t.Fatalf("%d statements in Turtle, %d in JSON-LD (-Turtle +JSON-LD):\n%s", len(turtle), len(linked), cmp.Diff(turtle, linked))
		}
		for i := range turtle {
			if turtle[i] != linked[i] {
				t.Fatalf("%q\n%q", turtle[i], linked[i])
			}
		}
	})
}
