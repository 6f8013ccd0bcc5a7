package series

import (
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func TestSplit(t *testing.T) {
	for title, want := range map[string]struct {
		stem, period string
	}{
		"Population by municipality":               {"population by municipality", ""},
		"Population 2019":                          {"population", "2019"},
		"2019 population":                          {"population", "2019"},
		"Population by sector [Period: 2010-2015]": {"population by sector period", "2010–2015"},
		"Bevölkerung [Zeitraum: 2012–2021]":        {"bevolkerung zeitraum", "2012–2021"},
		"Élections 1999/00":                        {"elections", "1999"},
		"Budget 2019/20":                           {"budget", "2019–2020"},
		"Sales 2019-03":                            {"sales", "2019-03"},
		"Sales 2019-03 to 2019-05":                 {"sales", "2019-03–2019-05"},
		"Tarieven van 2014 tot en met 2016":        {"tarieven van", "2014–2016"},
		"Atlas 1850, sheet 2":                      {"atlas sheet 2", "1850"},
		"Law 1234.2019 on water":                   {"law 1234 2019 on water", ""},
		"EPSG:20194 grid":                          {"epsg 20194 grid", ""},
		"Agenda 2030 report 2021":                  {"agenda report", "2021"},
		"SocZek.GeefDossier - versie 03.00":        {"soczek geefdossier", ""},
		"Roads v2.1":                               {"roads", ""},
		"Πληθυσμός 2011":                           {"πληθυσμοσ", "2011"},
		"2019":                                     {"", "2019"},
		"":                                         {"", ""},
		"Traffic 2019 2020":                        {"traffic", "2020"},
		"Mortality 2020-2019":                      {"mortality", "2020"},
	} {
		if got := Split(title); got.Stem != want.stem || got.Period.String() != want.period {
			t.Errorf("%q: %q, %q, want %q, %q", title, got.Stem, got.Period, want.stem, want.period)
		}
	}
}

func TestRest(t *testing.T) {
	for title, want := range map[string]string{
		"Population by sector [Period: 2010-2015]": "Population by sector", "Budget (2019)": "Budget", "2019 – Élections": "Élections",
		"Roads - version 2.1": "Roads", "Kadaster": "Kadaster", "Sales, 2019-03": "Sales", "2019": "", "Data. ": "Data. ",
	} {
		if got := Split(title).Rest; got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// FuzzSplit: any title ends, twice the same, and leaves no period in the rest.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"Population 2019", "1999–2000 v2", "[2019-03]", "2019 2020 2021", "\xff2019", "v1.v2 1800–1801-12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Split(s)
		if again := Split(s); again != got {
			t.Fatalf("%q: %+v then %+v", s, got, again)
		}
		if p := got.Period; p.To != "" && p.To < p.From {
			t.Errorf("%q ends before it begins: %+v", s, got.Period)
		}
	})
}

func TestYears(t *testing.T) {
	for p, want := range map[Period]Period{
		{"2018-09-04", "2026-11-20"}: {"2018", "2026"}, {"2018-09-04", "2018-11-20"}: {"2018-09-04", "2018-11-20"},
		{"2018", "2019"}: {"2018", "2019"}, {"2018-09-04", ""}: {"2018-09-04", ""}, {}: {},
	} {
		if got := p.Years(); got != want {
			t.Errorf("%+v: %+v, want %+v", p, got, want)
		}
	}
}

func TestPeriodOf(t *testing.T) {
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil && s != "" {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		name, from, to string
		alternative    []string
		want           string
	}{
		{"Cadastre", "2017-01-01", "2017-12-31", nil, "2017"},
		{"Cadastre 2011", "2017-01-01", "2018-12-31", nil, "2017–2018"},
		{"Cadastre", "2017-03-01", "2017-03-31", nil, "2017-03"},
		{"Cadastre", "2017-03-05", "2017-04-02", nil, "2017-03-05–2017-04-02"},
		{"Cadastre", "1923-01-01", "", nil, "1923–"},
		{"Cadastre", "", "2005-12-31", nil, "–2005"},
		{"Cadastre 2011", "", "", []string{"Kadaster 2012"}, "2011"},
		{"Cadastre", "", "", []string{"Kadaster", "Kadaster [Periode: 2012]"}, "2012"},
		{"Cadastre", "", "", nil, ""},
	} {
		e := catalog.Entry{Name: c.name, AlternativeTitles: c.alternative, Dataset: &catalog.DatasetDetails{TemporalStart: day(c.from), TemporalEnd: day(c.to)}}
		if got := Of(&e).String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}
