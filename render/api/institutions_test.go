package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// institutionFiles makes every file about institutions, by route.
func institutionFiles(t *testing.T, c *snapshot.Catalog) map[string]artifact.File {
	t.Helper()
	out := map[string]artifact.File{}
	add := func(f artifact.File) error {
		if _, ok := out[f.Route]; ok {
			t.Fatalf("%s stands twice", f.Route)
		}
		rendertest.CheckSealed(t, f.Route, f.Body)
		out[f.Route] = f
		return nil
	}
	put := func(f artifact.File, err error) {
		if err == nil {
			err = add(f)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	x := NewInstitutions()
	for i := range c.Lines {
		files, err := x.Related(c, i)
		if err != nil || len(files) > 1 {
			t.Fatalf("%d files, error %v", len(files), err)
		}
		for _, f := range files {
			put(f, nil)
		}
	}
	for n := range x.Pages(c) {
		put(x.SnapshotPage(c, n+1))
	}
	put(x.Index(c))
	return out
}

func TestInstitutionsAreGolden(t *testing.T) {
	c := rendertest.Catalog(t)
	files := institutionFiles(t, c)
	rendertest.Golden(t, "institutions.json", files["/api/v1/institutions"].Body)
	page := files[wire.InstitutionRoute(rendertest.InstitutionID(rendertest.Ministry))]
	rendertest.Golden(t, "institutions/ministry.json", page.Body)
	if page.Alias != wire.InstitutionRoute(rendertest.Ministry) {
		t.Errorf("alias %q", page.Alias)
	}
	for range 3 {
		rows := rendertest.Rows()
		rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		again := institutionFiles(t, rendertest.Freeze(t, rendertest.Site, rendertest.At, rows))
		for route, f := range files {
			if !bytes.Equal(f.Body, again[route].Body) {
				t.Errorf("%s differs when the rows come in another order", route)
			}
		}
	}
}

// held is a catalog whose institutions have the given lines.
func held(institutions []string, lines ...snapshot.Line) *snapshot.Catalog {
	c := catalogOf(lines...)
	c.Site, c.Day = rendertest.Site, asOf.Truncate(24*time.Hour)
	for _, key := range institutions {
		id := catalog.NewID("institution", key)
		c.Institutions[id] = &catalog.Institution{ID: id, Key: key, Name: "The " + key, Type: catalog.InstAgency}
	}
	return c
}

func TestInstitutionCounts(t *testing.T) {
	id := catalog.NewID("institution", "a")
	line := func(n int, mqa score.Tenths, confidence int16, status catalog.Status) snapshot.Line {
		return snapshot.Line{Traits: &snapshot.Traits{InstitutionID: id, Status: status, Type: catalog.TypeAPI, Country: "GR", Tier: catalog.TierFair, State: catalog.StateVerified}, ID: itoa(n), Slug: "s" + itoa(n), MQA: mqa, Confidence: confidence,
			Updated: asOf.Unix() + int64(n), Changed: asOf.Unix() + int64(n)}
	}
	other := line(3, 0, -1, catalog.StatusActive)
	other.Type, other.Country = catalog.TypeDataset, "CY"
	c := held([]string{"a", "unused"}, line(0, 500, 65, catalog.StatusActive), line(1, 505, 100, catalog.StatusActive),
		line(2, 900, 100, catalog.StatusDeprecated), other, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: "unknown"}, ID: "4"})
	files := institutionFiles(t, c)
	var page wire.InstitutionPage
	if err := json.Unmarshal(files[wire.InstitutionRoute(id)].Body, &page); err != nil {
		t.Fatal(err)
	}
	mean := func(f float64) *float64 { return &f }
	if d := cmp.Diff(wire.Average{Mean: mean(82.5), Entries: 2}, page.Officialness); d != "" {
		t.Errorf("officialness (-want +got):\n%s", d)
	}
	if d := cmp.Diff(wire.Average{Mean: mean(33.5), Entries: 3}, page.Quality); d != "" {
		t.Errorf("quality (-want +got):\n%s", d)
	}
	if page.Entries != 3 || page.Deprecated != 1 || page.Latest == nil || page.Latest.ID != "3" || *page.ChangedAt != "2026-11-21T12:00:03Z" {
		t.Errorf("page %+v", page)
	}
	if d := cmp.Diff([]snapshot.Count{{Value: "API", Count: 3}, {Value: "DATASET", Count: 1}}, page.Types); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]snapshot.Count{{Value: "GR", Count: 3}, {Value: "CY", Count: 1}}, page.Countries); d != "" {
		t.Error(d)
	}
	if len(files) != 3 {
		t.Errorf("%d files; an institution without an entry or unknown to the register has none", len(files))
	}
}

