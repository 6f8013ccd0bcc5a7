package reference

import (
	"slices"
	"testing"
	"testing/fstest"

	"golang.org/x/text/language"
)

// TestOfficialLanguagesShip reads the whole table: regions that exist, and
// canonical tags, each once.
func TestOfficialLanguagesShip(t *testing.T) {
	table, err := loadOfficialLanguages()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) < 40 {
		t.Fatalf("%d countries", len(table))
	}
	for code, tags := range table {
		if region, err := language.ParseRegion(code); err != nil || region.String() != code {
			t.Errorf("%s is no region code: %v", code, err)
		}
		for i, tag := range tags {
			if parsed, err := language.Parse(tag); err != nil || parsed.String() != tag || slices.Contains(tags[:i], tag) {
				t.Errorf("%s: %q is no canonical tag or stands twice: %v", code, tag, err)
			}
		}
	}
}

func TestOfficialLanguages(t *testing.T) {
	for country, want := range map[string][]string{
		"BE": {"nl", "fr", "de"}, "CH": {"de", "fr", "it", "rm"}, "EU": {"en", "fr", "de"},
		// Those of one language stand in no row.
		"FR": {"fr"}, "DK": {"da"}, "": nil, "XX1": nil, "ZZ": nil,
	} {
		if got := OfficialLanguages(country); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", country, got, want)
		}
	}
}

func TestOfficialLanguagesRefused(t *testing.T) {
	for name, rows := range map[string]string{
		"twice": "BE\tnl|fr\nBE\tnl|de\n", "none": "BE\t\n",
	} {
		fsys := fstest.MapFS{"official_languages.tsv": {Data: []byte("country_code\tlanguages\n" + rows)}}
		if _, err := parseOfficialLanguages(fsys); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
