package snapshot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

func line(t *testing.T, slug string) snapshot.Line {
	s := rendertest.Find(t, slug)
	return snapshot.NewLine(s, search.Fold(s.Entry().Name))
}

func TestNewLine(t *testing.T) {
	s := rendertest.Find(t, rendertest.WeatherAPI)
	l := line(t, rendertest.WeatherAPI)
	want := snapshot.Line{Traits: &snapshot.Traits{Allows: snapshot.LicencePermissions(), Lang: "el", Type: catalog.TypeAPI, Status: catalog.StatusActive, State: catalog.StateVerified, Country: "GR", InstitutionID: rendertest.InstitutionID(rendertest.Ministry), InstType: catalog.InstGovernment, Host: "api.environment.example.gr", FreeAccess: catalog.AccessFreeNoAuth, Auth: catalog.AuthNone, LicenseID: rendertest.OpenLicence, Tier: s.Result.Tier, Maturity: catalog.MaturityGuaranteed, Capability: catalog.TierLive, Public: true, Formats: []string{"JSON"}, Resources: []string{"OPENAPI"}, Themes: []string{"ENVI"}, HVD: []string{"c_164e0bf5"}, Concepts: []string{"iso-3166-1-alpha-2"}},

		ID: s.Entry().ID, Slug: rendertest.WeatherAPI, Name: "Παρατηρήσεις καιρού", NameEn: "Weather observations", Sort: "παρατηρησεισ καιρου",

		Tags:   []string{"air", "real-time", "weather"},
		Serves: []string{rendertest.ID(rendertest.AirDataset)},
		MQA:    s.Result.MQA, Trust: s.Result.Trust, Ranking: s.Result.Ranking, Gained: s.Result.Ranking - 725, P50: int32(*s.Result.P50), Confidence: int16(*s.Result.Confidence),
		Created: s.Entry().CreatedAt.Unix(), Updated: s.Entry().UpdatedAt.Unix(), Published: s.Entry().PublishedAt.Unix(),
		Verified: s.Row.State.LastCheckedAt.Unix(), ContentChanged: s.Entry().ContentChangedAt.Unix(), Changed: s.ChangedAt.Unix(),
		Shown: s.Day.Unix(), Checked: s.Row.State.LastCheckedAt.Unix(), Months: "2026-10:2:2:0:0;",
	}
	if d := cmp.Diff(want, l); d != "" {
		t.Errorf("line (-want +got):\n%s", d)
	}
	bare := line(t, rendertest.BareDataset)
	if bare.P50 != -1 || bare.Verified != 0 || bare.Host != "" || bare.Gained != 0 || bare.InstType != "" || bare.Tags != nil {
		t.Errorf("line of an entry without anything: %+v", bare)
	}
}

func TestGainedLooksSevenDaysBack(t *testing.T) {
	s := rendertest.Find(t, rendertest.FrenchAir)
	ranking, day := 1.0, func(n int) string { return s.Day.AddDate(0, 0, -n).Format(time.DateOnly) }
	for _, c := range []struct {
		name string
		days []catalog.ScoreDay
		want int
	}{
		{"none", nil, 0},
		{"too old", []catalog.ScoreDay{{Day: day(8), Ranking: &ranking}}, 0},
		{"seven days", []catalog.ScoreDay{{Day: day(8)}, {Day: day(7), Ranking: &ranking}}, int(s.Result.Ranking) - 10},
		{"a day without ranking", []catalog.ScoreDay{{Day: day(7)}, {Day: day(2), Ranking: &ranking}}, int(s.Result.Ranking) - 10},
	} {
		s.Row.Scores = c.days
		if got := snapshot.NewLine(s, "x").Gained; int(got) != c.want {
			t.Errorf("%s: gained %d, want %d", c.name, int(got), c.want)
		}
	}
}

func TestQualifierTellsEqualNamesApart(t *testing.T) {
	got := map[string]string{}
	for _, s := range rendertest.Scored() {
		got[s.Entry().Slug] = s.Qualifier
	}
	for slug, q := range got {
		want := map[string]string{rendertest.AirDataset: "Ministry of the Environment · 2018–2026 · version 7", rendertest.FrenchAir: "Île-de-France"}[slug]
		if q != want {
			t.Errorf("%s has the qualifier %q, want %q", slug, q, want)
		}
	}
}

