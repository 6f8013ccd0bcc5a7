package reference

import (
	"strings"
	"testing"
)

func TestOwner(t *testing.T) {
	d := NewDomains([]Institution{
		{Key: "gb-hmrc", OfficialDomains: []string{"hmrc.gov.uk"}},
		{Key: "gb-mtd", OfficialDomains: []string{"mtd.service.hmrc.gov.uk"}},
		{Key: "gb-gds", OfficialDomains: []string{"www.gov.uk"}},
		{Key: "de-koeln", OfficialDomains: []string{"Köln.de"}},
		{Key: "aa", OfficialDomains: []string{"disputed.gov.uk", "not a host"}},
		{Key: "bb", OfficialDomains: []string{"disputed.gov.uk"}},
	}, nil)
	tests := []struct{ host, key, matched string }{
		{"hmrc.gov.uk", "gb-hmrc", "hmrc.gov.uk"},
		{"api.service.hmrc.gov.uk", "gb-hmrc", "hmrc.gov.uk"},
		{"API.Service.HMRC.gov.UK.", "gb-hmrc", "hmrc.gov.uk"},
		{"x.mtd.service.hmrc.gov.uk", "gb-mtd", "mtd.service.hmrc.gov.uk"},
		{"my_host.hmrc.gov.uk", "gb-hmrc", "hmrc.gov.uk"},
		{"r3---a.hmrc.gov.uk", "gb-hmrc", "hmrc.gov.uk"},
		{"www.gov.uk", "gb-gds", "www.gov.uk"},
		{"köln.de", "de-koeln", "xn--kln-sna.de"},
		{"xn--kln-sna.de", "de-koeln", "xn--kln-sna.de"},
		{"www。KÖLN。de", "de-koeln", "xn--kln-sna.de"},

		{"gov.uk", "", ""},
		{"evilhmrc.gov.uk", "", ""},
		{"hmrc.gov.uk.evil.com", "", ""},
		{"hmrc.gov.ukx", "", ""},
		{"hmrс.gov.uk", "", ""}, // Cyrillic с
		{"evil.com/.hmrc.gov.uk", "", ""},
		{"evil.com／.hmrc.gov.uk", "", ""}, // maps to a slash
		{"evil.com?.hmrc.gov.uk", "", ""},
		{"evil.com#.hmrc.gov.uk", "", ""},
		{"user@hmrc.gov.uk", "", ""},
		{"hmrc.gov.uk:443", "", ""},
		{"hmrc.gov.uk..", "", ""},
		{".hmrc.gov.uk", "", ""},
		{"a..hmrc.gov.uk", "", ""},
		{"", "", ""},
		{".", "", ""},
		{"\xff.hmrc.gov.uk", "", ""},
		{strings.Repeat("a", 64) + ".hmrc.gov.uk", "", ""},
		{strings.Repeat("a.", 130) + "hmrc.gov.uk", "", ""},
		{"disputed.gov.uk", "", ""},
	}
	for _, tt := range tests {
		key, matched, ok := d.Owner(tt.host)
		if key != tt.key || matched != tt.matched || ok != (tt.key != "") {
			t.Errorf("Owner(%q) = %q, %q, %v, want %q, %q", tt.host, key, matched, ok, tt.key, tt.matched)
		}
	}
}

func TestSuffix(t *testing.T) {
	suffixes, err := Suffixes()
	if err != nil {
		t.Fatal(err)
	}
	d := NewDomains(nil, suffixes)
	tests := []struct{ host, suffix, country string }{
		{"www.gov.uk", "gov.uk", "GB"},
		{"api.service.gov.uk", "service.gov.uk", "GB"},
		{"gov.uk", "gov.uk", "GB"},
		{"data.gov", "gov", "US"},
		{"Data.GOV.", "gov", "US"},
		{"api.gouv.fr", "gouv.fr", "FR"},
		{"data.gov.in", "gov.in", "IN"},
		{"ec.europa.eu", "europa.eu", "EU"},
		{"www.who.int", "who.int", "UN"},
		{"city.lg.jp", "lg.jp", "JP"},

		{"evilgov.uk", "", ""},
		{"cowin.gov.cin", "", ""},
		{"cdcgov.local", "", ""},
		{"gov.uk.example.com", "", ""},
		{"data-gov.uk", "", ""},
		{"gov.example", "", ""},
		{"shop.brussels", "", ""}, // a geographic domain, open to all
		{"comune.go.it", "", ""},  // the province of Gorizia
		{"shop.lg.ua", "", ""},    // the region of Luhansk
		{"10.0.0.1", "", ""},
		{"localhost", "", ""},
	}
	for _, tt := range tests {
		suffix, country, ok := d.Suffix(tt.host)
		if suffix != tt.suffix || country != tt.country || ok != (tt.suffix != "") {
			t.Errorf("Suffix(%q) = %q, %q, %v, want %q, %q", tt.host, suffix, country, ok, tt.suffix, tt.country)
		}
	}
}

