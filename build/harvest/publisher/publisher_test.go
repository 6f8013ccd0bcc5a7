package publisher_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/publisher"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// small makes a matcher of two ministries of one name in two countries and of
// two offices that share an organisation.
func small() *publisher.Matcher {
	list := []catalog.Institution{
		{Key: "aa-moh", Name: "Ministry of Health", CountryCode: "AA", OfficialDomains: []string{"health.aa"}},
		{Key: "bb-moh", Name: "Ministry of Health", CountryCode: "BB", OfficialDomains: []string{"health.bb"}},
		{Key: "aa-roads", Name: "Roads and Bridges Office (RBO)", CountryCode: "AA", GithubOrgs: []string{"works"}},
		{Key: "aa-ports", Name: "Ports and Harbours Office", CountryCode: "AA", GithubOrgs: []string{"works"}},
	}
	rows := make([]reference.Institution, len(list))
	for i := range list {
		rows[i] = reference.Institution{Key: list[i].Key, OfficialDomains: list[i].OfficialDomains}
	}
	return publisher.New(list, map[string][]string{"aa-ports": {"Harbour Master's Department"}}, reference.NewDomains(rows, nil))
}

func TestResultsExplainThemselves(t *testing.T) {
	m := small()
	for _, tt := range []struct {
		q    publisher.Query
		want string
	}{
		{publisher.Query{Name: "Ministry of Health", Country: "AA"}, "score 95 of 100: exact name (95)"},
		{publisher.Query{Name: "MINISTRY OF HEALTH", Hosts: []string{"data.health.bb"}},
			"score 97 of 100: exact name (85), source under the official domain health.bb (80)"},
		{publisher.Query{Name: "Ministry of Health"}, "ambiguous: aa-moh score 85 of 100: exact name (85); bb-moh score 85 of 100: exact name (85)"},
		{publisher.Query{Name: "RBO", Country: "AA"}, "score 75 of 100: acronym (75)"},
		{publisher.Query{Name: "Harbour Master’s Dept.", Country: "AA"}, "score 90 of 100: known alias (90)"},
		{publisher.Query{GithubOrg: "Works"},
			"ambiguous: aa-ports score 75 of 100: GitHub organisation Works (75); aa-roads score 75 of 100: GitHub organisation Works (75)"},
		{publisher.Query{Name: "Office of Roads", Country: "AA"}, "no match, below 70: aa-roads score 68 of 100: 77 % of the words of the name (68)"},
		{publisher.Query{Name: "Choir"}, ""},
	} {
		r := m.Match(tt.q)
		if got := r.Text(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.q, got, tt.want)
		}
		if (r.Match != nil) != strings.HasPrefix(tt.want, "score") {
			t.Errorf("%+v: match %v", tt.q, r.Match)
		}
	}
}

// The order in which institutions are listed, and what was asked before, change
// nothing.
func TestMatchIsDeterministic(t *testing.T) {
	m := shipped(t)
	want := map[string]string{}
	for range 3 {
		for _, tt := range spellings {
			r := m.Match(publisher.Query{Name: tt.name, Country: tt.country})
			key := tt.name + "|" + tt.country
			if text, known := want[key]; known && text != r.Text() {
				t.Fatalf("%s: %q, then %q", key, text, r.Text())
			}
			want[key] = r.Text()
		}
	}
}

func TestHugeNamesAreBounded(t *testing.T) {
	m := shipped(t)
	for _, name := range []string{strings.Repeat("ministry of health ", 10000), strings.Repeat("(", 5000), strings.Repeat("a/", 5000), strings.Repeat("é", 300)} {
		_ = m.Match(publisher.Query{Name: name, Country: "GR"})
	}
}

func FuzzMatch(f *testing.F) {
	m := small()
	f.Add("Ministry of Health (AA)", "AA", "health.aa")
	f.Add("A - B / C; D: E | F", "", "x")
	f.Add("\xff(\x00", "??", "..")
	f.Fuzz(func(t *testing.T, name, country, host string) {
		r := m.Match(publisher.Query{Name: name, Country: country, Hosts: []string{host}})
		for i := range r.Candidates {
			if c := &r.Candidates[i]; c.Score < 0 || c.Score > 100 || len(c.Reasons) == 0 {
				t.Fatalf("candidate %+v", c)
			}
		}
		if r.Match != nil && r.Match.Score < publisher.Threshold {
			t.Fatalf("match %+v", r.Match)
		}
	})
}

// BenchmarkMatch matches real spellings against the shipped institutions and
// against ten times as many.
func BenchmarkMatch(b *testing.B) {
	bench := func(m *publisher.Matcher) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				s := &spellings[n%len(spellings)]
				m.Match(publisher.Query{Name: s.name, Country: s.country, Hosts: []string{"data.example.org", "api.service.hmrc.gov.uk"}})
				n++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
		}
	}
	b.Run("shipped", bench(shipped(b)))
	b.Run("ten times", bench(multiplied(b, 10)))
}

// multiplied is the shipped institutions and n-1 copies with other names.
func multiplied(b *testing.B, n int) *publisher.Matcher {
	rows, err := reference.Institutions()
	if err != nil {
		b.Fatal(err)
	}
	var list []catalog.Institution
	for k := range n {
		for _, r := range rows {
			list = append(list, catalog.Institution{Key: fmt.Sprintf("%s-%d", r.Key, k), Name: fmt.Sprintf("%s of Place%d", r.Name, k),
				NameEn: r.NameEn, NativeLang: r.Lang, CountryCode: r.CountryCode})
		}
	}
	return publisher.New(list, nil, reference.NewDomains(nil, nil))
}
