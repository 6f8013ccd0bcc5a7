package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
)

// TestPagesAreLight: no entry's page weighs more than a page may.
func TestPagesAreLight(t *testing.T) {
	for route, body := range all(t) {
		if strings.Contains(route, "/entry/") && len(body) > heaviest {
			t.Errorf("%s has %d bytes", route, len(body))
		}
	}
}

// TestFullPagesAreLight: an entry with more of everything than a page has room for still says what it is, how to get it
// and where all of it is.
func TestFullPagesAreLight(t *testing.T) {
	long := strings.Repeat("words of a publisher ", 300)
	e := catalog.Entry{ID: catalog.NewID("entry", "full"), Slug: "full", Name: "Full", Description: long, Status: catalog.StatusActive, FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone,
		PrimarySourceURL: "https://data.example/full", Descriptions: catalog.Texts{"el": long, "pl": long, "sv": long, "fi": long}}
	api, data := e, e
	api.Type, api.API = catalog.TypeAPI, &catalog.APIDetails{BaseURL: "https://data.example/api"}
	data.Type, data.Dataset = catalog.TypeDataset, &catalog.DatasetDetails{Spatial: []string{"-180,-90,180,90"}}
	profile := &catalog.Profile{Status: catalog.ProfileOK, Kind: "csv", Source: "https://data.example/0.csv", PersonalData: catalog.PersonalData{Allowed: true}}
	record := map[string]string{}
	for i := range 200 {
		call := catalog.Endpoint{Method: "GET", Path: fmt.Sprint("/", i, "/{id}"), Summary: long[:200], Answer: long[:1000]}
		for n := range 12 {
			call.Parameters = append(call.Parameters, catalog.Argument{Name: fmt.Sprint("p", n), Type: "string", Description: long[:150]})
		}
		api.API.Endpoints = append(api.API.Endpoints, call)
		data.Dataset.Distributions = append(data.Dataset.Distributions, catalog.Distribution{Title: fmt.Sprint(i, " ", long[:90]), Format: "CSV", DownloadURL: fmt.Sprintf("https://data.example/%d.csv", i)})
		name := fmt.Sprint("column ", i)
		record[name] = long[:60]
		profile.Fields = append(profile.Fields, catalog.ProfileField{Name: name, Type: "string", Description: long[:160], Spread: &catalog.Spread{Values: 9, Top: []catalog.ValueCount{{Value: long[:40], Count: 5}, {Value: "b", Count: 4}}}})
	}
	row, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		profile.SampleRecords = append(profile.SampleRecords, row)
	}
	for name, r := range map[string]*catalog.Row{"an API": {Entry: api}, "a dataset": {Entry: data, Profile: profile}} {
		list, err := newKit(rendertest.Site).entryFragments(rendertest.Frame().Score(r, "full"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if n := len(list[i].Body); n > heaviest-fillsKept {
				t.Errorf("%s has %d bytes in %s", name, n, languages[i])
			}
			for _, want := range []string{"<h1", "curl -fsSL", `/api/v1/entries/` + e.ID + `">`, `id="about"`} {
				if !bytes.Contains(list[i].Body, []byte(want)) {
					t.Errorf("%s lacks %s in %s", name, want, languages[i])
				}
			}
		}
	}
}

// TestWhatIsAddedFits: what the register adds to a page gives way where the page of the entry alone is nearly full.
func TestWhatIsAddedFits(t *testing.T) {
	p := New()
	c := withFragments(t, p, rendertest.Catalog(t), rendertest.Scored())
	s := rendertest.Find(t, rendertest.WeatherAPI)
	b, ordinal := p.bookOf(c), c.ByID(s.Entry().ID)
	l := &c.Lines[ordinal]
	for i := range tagsShown {
		l.Tags = append(l.Tags[:i:i], fmt.Sprint(i, strings.Repeat(" étiquette", 5)))
	}
	list, err := newKit(rendertest.Site).entryFragments(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, lang := range languages {
		whole, err := b.entry(list[i].Body, lang, b.entryFills(ordinal, 0))
		if err != nil {
			t.Fatal(err)
		}
		added := len(whole) - len(list[i].Body)
		padded := append(bytes.Repeat([]byte(" "), heaviest-len(whole)+added/4), list[i].Body...)
		body, err := b.entry(padded, lang, b.entryFills(ordinal, 0))
		if err != nil {
			t.Fatal(err)
		}
		if len(body) > heaviest || bytes.Count(body, []byte("tags=")) == 0 || !bytes.Contains(body, []byte("class=rel")) {
			t.Errorf("%s: %d bytes, of which %d were added where there was room", lang, len(body), added)
		}
	}
}
