package api

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var asOf = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func ago(days int) int64 { return asOf.AddDate(0, 0, -days).Unix() }

// catalogOf lists the lines in their order.
func catalogOf(lines ...snapshot.Line) *snapshot.Catalog {
	c := &snapshot.Catalog{ID: "20261121-000000000000", AsOf: asOf, Lines: lines, Institutions: map[string]*catalog.Institution{}}
	for i := range lines {
		if lines[i].Published == 0 {
			lines[i].Published = ago(365)
		}
		if lines[i].Status == "" || lines[i].Status == catalog.StatusActive {
			c.Order = append(c.Order, int32(i))
		}
	}
	return c
}

func TestTrending(t *testing.T) {
	c := catalogOf(
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "still"},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "gained", Gained: 42},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "lost", Gained: -42},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "new today", Published: ago(0)},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "new a week ago", Published: ago(7)},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "new too long ago", Published: ago(31)},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "published ahead", Published: ago(-1)},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "content a fortnight ago", ContentChanged: ago(14)},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "content before it was published", Published: ago(28), ContentChanged: ago(28)},
		snapshot.Line{Traits: &snapshot.Traits{}, Slug: "all", Gained: 10, Published: ago(14), ContentChanged: ago(7)},
		snapshot.Line{Traits: &snapshot.Traits{Status: catalog.StatusDeprecated}, Slug: "hidden", Gained: 900},
	)
	type row struct {
		Slug    string
		Points  float64
		Reasons []string
	}
	var got []row
	out := trending(c)
	for _, i := range out.Items {
		got = append(got, row{i.Entry.Slug, i.Points, i.Reasons})
	}
	want := []row{
		{"new today", 10, []string{"new since 2026-11-21"}},
		{"all", 6, []string{"ranking score gained 1.0 in 7 days", "new since 2026-11-07", "content changed on 2026-11-14"}},
		{"new a week ago", 5, []string{"new since 2026-11-14"}},
		{"gained", 4.2, []string{"ranking score gained 4.2 in 7 days"}},
		{"content a fortnight ago", 1.3, []string{"content changed on 2026-11-07"}},
		{"content before it was published", 0.6, []string{"new since 2026-10-24"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if out.WindowDays != 30 || out.Rule == "" || out.Snapshot != c.ID {
		t.Errorf("%+v", out)
	}
}

func TestTrendingIsBoundedAndKeepsRankingOrder(t *testing.T) {
	lines := make([]snapshot.Line, 30)
	for i := range lines {
		lines[i] = snapshot.Line{Traits: &snapshot.Traits{}, ID: itoa(i), Gained: 10}
	}
	out := trending(catalogOf(lines...))
	if len(out.Items) != trendingMax {
		t.Fatalf("%d items", len(out.Items))
	}
	for i := range out.Items {
		if out.Items[i].Entry.ID != itoa(i) {
			t.Errorf("place %d holds %s", i, out.Items[i].Entry.ID)
		}
	}
	if none := trending(catalogOf()); none.Items == nil || len(none.Items) != 0 {
		t.Errorf("trending of nothing: %+v", none)
	}
}

func TestLeaderboard(t *testing.T) {
	line := func(id string, mqa score.Tenths, institution, country string, state catalog.VerificationState) snapshot.Line {
		return snapshot.Line{Traits: &snapshot.Traits{InstitutionID: institution, Country: country, State: state}, ID: id, MQA: mqa}
	}
	lines := []snapshot.Line{line("0", 1000, "lucky", "CY", catalog.StateVerified), line("1", 500, "", "", "")}
	for i := range 10 {
		lines = append(lines, line(itoa(i+2), 900, "steady", "GR", catalog.StateFailing))
	}
	c := catalogOf(lines...)
	c.Institutions["steady"] = &catalog.Institution{Name: "Σταθερό", NameEn: "Steady"}
	out := wire.NewLeaderboard(c)
	// The register's mean is (100 + 50 + 10 × 90) / 12 = 87.5; one perfect entry
	// counts (100 + 5 × 87.5) / 6 = 89.58, ten good ones (900 + 437.5) / 15 = 89.17.
	want := []wire.GroupScore{
		{Rank: 1, Key: "lucky", Name: "lucky", Entries: 1, Mean: 100, Adjusted: 89.6, Confidence: 0.17, Verified: 1},
		{Rank: 2, Key: "steady", Name: "Steady", Entries: 10, Mean: 90, Adjusted: 89.2, Confidence: 0.67},
	}
	if d := cmp.Diff(want, out.Institutions); d != "" {
		t.Errorf("institutions (-want +got):\n%s", d)
	}
	want[0].Key, want[0].Name, want[1].Key, want[1].Name = "CY", "CY", "GR", "GR"
	if d := cmp.Diff(want, out.Countries); d != "" {
		t.Errorf("countries (-want +got):\n%s", d)
	}
	var order []string
	for _, e := range out.Entries {
		order = append(order, e.ID)
	}
	if d := cmp.Diff([]string{"0", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "1"}, order); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
}

// One excellent entry does not beat many good ones when the register is poor.
func TestSmallSamplesWinNothing(t *testing.T) {
	lines := []snapshot.Line{{Traits: &snapshot.Traits{Country: "CY"}, ID: "lucky", MQA: 1000}}
	for i := range 20 {
		lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{Country: "GR"}, ID: "good " + itoa(i), MQA: 800})
	}
	for i := range 200 {
		lines = append(lines, snapshot.Line{Traits: &snapshot.Traits{}, ID: "poor " + itoa(i), MQA: 100})
	}
	out := wire.NewLeaderboard(catalogOf(lines...))
	if out.Countries[0].Key != "GR" {
		t.Errorf("the first is %+v", out.Countries[0])
	}
	if len(out.Entries) != wire.LeadersMax {
		t.Errorf("%d leaders", len(out.Entries))
	}
}

