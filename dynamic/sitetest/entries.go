// Package sitetest makes small snapshot files like those of `assay build`, for tests of
// the service.
package sitetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

var (
	countries = []string{"GR", "CY", "FR", "DE", "PL", ""}
	langs     = []string{"el", "fr", "de", "pl", "en", ""}
	tags      = []string{"air", "budget", "maps", "transport", "ύδωρ", "open data", "école"}
	formats   = []string{"CSV", "JSON", "GEOJSON", "WMS"}
	nouns     = []string{"Air quality", "Budget", "Κτίρια", "Écoles", "Bus stops", "Land use", "Ρύπανση", "Straßen"}
)

// licences are those that entries of a generated site are under.
var licences = []catalog.Licence{{ID: "CC0-1.0", Title: "Creative Commons Zero 1.0", URL: "https://creativecommons.org/publicdomain/zero/1.0/", Source: "SPDX", Open: catalog.RightYes}}

// Institutions are those that entries of a generated site belong to.
func Institutions(at time.Time) []catalog.Institution {
	var out []catalog.Institution
	for i, t := range catalog.InstitutionTypes()[:5] {
		out = append(out, catalog.Institution{ID: catalog.NewID("institution", fmt.Sprint(i)), Key: fmt.Sprintf("inst-%d", i),
			Name: fmt.Sprintf("Institution %d", i), CountryCode: countries[i%3], Type: t, OfficialDomains: []string{fmt.Sprintf("inst%d.example", i)},
			CreatedAt: at, UpdatedAt: at})
		if i%2 == 1 {
			out[i].State = catalog.InstitutionStated
		}
	}
	return out
}

// MergedBody is the key of an institution that turned out to be the first one.
const MergedBody = "merged-office"

func mergedBody(into catalog.Institution) catalog.Institution {
	return catalog.Institution{ID: catalog.NewID("institution", MergedBody), Key: MergedBody, Name: "Merged office", Type: into.Type,
		MergedIntoID: into.ID, CreatedAt: into.CreatedAt, UpdatedAt: into.UpdatedAt}
}

