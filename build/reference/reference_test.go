package reference

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestShippedTablesParse(t *testing.T) {
	institutions, err := Institutions()
	if err != nil {
		t.Errorf("Institutions: %v", err)
	}
	licences, err := Licences()
	if err != nil {
		t.Errorf("Licences: %v", err)
	}
	suffixes, err := Suffixes()
	if err != nil {
		t.Errorf("Suffixes: %v", err)
	}
	countries, err := Countries()
	if err != nil {
		t.Errorf("Countries: %v", err)
	}
	if len(institutions) < 200 || len(licences) < 70 || len(suffixes) < 300 || len(countries) != 249+3 {
		t.Errorf("tables have %d institutions, %d licences, %d suffixes, %d countries",
			len(institutions), len(licences), len(suffixes), len(countries))
	}
	where := map[string]bool{}
	for _, in := range institutions {
		where[in.CountryCode] = true
	}
	if len(where) < 80 {
		t.Errorf("institutions of %d countries", len(where))
	}
	if !slices.IsSortedFunc(institutions, func(a, b Institution) int { return strings.Compare(a.Key, b.Key) }) {
		t.Error("institutions are not sorted by key")
	}
}

// Each institution table must be right alone too, so that a mistake in one file
// does not hide behind a clash between two.
func TestShippedInstitutionFiles(t *testing.T) {
	for file, least := range map[string]int{"institutions_gb.tsv": 100, "institutions_fr.tsv": 100,
		"institutions_us.tsv": 100, "institutions_national.tsv": 300} {
		fsys := fstest.MapFS{}
		for _, name := range []string{"countries.tsv", "suffixes.tsv", file} {
			text, err := fs.ReadFile(tables, name)
			if err != nil {
				t.Fatal(err)
			}
			fsys[name] = &fstest.MapFile{Data: text}
		}
		list, err := parseInstitutions(fsys)
		if err != nil || len(list) < least {
			t.Errorf("%s: %d institutions, error %v", file, len(list), err)
		}
	}
}

func TestCallersMayChangeTheirCopy(t *testing.T) {
	mine, err := Countries()
	if err != nil {
		t.Fatal(err)
	}
	mine[0].NameEn = "changed"
	again, _ := Countries()
	if again[0].NameEn == "changed" {
		t.Error("a caller changed the shared table")
	}
}

func TestUnspecifiedIsNeverOpen(t *testing.T) {
	licences, err := Licences()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, l := range licences {
		if l.ID == "UNSPECIFIED" || strings.HasPrefix(l.ID, "OTHER-") {
			found++
			if l.Open == "yes" || l.CommercialUse == "yes" {
				t.Errorf("%s grants rights that nobody granted", l.ID)
			}
		}
	}
	if found != 5 {
		t.Errorf("found %d placeholder licences, want 5", found)
	}
}

const (
	countryHeader     = "alpha2\talpha3\tnumeric\tname_en\n"
	suffixHeader      = "suffix\tcountry_code\tkind\tsource\n"
	institutionHeader = "key\tname\tname_en\tlang\tcountry_code\ttype\thomepage\tofficial_domains\tgithub_orgs\tsource\n"
	licenceHeader     = "id\ttitle\turl\teu_uri\tjurisdiction\tcommercial_use\tredistribution\tmodification\t" +
		"attribution_required\tshare_alike\topen\taliases\tnote\tsource\n"
)