// TestQualifierNamesThePeriod: the members of a series, and a service beside its
// dataset, are told apart by what is stated.
func TestQualifierNamesThePeriod(t *testing.T) {
	f := snapshot.NewFrame(rendertest.Site, rendertest.At, nil, nil, nil)
	for _, kind := range []catalog.EntryType{catalog.TypeDataset, catalog.TypeDataset} {
		f.SawName(kind, "cadastre")
		f.SawName(kind, "soil")
	}
	f.SawName(catalog.TypeAPI, "soil")
	year := func(y int) catalog.Entry {
		return catalog.Entry{Type: catalog.TypeDataset, Name: "Cadastre", PublisherName: "FPS", Dataset: &catalog.DatasetDetails{
			TemporalStart: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), TemporalEnd: time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC)}}
	}
	versioned := year(2011)
	versioned.Dataset.Version = "2.1"
	titled := catalog.Entry{Type: catalog.TypeDataset, Name: "Cadastre", PublisherName: "FPS", AlternativeTitles: []string{"Kadaster [Periode: 2012]"}}
	for _, c := range []struct {
		e    catalog.Entry
		name string
		want string
	}{
		{year(2010), "cadastre", "FPS · 2010"}, {versioned, "cadastre", "FPS · 2011 · version 2.1"}, {titled, "cadastre", "FPS · 2012"},
		{catalog.Entry{Type: catalog.TypeDataset, PublisherName: "FPS"}, "soil", "FPS · dataset"},
		{catalog.Entry{Type: catalog.TypeAPI, PublisherName: "FPS"}, "soil", "FPS · API"},
	} {
		if got := f.Score(&catalog.Row{Entry: c.e}, c.name).Qualifier; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestQualifierFallsBack(t *testing.T) {
	institution := catalog.Institution{ID: "i", Name: "Υπηρεσία"}
	f := snapshot.NewFrame(rendertest.Site, rendertest.At, []catalog.Institution{institution}, nil, nil)
	f.SawName(catalog.TypeDataset, "same")
	f.SawName(catalog.TypeDataset, "same")
	f.SawName(catalog.TypeDataset, "single")
	e := catalog.Entry{InstitutionID: "i", PublisherName: "Publisher", CountryCode: "GR", PrimarySourceURL: "https://host.example/a"}
	for _, want := range []string{"Υπηρεσία", "Publisher", "GR", "host.example"} {
		if got := f.Score(&catalog.Row{Entry: e}, "same").Qualifier; got != want {
			t.Errorf("qualifier %q, want %q", got, want)
		}
		if got := f.Score(&catalog.Row{Entry: e}, "single").Qualifier; got != "" {
			t.Errorf("a name that stands once has the qualifier %q", got)
		}
		switch want {
		case "Υπηρεσία":
			e.InstitutionID = ""
		case "Publisher":
			e.PublisherName = ""
		case "GR":
			e.CountryCode = ""
		}
	}
}

func TestChangedAtIsTheLatestOfAllThatIsShown(t *testing.T) {
	later := rendertest.At.Add(-3 * time.Minute)
	f := snapshot.NewFrame(rendertest.Site, rendertest.At, []catalog.Institution{{ID: "i"}}, nil, nil)
	if got := f.Score(&catalog.Row{}, "x").ChangedAt; !got.Equal(f.Day) {
		t.Errorf("nothing changed since the day began: %s", got)
	}
	for name, change := range map[string]func(*catalog.Row){
		"entry":     func(r *catalog.Row) { r.Entry.UpdatedAt = later },
		"published": func(r *catalog.Row) { r.Entry.PublishedAt = later },
		"state":     func(r *catalog.Row) { r.State = &catalog.CheckState{UpdatedAt: later} },
		"check":     func(r *catalog.Row) { r.State = &catalog.CheckState{LastCheckedAt: later} },
		"profile":   func(r *catalog.Row) { r.Profile = &catalog.Profile{UpdatedAt: later} },
		"override":  func(r *catalog.Row) { r.Overrides = []catalog.Override{{CreatedAt: later}} },
		"revoked":   func(r *catalog.Row) { r.Overrides = []catalog.Override{{CreatedAt: f.Day, RevokedAt: later}} },
		"target":    func(r *catalog.Row) { r.Targets = []catalog.Target{{UpdatedAt: later}} },
		"evidence":  func(r *catalog.Row) { r.Evidence = []catalog.Evidence{{CreatedAt: later, Kept: true}} },
		"institution": func(r *catalog.Row) {
			r.Entry.InstitutionID = "i"
			f.Institutions["i"].UpdatedAt = later
		},
	} {
		row := catalog.Row{Entry: catalog.Entry{UpdatedAt: f.Day.Add(-time.Hour)}}
		change(&row)
		if got := f.Score(&row, "x").ChangedAt; !got.Equal(later) || got.Location() != time.UTC {
			t.Errorf("%s: changed at %s", name, got)
		}
	}
}

func TestShuffledRowsGiveTheSameSnapshot(t *testing.T) {
	want := rendertest.Catalog(t)
	rows := rendertest.Rows()
	for range 5 {
		rows = append(rows[3:], rows[:3]...)
		got := rendertest.Freeze(t, rendertest.Site, rendertest.At, rows)
		if got.ID != want.ID || !slices.Equal(got.Order, want.Order) {
			t.Errorf("shuffled rows give %s, not %s", got.ID, want.ID)
		}
	}
}

func TestMergedFrom(t *testing.T) {
	c := rendertest.Catalog(t)
	got := c.MergedFrom(rendertest.ID(rendertest.AirDataset))
	if len(got) != 1 || got[0].Slug != rendertest.MergedDataset || got[0].Reason != "merged" {
		t.Errorf("merged from %+v", got)
	}
	if got := c.MergedFrom(rendertest.ID(rendertest.WeatherAPI)); got != nil {
		t.Errorf("merged from %+v", got)
	}
}