func TestInstitutionOfDeprecatedEntriesOnly(t *testing.T) {
	id := catalog.NewID("institution", "a")
	files := institutionFiles(t, held([]string{"a"}, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: id, Status: catalog.StatusDeprecated}, ID: "0", Confidence: -1}))
	var page wire.InstitutionPage
	if err := json.Unmarshal(files[wire.InstitutionRoute(id)].Body, &page); err != nil {
		t.Fatal(err)
	}
	if page.Entries != 0 || page.Deprecated != 1 || page.Quality.Mean != nil || page.Officialness.Mean != nil {
		t.Errorf("page %+v", page)
	}
}

// A reader who starts at the default page and follows next sees every
// institution once, those with most entries first.
func TestInstitutionPagesLeadThroughAll(t *testing.T) {
	for _, n := range []int{0, 1, 20, 21, 45} {
		var keys []string
		var lines []snapshot.Line
		for i := range n {
			key := fmt.Sprintf("office-%02d", i)
			keys = append(keys, key)
			for k := range i%3 + 1 {
				lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{InstitutionID: catalog.NewID("institution", key)}, ID: fmt.Sprintf("%02d-%d", i, k)})
			}
		}
		files := institutionFiles(t, held(keys, lines...))
		seen, last := map[string]bool{}, 1<<30
		for route := "/api/v1/institutions"; route != ""; {
			var page wire.InstitutionsPage
			if err := json.Unmarshal(files[route].Body, &page); err != nil {
				t.Fatalf("%s: %v", route, err)
			}
			if page.Total != n || page.TotalPages != wire.TotalPages(n, PageSize) || len(page.Items) > PageSize {
				t.Fatalf("%s: %+v", route, page)
			}
			for _, item := range page.Items {
				if seen[item.Institution.ID] || item.Entries > last || files[wire.InstitutionRoute(item.Institution.ID)].Route == "" {
					t.Errorf("%s: item %s stands twice, out of order or without a page", route, item.Institution.Key)
				}
				seen[item.Institution.ID], last = true, item.Entries
			}
			if route = ""; page.Links.Next != nil {
				route = *page.Links.Next
			}
		}
		if len(seen) != n {
			t.Errorf("%d of %d institutions were met", len(seen), n)
		}
	}
}

// A changed entry changes the page of its own institution only.
func TestChangedEntryTouchesItsInstitutionOnly(t *testing.T) {
	before := institutionFiles(t, rendertest.Catalog(t))
	rows := rendertest.Rows()
	own := rendertest.InstitutionID(rendertest.Ministry)
	for _, r := range rows {
		if r.Entry.Slug == rendertest.WeatherAPI {
			r.Entry.Tags = append(r.Entry.Tags, "wind")
			r.Entry.UpdatedAt = rendertest.At.Add(-time.Minute)
		}
	}
	c := rendertest.Freeze(t, rendertest.Site, rendertest.At, rows)
	changed := 0
	for route, f := range institutionFiles(t, c) {
		if strings.HasPrefix(route, "/s/") || route == "/api/v1/institutions" {
			continue
		}
		same := bytes.Equal(f.Body, before[route].Body)
		if same == (route == wire.InstitutionRoute(own)) {
			t.Errorf("%s: unchanged is %v", route, same)
		}
		changed++
	}
	if changed < 2 {
		t.Errorf("only %d institutions were looked at", changed)
	}
}
