package reference

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestShippedSources(t *testing.T) {
	list, err := Sources()
	if err != nil {
		t.Fatal(err)
	}
	countries, kinds := map[string]bool{}, map[string]int{}
	for _, s := range list {
		countries[s.CountryCode] = true
		kinds[s.Kind]++
		if !strings.HasPrefix(s.URL, "https://") || !strings.HasPrefix(s.Key, strings.ToLower(s.CountryCode)+"-") || !strings.HasSuffix(s.Official, ".") {
			t.Errorf("%+v", s)
		}
	}
	if len(list) < 60 || len(countries) < 30 || len(kinds) < 6 {
		t.Errorf("%d sources in %d countries, of %v", len(list), len(countries), kinds)
	}
}

func TestBadSourcesAreNamed(t *testing.T) {
	const head = "key\tkind\turl\tendpoint\ttitle\tcountry_code\tinstitution\tportal\tofficial\tsource\n"
	const good = "gb-x\tckan\thttps://x.example\t\tX\tGB\t\tyes\tBy law.\tits site\n"
	for name, c := range map[string]struct{ rows, want string }{
		"kind":        {strings.Replace(good, "ckan", "ftp", 1), "kind"},
		"url":         {strings.Replace(good, "https://x.example", "x", 1), "url"},
		"country":     {strings.Replace(good, "GB", "XX", 1), "country_code"},
		"institution": {strings.Replace(good, "GB\t\t", "GB\tgb-nobody\t", 1), "institution"},
		"endpoint":    {strings.Replace(good, "\t\tX", "\tnowhere\tX", 1), "endpoint"},
		"portal":      {strings.Replace(good, "yes", "maybe", 1), "portal"},
		"no reason":   {strings.Replace(good, "By law.", "", 1), "official"},
		"key":         {strings.Replace(good, "gb-x", "GB X", 1), "key"},
		"key twice":   {good + strings.Replace(good, "x.example", "y.example", 1), "key"},
		"url twice":   {good + strings.Replace(good, "gb-x", "gb-y", 1), "url"},
		"columns":     {"gb-x\tckan\n", "columns"},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"sources.tsv": &fstest.MapFile{Data: []byte(head + c.rows)}}
			for _, table := range []string{"countries.tsv", "suffixes.tsv"} {
				b, err := fs.ReadFile(tables, table)
				if err != nil {
					t.Fatal(err)
				}
				fsys[table] = &fstest.MapFile{Data: b}
			}
			if _, err := parseSources(fsys); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "sources.tsv:") {
				t.Errorf("error %v", err)
			}
		})
	}
}