func FuzzOwner(f *testing.F) {
	d := NewDomains([]Institution{{Key: "gb-x", OfficialDomains: []string{"x.gov.uk"}}}, nil)
	f.Add("a.x.gov.uk")
	f.Add("evil.com\u2044x.gov.uk")
	f.Add("x。gov．uk")
	f.Fuzz(func(t *testing.T, host string) {
		canonical, valid := canonicalHost(host)
		_, _, ok := d.Owner(host)
		if want := valid && (canonical == "x.gov.uk" || strings.HasSuffix(canonical, ".x.gov.uk")); ok != want {
			t.Fatalf("Owner(%q) = %v, canonical %q", host, ok, canonical)
		}
		if strings.ContainsAny(canonical, "/?#@: \\") {
			t.Fatalf("canonicalHost(%q) = %q", host, canonical)
		}
		if again, _ := canonicalHost(canonical); valid && again != canonical {
			t.Fatalf("canonicalHost is not idempotent: %q, then %q", canonical, again)
		}
	})
}

func TestSharedSuffixesAreNobodys(t *testing.T) {
	suffixes, err := Suffixes()
	if err != nil {
		t.Fatal(err)
	}
	gds := Institution{Key: "gb-gds", OfficialDomains: []string{"gov.uk", "service.gov.uk", "www.gov.uk", "uk"}}
	hmrc := Institution{Key: "gb-hmrc", OfficialDomains: []string{"hmrc.gov.uk"}}
	d := NewDomains([]Institution{gds, hmrc}, suffixes)
	for _, tt := range []struct {
		in   Institution
		host string
		want string
	}{
		{gds, "www.gov.uk", "www.gov.uk"},
		{gds, "gov.uk", ""},
		{gds, "parish.gov.uk", ""},
		{gds, "shop.example.uk", ""},
		{gds, "hmrc.gov.uk", ""},
		{hmrc, "api.HMRC.gov.uk.", "hmrc.gov.uk"},
		{hmrc, "hmrc.gov.uk.example.com", ""},
		{hmrc, "hmrс.gov.uk", ""}, // Cyrillic с
	} {
		got, ok := d.Covers(tt.in.Key, tt.in.OfficialDomains, tt.host)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s covers %s by %q, %v; want %q", tt.in.Key, tt.host, got, ok, tt.want)
		}
		if key, _, _ := d.Owner(tt.host); tt.want != "" && key != tt.in.Key || tt.want == "" && key == tt.in.Key {
			t.Errorf("the owner of %s is %q", tt.host, key)
		}
	}
}

// A longer official domain always wins, whatever labels are in between.
func FuzzLongestDomainWins(f *testing.F) {
	f.Add("a", "b", "c")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		outer, inner := "gov.example", b+".gov.example"
		if _, ok := canonicalHost(inner); !ok {
			return
		}
		host := a + "." + inner
		if _, ok := canonicalHost(host); !ok {
			return
		}
		wide := Institution{Key: "wide", OfficialDomains: []string{outer}}
		narrow := Institution{Key: "narrow", OfficialDomains: []string{inner}}
		for _, order := range [][]Institution{{wide, narrow}, {narrow, wide}} {
			d := NewDomains(order, nil)
			if key, _, ok := d.Owner(host); !ok || key != "narrow" {
				t.Fatalf("%s belongs to %q", host, key)
			}
			if _, ok := d.Covers("wide", wide.OfficialDomains, host); ok {
				t.Fatalf("%s is covered by %s although %s is longer", host, outer, inner)
			}
			if _, ok := d.Covers("wide", wide.OfficialDomains, c+outer); ok != coveredBy(c+outer, outer, inner) {
				t.Fatalf("%q below %s: %v", c+outer, outer, ok)
			}
		}
	})
}

func coveredBy(host, outer, inner string) bool {
	canonical, ok := canonicalHost(host)
	below := func(d string) bool { return canonical == d || strings.HasSuffix(canonical, "."+d) }
	inner, _ = canonicalHost(inner)
	return ok && below(outer) && !below(inner)
}