// pick returns one of the list, decided by rng.
func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// some returns a sorted part of the list.
func some(rng *rand.Rand, list []string) []string {
	var out []string
	for _, s := range list {
		if rng.IntN(3) == 0 {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// row makes entry i of a generation. What differs between generations are the
// scores and half of the values, never id and slug.
func row(i, generation int, at time.Time, institutions []catalog.Institution) *catalog.Row {
	key := fmt.Sprintf("entry-%d", i)
	rng := rand.New(rand.NewPCG(uint64(i), uint64(generation*(i%2))))
	e := catalog.Entry{
		ID: catalog.NewID("entry", key), Slug: fmt.Sprintf("e%d-%s", i, "record"), Type: pick(rng, catalog.EntryTypes()),
		Name: fmt.Sprintf("%s %d", pick(rng, nouns), rng.IntN(40)), NativeLang: pick(rng, langs), CountryCode: pick(rng, countries),
		Tags: some(rng, tags), Formats: some(rng, formats), FreeAccessClass: pick(rng, catalog.FreeAccessClasses()),
		AuthType: pick(rng, catalog.AuthTypes()), PrimarySourceURL: fmt.Sprintf("https://inst%d.example/data/%d", i%5, i),
		Status: catalog.StatusActive, ExtractionConfidence: 100, IdentityKey: "API||" + key,
		CreatedAt: at.AddDate(0, 0, -rng.IntN(300)).Add(-time.Hour), PublishedAt: at.AddDate(0, 0, -rng.IntN(100)).Add(-time.Hour),
		UpdatedAt: at.AddDate(0, 0, -rng.IntN(60)).Add(-time.Duration(rng.IntN(5000)) * time.Second),
	}
	e.Themes = [][]string{nil, {"ENVI"}, {"ENVI", "TRAN"}}[i%3]
	if i%5 == 1 {
		e.LicenseID = "CC0-1.0"
	}
	if i%7 == 0 {
		e.CreatedAt = time.Time{}
	}
	if i%3 == 0 {
		e.Description = strings.Repeat("Measured every hour; μετρήσεις. ", 1+rng.IntN(30))
	}
	if i%9 == 4 {
		e.Status, e.StatusReason, e.DeprecatedAt = catalog.StatusDeprecated, "upstream_gone", at.AddDate(0, 0, -2)
		e.SunsetAt = at.AddDate(0, 6, 0)
	}
	if i%10 == 3 {
		e.FormerSlugs = []string{fmt.Sprintf("former-%d", i)}
	}
	if i%4 != 0 {
		e.InstitutionID = pick(rng, institutions).ID
	}
	if i%11 == 6 {
		joinSeries(&e, i, institutions[0].ID)
	}
	if i%13 == 2 {
		e.LicenseRaw = "Licence Ouverte"
	}
	resources(&e, i)
	r := &catalog.Row{Entry: e}
	if i%3 != 2 {
		observe(r, rng, at)
	}
	return r
}

// resources gives an entry files or endpoints: a dataset one of each format, of which every other has a
// download address beside its page; an API and an MCP server an endpoint.
func resources(e *catalog.Entry, i int) {
	at := e.PrimarySourceURL
	switch e.Type {
	case catalog.TypeDataset:
		if e.Dataset == nil {
			e.Dataset = &catalog.DatasetDetails{}
		}
		for n, format := range e.Formats {
			d := catalog.Distribution{AccessURL: fmt.Sprintf("%s/page/%d", at, n), Format: format}
			if n%2 == 0 {
				d.DownloadURL = fmt.Sprintf("%s/file/%d", at, n)
			}
			e.Dataset.Distributions = append(e.Dataset.Distributions, d)
		}
	case catalog.TypeAPI:
		e.API = &catalog.APIDetails{BaseURL: at, SpecFormat: []string{"openapi", "ogc-wms", "none", "sdmx"}[i%4]}
		if i%4 == 0 {
			e.API.OpenAPIURL = at + "/openapi.json"
		}
	default:
		e.MCP = &catalog.MCPDetails{EndpointURL: at}
	}
}

// SeriesName is that of every eleventh entry: a series with a member for each year.
const SeriesName = "Cadastral register"

func joinSeries(e *catalog.Entry, year int, publisher string) {
	e.Type, e.Name, e.InstitutionID, e.Status = catalog.TypeDataset, SeriesName, publisher, catalog.StatusActive
	e.StatusReason, e.DeprecatedAt, e.SunsetAt = "", time.Time{}, time.Time{}
	e.Dataset = &catalog.DatasetDetails{TemporalStart: time.Date(1900+year, 1, 1, 0, 0, 0, 0, time.UTC), TemporalEnd: time.Date(1900+year, 12, 31, 0, 0, 0, 0, time.UTC),
		Spatial: []string{[]string{"3,50,4,51", "170,-20,-170,-10"}[year%2]}}
}

// observe gives an entry checks; some never succeeded, so that they have no
// latency.
func observe(r *catalog.Row, rng *rand.Rand, at time.Time) {
	last := at.Add(-time.Duration(rng.IntN(90)) * time.Hour).Truncate(time.Second)
	r.State = &catalog.CheckState{EntryID: r.Entry.ID, ID: catalog.NewID("state", r.Entry.ID), State: pick(rng, catalog.VerificationStates()),
		LastCheckedAt: last, CreatedAt: last, UpdatedAt: last}
	if rng.IntN(4) > 0 {
		r.Checks = []catalog.Check{{EntryID: r.Entry.ID, At: last, Kind: "http", Up: true, HTTPStatus: 200, LatencyMS: 10 * (1 + rng.IntN(20)), Vantages: 1}}
	}
}

// Names of tombstones that every generated site has. Merged leads to the first
// visible entry, Chain over Merged to the same; Lost was merged into something
// that was removed; Replaced was removed and has a successor.
const (
	Removed  = "gone-removed"
	Replaced = "gone-replaced"
	Merged   = "gone-merged"
	Chain    = "gone-chain"
	Lost     = "gone-lost"
)

// GoneID is the id of the tombstone with a name.
func GoneID(name string) string { return catalog.NewID("entry", name) }

// tombstones are in id order, as a build finds them.
func tombstones(at time.Time, first string) []snapshot.Tombstone {
	var out []snapshot.Tombstone
	for _, t := range []struct{ name, reason, successor string }{
		{Removed, "removed", ""}, {Replaced, "removed", first}, {Merged, "merged", first},
		{Chain, "merged", GoneID(Merged)}, {Lost, "merged", GoneID(Removed)},
	} {
		out = append(out, snapshot.Tombstone{ID: GoneID(t.name), Slug: t.name, FormerSlugs: []string{"old-" + t.name},
			Reason: t.reason, Successor: t.successor, At: at.AddDate(0, 0, -1)})
	}
	slices.SortFunc(out, func(a, b snapshot.Tombstone) int { return strings.Compare(a.ID, b.ID) })
	return out
}