// tree returns small but valid tables; the arguments are file, text pairs that
// are laid over them.
func tree(over ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	files := append([]string{
		"countries.tsv", countryHeader + "FR\tFRA\t250\tFrance\nGB\tGBR\t826\tUnited Kingdom\n",
		"suffixes.tsv", suffixHeader + "gov.uk\tGB\tGOVERNMENT\tregistry\nparliament.uk\tGB\tPARLIAMENT\tregistry\n",
	}, over...)
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

func TestParseInstitutions(t *testing.T) {
	list, err := parseInstitutions(tree(
		"institutions_b.tsv", institutionHeader+"gb-x\tThe X\t\ten\tGB\tAGENCY\thttps://x.gov.uk\tx.gov.uk|api.x.gov.uk\torg-x|org_y\tsite\n",
		"institutions_a.tsv", institutionHeader+"fr-y\tLe Y\t\tfr\tFR\tREGION\t\t\t\tsite\n",
		"institutions.txt", "ignored",
	))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Key != "fr-y" || list[1].Key != "gb-x" {
		t.Fatalf("got %+v, want fr-y and gb-x", list)
	}
	if x := list[1]; x.NameEn != "The X" || !slices.Equal(x.OfficialDomains, []string{"x.gov.uk", "api.x.gov.uk"}) || len(x.GithubOrgs) != 2 {
		t.Errorf("gb-x = %+v", x)
	}
	if y := list[0]; y.NameEn != "" || y.OfficialDomains != nil {
		t.Errorf("fr-y = %+v", y)
	}
}

func TestParseErrors(t *testing.T) {
	const good = "gb-x\tX\t\ten\tGB\tAGENCY\t\tx.gov.uk\t\tsite\n"
	institutions := func(row string) fstest.MapFS { return tree("institutions_a.tsv", institutionHeader+row) }
	licences := func(rows string) fstest.MapFS { return tree("licences.tsv", licenceHeader+rows) }
	const mit = "MIT\tMIT License\t\t\t\tyes\tyes\tyes\tyes\tno\tyes\t\t\tSPDX\n"
	tests := []struct {
		name string
		fsys fstest.MapFS
		want []string // parts of the message
	}{
		{"bad type", institutions(strings.Replace(good, "AGENCY", "MINISTRY", 1)),
			[]string{"institutions_a.tsv:2", `"type"`, "MINISTRY", "GOVERNMENT, REGION"}},
		{"bad country", institutions(strings.Replace(good, "GB", "UK", 1)),
			[]string{"institutions_a.tsv:2", `"country_code"`, "UK", "countries.tsv"}},
		{"duplicate key", institutions(good + strings.Replace(good, "x.gov.uk", "", 1)),
			[]string{"institutions_a.tsv:3", `"key"`, "gb-x", "institutions_a.tsv:2", "keep one"}},
		{"duplicate key over files", tree("institutions_a.tsv", institutionHeader+good, "institutions_b.tsv", institutionHeader+good),
			[]string{"institutions_b.tsv:2", `"key"`, "institutions_a.tsv:2"}},
		{"duplicate domain", institutions(good + strings.Replace(good, "gb-x", "gb-y", 1)),
			[]string{":3", `"official_domains"`, "x.gov.uk", "one of the two"}},
		{"shared suffix", institutions(strings.Replace(good, "x.gov.uk", "gov.uk", 1)),
			[]string{`"official_domains"`, "shared", "www.gov.uk"}},
		{"address as domain", institutions(strings.Replace(good, "x.gov.uk", "https://x.gov.uk/", 1)),
			[]string{`"official_domains"`, "bare host"}},
		{"capital domain", institutions(strings.Replace(good, "x.gov.uk", "X.gov.uk", 1)), []string{"lower-case"}},
		{"top-level domain", institutions(strings.Replace(good, "x.gov.uk", "gov", 1)), []string{"bare host"}},
		{"capital key", institutions(strings.Replace(good, "gb-x", "gb-X", 1)), []string{`"key"`, "lower-case"}},
		{"no name", institutions(strings.Replace(good, "\tX\t", "\t\t", 1)), []string{`"name"`, "fill it in"}},
		{"no source", institutions(strings.Replace(good, "site", "", 1)), []string{`"source"`, "fill it in"}},
		{"homepage without scheme", institutions(strings.Replace(good, "AGENCY\t", "AGENCY\twww.x.uk", 1)), []string{`"homepage"`, "http://"}},
		{"organisation as address", institutions(strings.Replace(good, "x.gov.uk\t", "x.gov.uk\tgithub.com/x", 1)), []string{`"github_orgs"`}},
		{"loose space", institutions(strings.Replace(good, "AGENCY", "AGENCY ", 1)), []string{`"type"`, "space"}},
		{"missing column", institutions("gb-x\tX\n"), []string{"institutions_a.tsv:2", "2 columns", "10"}},
		{"wrong header", tree("institutions_a.tsv", "name\tkey\n"), []string{"institutions_a.tsv:1", "header"}},
		{"empty file", tree("institutions_a.tsv", ""), []string{"institutions_a.tsv:1", "header"}},
		{"no countries", fstest.MapFS{}, []string{"countries.tsv"}},
		{"bad alpha-2", tree("countries.tsv", countryHeader+"fr\tFRA\t250\tFrance\n"), []string{"countries.tsv:2", `"alpha2"`}},
		{"bad alpha-3", tree("countries.tsv", countryHeader+"FR\tFR\t250\tFrance\n"), []string{`"alpha3"`}},
		{"lost zero", tree("countries.tsv", countryHeader+"AF\tAFG\t4\tAfghanistan\n"), []string{`"numeric"`, "leading zeros"}},
		{"country twice", tree("countries.tsv", countryHeader+"FR\tFRA\t250\tFrance\nFX\tFRA\t\tFrance\n"), []string{"countries.tsv:3", `"alpha3"`}},
		{"bad kind", tree("suffixes.tsv", suffixHeader+"gov.uk\tGB\tPARISH\tx\n"), []string{"suffixes.tsv:2", `"kind"`, "PARLIAMENT"}},
		{"dotted suffix", tree("suffixes.tsv", suffixHeader+".gov.uk\tGB\tGOVERNMENT\tx\n"), []string{`"suffix"`}},
		{"suffix twice", tree("suffixes.tsv", suffixHeader+"gov.uk\tGB\tGOVERNMENT\tx\ngov.uk\tGB\tGOVERNMENT\tx\n"), []string{"suffixes.tsv:3", `"suffix"`}},
		{"bad right", licences(strings.Replace(mit, "yes", "y", 1)), []string{"licences.tsv:2", `"commercial_use"`, "unknown"}},
		{"open without commercial use", licences(strings.Replace(mit, "yes", "no", 1)), []string{`"open"`}},
		{"ambiguous alias", licences(mit + strings.Replace(mit, "MIT\tMIT License", "X\tmit licence", 1)), []string{"licences.tsv:3", `"aliases"`, "line 2", "ambiguous"}},
		{"bad jurisdiction", licences(strings.Replace(mit, "\t\t\t\tyes", "\t\t\tXX\tyes", 1)), []string{`"jurisdiction"`, "XX"}},
		{"empty alias", licences(strings.Replace(mit, "yes\t\t\tSPDX", "yes\ta||b\t\tSPDX", 1)), []string{`"aliases"`, "empty"}},
		{"bad address", licences(strings.Replace(mit, "License\t", "License\tmit.org", 1)), []string{`"url"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseInstitutions(tt.fsys)
			if _, ok := tt.fsys["licences.tsv"]; ok {
				_, err = parseLicences(tt.fsys)
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
		})
	}
}
