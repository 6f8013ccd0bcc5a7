package identity_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

func TestVersionsAndSyntaxesShareAKey(t *testing.T) {
	const base = "https://api.x.gov/tides"
	for _, tt := range []struct {
		name, url string
		same      bool
	}{
		{"Tides API", base, true},
		{"Tides API", base + "/", true},
		{"Tides API", base + "/v1", true},
		{"Tides API", base + "/v2.0/", true},
		{"Tides API", base + "/3", false},
		{"Tides API", base + "/3.1", true},
		{"TIDES API v2", base + "/v2", true},
		{"Tides API (v2.1)", base + "/v2", true},
		{"Tides API, version 3", base, true},
		{"Tides API - v3", base, true},
		{"Tides API", base + "/openapi.json", true},
		{"Tides API", base + "/openapi.yaml", true},
		{"Tides API", base + "/v2/swagger.yml", true},
		{"Tides API", base + ".yaml", true},
		{"Tides Forecast API", base, false},
		{"Tides API", "https://api.x.gov/currents", false},
		{"Tides API", base + "/2024", false},
		{"Tides API", base + "/v1/stations", false},
		{"Tides API", base + "/openapi.json?station=1", false},
		{"Tides API 2", base, false},
	} {
		a, b := api("", "Tides API", base), api("", tt.name, tt.url)
		if (a.MatchKey == b.MatchKey) != tt.same {
			t.Errorf("%s at %s: key %q, the API's is %q", tt.name, tt.url, b.MatchKey, a.MatchKey)
		}
		if a.IdentityKey == b.IdentityKey && tt.url != base {
			t.Errorf("%s at %s: the identity key is shared", tt.name, tt.url)
		}
	}
	for _, name := range []string{"v2", "version 1", "(v3)"} {
		if e := api("", name, base); e.MatchKey == api("", "", base).MatchKey {
			t.Errorf("the name %q vanished from %q", name, e.MatchKey)
		}
	}
	one := &catalog.Entry{Type: catalog.TypeDataset, Name: "Census v1", PrimarySourceURL: base + "/v1"}
	two := &catalog.Entry{Type: catalog.TypeDataset, Name: "Census v2", PrimarySourceURL: base + "/v2"}
	identity.Keys(one)
	identity.Keys(two)
	if one.MatchKey == two.MatchKey {
		t.Error("two editions of a dataset are taken for one")
	}
}

func FuzzKeys(f *testing.F) {
	f.Add("Tides API v2", "https://api.x.gov/v1/openapi.json")
	f.Add("v", "://")
	f.Add("", "https://x/%2fv1")
	f.Fuzz(func(t *testing.T, name, url string) {
		a, b := api("", name, url), api("", name, url)
		if a.MatchKey != b.MatchKey || a.MatchKey == "" {
			t.Fatalf("keys %q and %q", a.MatchKey, b.MatchKey)
		}
	})
}
