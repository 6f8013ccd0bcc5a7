package pages

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/schemaorg"
)

// between is the space between two elements.
var between = regexp.MustCompile(`>\s+<`)

// An entry's page says what the register knows, and leads to its other forms.
func TestEntryPageShows(t *testing.T) {
	pages := all(t)
	weather := rendertest.Find(t, rendertest.WeatherAPI)
	data, err := schemaorg.Entry(rendertest.Site, weather)
	if err != nil {
		t.Fatal(err)
	}
	for slug, wants := range map[string][]string{
		rendertest.WeatherAPI: {
			`<h1 translate=no>Weather observations</h1>`, `<p class="original" lang="el" translate=no>Παρατηρήσεις καιρού</p>`,
			weather.Result.MQA.String(), "Proven for this item", "curl -fsSL", "data-console", "Availability and changes", `<svg class=chart`,
			"Checks day by day", `<li class="yes">Commercial use: Yes<li`,
			`href="/api/v1/feeds/entry/` + weather.Entry().ID + `.atom"`, `href="/api/v1/okf/apis/weather-observations.md"`, `href="/id/` + weather.Entry().ID + `.ttl"`,
			`<link rel="canonical" href="https://register.example/entry/weather-observations">`, `property="og:image"`, string(data),
			"same topics", "Edited by a curator",
		},
		rendertest.BareDataset:      {"The publisher gives no description.", "not checked yet", "No check has succeeded yet", "No licence is stated", "Without a licence, assume"},
		rendertest.OldAPI:           {"This source is deprecated", `href="/entry/weather-observations"`},
		rendertest.FailingAPI:       {`<b>Failing`, "Free with a key", "Get a key"},
		rendertest.StatisticsServer: {`<b>Stale`, "Endpoint", "initialize"},
		rendertest.FrenchAir:        {"Île-de-France"},
		rendertest.AirDataset: {`<strong lang="el" translate=no>Ποιότητα αέρα</strong>`,
			`<a lang="fr" href="/fr/entry/` + rendertest.AirDataset + `">Français</a>`},
	} {
		body := between.ReplaceAllString(string(pages["/entry/"+slug]), "><")
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("the page of %s lacks %q", slug, want)
			}
		}
	}
	if strings.Contains(string(pages["/entry/"+rendertest.FailingAPI]), "data-console") {
		t.Error("an entry that needs a key can be tried")
	}
}

// Personal data reaches no page.
func TestMaskedSampleOnly(t *testing.T) {
	body := all(t)["/entry/"+rendertest.CityRegister]
	if bytes.Contains(body, []byte("Sample of the records")) {
		t.Error("a sample is shown that may not be")
	}
}

// The same snapshot gives the same bytes, whatever was rendered before.
func TestEqualBytes(t *testing.T) {
	a, b := all(t), all(t)
	for route, body := range a {
		if !bytes.Equal(body, b[route]) {
			t.Errorf("%s differs", route)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d pages and %d", len(a), len(b))
	}
}

// A stated file is what the first button gets, unless one needs a key or a permission: then the
// documentation comes first.
func TestTheDataComesFirst(t *testing.T) {
	t.Parallel()
	const file, docs = "https://data.example/a.csv", "https://data.example/docs"
	for name, c := range map[string]struct {
		rights catalog.AccessRights
		class  catalog.FreeAccessClass
		auth   catalog.AuthType
		want   string
	}{
		"said to be public":     {catalog.RightsPublic, catalog.AccessUnknown, catalog.AuthUnknown, file},
		"nobody says":           {"", catalog.AccessUnknown, catalog.AuthUnknown, file},
		"for some only":         {catalog.RightsRestricted, catalog.AccessUnknown, catalog.AuthUnknown, docs},
		"public, but with keys": {catalog.RightsPublic, catalog.AccessUnknown, catalog.AuthAPIKey, docs},
		"got without a key":     {"", catalog.AccessFreeNoAuth, catalog.AuthNone, file},
	} {
		e := catalog.Entry{ID: catalog.NewID("entry", "x"), Slug: "x", Name: "Tides", Type: catalog.TypeDataset, Status: catalog.StatusActive, DocsURL: docs, PrimarySourceURL: file,
			AccessRights: c.rights, FreeAccessClass: c.class, AuthType: c.auth, Dataset: &catalog.DatasetDetails{Distributions: []catalog.Distribution{{DownloadURL: file, Format: "CSV"}}}}
		list, err := newKit(rendertest.Site).entryFragments(rendertest.Frame().Score(&catalog.Row{Entry: e}, "tides"))
		if err != nil {
			t.Fatal(err)
		}
		body := list[0].Body
		if _, button, _ := bytes.Cut(body, []byte(`class="btn btn-main"`)); !bytes.HasPrefix(button, []byte(` rel="nofollow" href="`+c.want+`"`)) {
			t.Errorf("%s: the main button is %.120s", name, button)
		}
	}
}

// The page of an entry lists the versions of its contract, the latest first, with what
// breaks clients, and warns of the end that the source announces.
func TestContractIsShown(t *testing.T) {
	t.Parallel()
	s := *rendertest.Find(t, rendertest.WeatherAPI)
	row := *s.Row
	row.Entry.SunsetAt = time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)
	row.Contracts = []catalog.ContractVersion{{Version: 1, Kind: "openapi", At: row.Entry.CreatedAt}, {Version: 2, Kind: "openapi", Severity: "breaking", At: row.Entry.UpdatedAt,
		Changes: []catalog.ContractChange{{Severity: "breaking", Kind: "api-path-removed", Field: "GET /stations", Text: "it <b>is gone"}}}}
	s.Row = &row
	v := &view{Scored: &s, e: &row.Entry}
	c, a := v.contract(), v.announced()
	if c == nil || len(c.Versions) != 2 || c.Versions[0].Number != 2 || !c.Versions[0].Changes[0].Breaks || a == nil || !a.Sunset.Equal(row.Entry.SunsetAt) {
		t.Fatalf("%+v %+v", c, a)
	}
	list, err := newKit(rendertest.Site).entryFragments(&s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"breaks clients", "casse les clients", "Programme brechen", "breekt programma’s"} {
		found := false
		for _, f := range list {
			text := string(f.Body)
			found = found || strings.Contains(text, want) && strings.Contains(text, "GET /stations") && !strings.Contains(text, "<b>is gone") && strings.Contains(text, "2027")
		}
		if !found {
			t.Errorf("no page says %q", want)
		}
	}
}