func TestLeaderboardOfNothing(t *testing.T) {
	out := wire.NewLeaderboard(catalogOf())
	if out.Entries == nil || out.Institutions == nil || out.Countries == nil || len(out.Countries) != 0 {
		t.Errorf("%+v", out)
	}
}

func TestSummary(t *testing.T) {
	c := catalogOf(
		snapshot.Line{Traits: &snapshot.Traits{Type: catalog.TypeAPI, Country: "GR", InstitutionID: "i", Lang: "el", Public: true, LicenseID: "CC0-1.0", State: catalog.StateVerified, Tier: catalog.TierFair}, ID: "0", MQA: 505},
		snapshot.Line{Traits: &snapshot.Traits{Type: catalog.TypeAPI, Country: "GR", InstitutionID: "i", Lang: "en", Public: true, Tier: catalog.TierFair}, ID: "1", MQA: 506},
		snapshot.Line{Traits: &snapshot.Traits{Type: catalog.TypeDataset}, ID: "2", MQA: 0},
		snapshot.Line{Traits: &snapshot.Traits{Type: catalog.TypeDataset, Status: catalog.StatusDeprecated, Country: "FR", Public: true}, ID: "3", MQA: 900},
	)
	c.Site = snapshot.Site{BaseURL: "https://register.example/r", Name: "Test", License: "CC0-1.0"}
	c.Gone = []snapshot.Tombstone{{Reason: "merged"}, {Reason: "removed"}, {Reason: "removed"}}
	got := Summary(c)
	formats := got.Formats
	got.Formats = nil
	want := wire.CatalogSummary{Name: "Test", License: "CC0-1.0", Snapshot: c.ID, AsOf: "2026-11-21T12:00:00Z",
		Entries: 4, Listed: 3, Deprecated: 1, Removed: 2, Merged: 1, PublicSector: 2, Institutions: 1, Countries: 1, Languages: 2,
		Types:  []snapshot.Count{{Value: "API", Count: 2}, {Value: "DATASET", Count: 1}},
		States: []snapshot.Count{{Value: "VERIFIED", Count: 1}}, Tiers: []snapshot.Count{{Value: "fair", Count: 2}},
		Licences: []snapshot.Count{{Value: "CC0-1.0", Count: 1}}, ByCountry: []snapshot.Count{{Value: "GR", Count: 2}}, MeanMQAScore: 33.7, LeftOut: []snapshot.Count{}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, f := range formats {
		if f.Name == "" || f.MediaType == "" || f.Href[:3] != "/r/" {
			t.Errorf("%+v", f)
		}
	}
	if empty := Summary(catalogOf()); empty.MeanMQAScore != 0 || empty.Types == nil {
		t.Errorf("summary of nothing: %+v", empty)
	}
}
