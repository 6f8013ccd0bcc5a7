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
		{Key: "aa-moh", Name: "Ministry of Health", CountryCode: "AA", OfficialDomains: []string{"health.aa"}, Identifiers: []string{"https://ror.org/02mhbdp94"}},
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
		{publisher.Query{Names: []string{"Ministry of Health"}, Country: "AA"}, "name: exact name “Ministry of Health”"},
		{publisher.Query{Names: []string{"MINISTRY OF HEALTH"}, Hosts: []string{"data.health.bb"}}, "name: exact name “MINISTRY OF HEALTH”"},
		{publisher.Query{Names: []string{"Ministry of Health"}}, "ambiguous: exact name “Ministry of Health” fits aa-moh, bb-moh"},
		{publisher.Query{Names: []string{"RBO"}, Country: "AA"}, "name: acronym “RBO”"},
		{publisher.Query{Names: []string{"Harbour Master’s Dept."}, Country: "AA"}, "name: known alias “Harbour Master’s Dept.”"},
		{publisher.Query{GithubOrg: "Works"}, "ambiguous: GitHub organisation Works fits aa-ports, aa-roads"},
		{publisher.Query{Hosts: []string{"data.health.bb"}}, "domain: official domain health.bb"},
		{publisher.Query{Names: []string{"Office of Roads"}, Country: "AA", GithubOrg: "works"}, ""},
		{publisher.Query{Names: []string{"Choir"}}, ""},
		{publisher.Query{Names: []string{"Choir"}, Identifiers: []string{"https://ror.org/02mhbdp94"}},
			"identifier: https://ror.org/02mhbdp94"},
	} {
		r := m.Match(tt.q)
		if got := r.Text(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.q, got, tt.want)
		}
		if (r.Match == nil) != (tt.want == "" || strings.HasPrefix(tt.want, "ambiguous")) {
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
			r := m.Match(publisher.Query{Names: []string{tt.name}, Country: tt.country})
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
		_ = m.Match(publisher.Query{Names: []string{name}, Country: "GR"})
	}
}

func FuzzMatch(f *testing.F) {
	m := small()
	f.Add("Ministry of Health (AA)", "AA", "health.aa")
	f.Add("A - B / C; D: E | F", "", "x")
	f.Add("\xff(\x00", "??", "..")
	f.Fuzz(func(t *testing.T, name, country, host string) {
		r := m.Match(publisher.Query{Names: []string{name}, Country: country, Hosts: []string{host}})
		if r.Match != nil && (len(r.Rivals) > 0 || r.Rule == "" || r.Evidence == "") || len(r.Rivals) == 1 {
			t.Fatalf("%+v", r)
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
				m.Match(publisher.Query{Names: []string{s.name}, Country: s.country, Hosts: []string{"data.example.org", "api.service.hmrc.gov.uk"}})
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
