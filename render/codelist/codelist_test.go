package codelist

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestTables: every row has as many cells as its header, codes of their form,
// and each code once.
func TestTables(t *testing.T) {
	for file, least := range map[string]int{"codes.tsv": 1200, "countries.tsv": 249 + 3, "languages.tsv": 183, "extensions.tsv": 60, "nuts.tsv": 130} {
		text, err := Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(text), "\n")
		n, seen := 0, map[string]bool{}
		for row := range rows(file) {
			key := row[0]
			if file == "codes.tsv" {
				key += " " + row[1]
			}
			if n++; len(row) != strings.Count(header, "\t")+1 || key == "" || seen[key] {
				t.Errorf("%s:%d: %q", file, n+1, row)
			}
			seen[key] = true
		}
		if n < least {
			t.Errorf("%s has %d rows", file, n)
		}
	}
}

func TestExtensionsAreOfListedFileTypes(t *testing.T) {
	listed, taken := map[string]bool{}, map[string]string{}
	for _, c := range lists()["file-type"] {
		listed[c.Code] = true
	}
	for row := range rows("extensions.tsv") {
		for e := range strings.SplitSeq(row[1], "|") {
			if !listed[row[0]] || e != strings.ToLower(e) || taken[e] != "" {
				t.Errorf("%s: extension %q, taken by %q", row[0], e, taken[e])
			}
			taken[e] = row[0]
		}
	}
}

func TestLicencesAndLanguagesJoin(t *testing.T) {
	for _, c := range licences() {
		if c.Label == "" || len(c.Codes[EULicence]) != 1 {
			t.Errorf("%+v", c)
		}
	}
	with := 0
	for _, c := range licences() {
		with += len(c.Codes[SPDX])
	}
	if rows := len(lists()["licence-spdx"]); with != rows {
		t.Errorf("%d of %d SPDX ids stand at a licence of the EU", with, rows)
	}
	with = 0
	for _, c := range languages() {
		for _, n := range []string{Lang1, Lang2B, Lang2T, Lang3} {
			if len(c.Codes[n]) > 1 || len(c.Codes[n]) == 1 && c.Codes[n][0] != strings.ToLower(c.Codes[n][0]) {
				t.Errorf("%s: %v", n, c.Codes[n])
			}
		}
		if len(c.Codes[Lang1]) == 1 && len(c.Codes[EULanguage]) == 1 {
			with++
		}
	}
	if with < 120 {
		t.Errorf("%d languages of ISO 639-1 have an EU address", with)
	}
}

// say writes the readings of an identifier in short.
func say(identifier, notation string) string {
	known := map[string]*catalog.Licence{
		"AGPL-3.0-only": {ID: "AGPL-3.0-only", Title: "AGPL", EUURI: Authority + "licence/AGPL_3_0", Source: "SPDX licence list"},
		"OWN":           {ID: "OWN", Title: "Own words", Source: "by hand"},
	}
	var out []string
	for _, r := range Read(identifier, known) {
		out = append(out, fmt.Sprintf("%s as %s: %s", r.Kind, strings.Join(r.As, "+"), strings.Join(r.Codes[notation], ",")))
	}
	return strings.Join(out, "; ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ identifier, notation, want string }{
		{"GR", Alpha3, "country as iso3166-1-alpha-2: GRC"},
		{"gr", Alpha3, "country as iso3166-1-alpha-2: GRC"},
		{"GRC", Numeric, "country as iso3166-1-alpha-3+eu-country: 300"},
		{"300", EUCountry, "country as iso3166-1-numeric: " + Authority + "country/GRC"},
		{Authority + "country/GRC", Alpha2, "country as eu-country: GR"},
		{"https" + strings.TrimPrefix(Authority, "http") + "country/GRC", Alpha2, "country as eu-country: GR"},
		{"GR", "nuts-0", "country as iso3166-1-alpha-2: EL"},
		{"EU", EUCountry, "country as iso3166-1-alpha-2: " + Authority + "country/EUR; language as iso639-1: "},
		{"EL", Alpha2, "country as nuts-0: GR; nuts-region as nuts-0: GR; language as iso639-1: "},
		{"el", Lang2B, "language as iso639-1: gre; country as nuts-0: ; nuts-region as nuts-0: "},
		{"ell", Lang1, "language as iso639-2t+iso639-3+eu-language: el"},
		{"gre", Lang3, "language as iso639-2b: ell"},
		{"de", EULanguage, "language as iso639-1: " + Authority + "language/DEU; country as iso3166-1-alpha-2+nuts-0: ; nuts-region as nuts-0: "},
		{"he", EULanguage, "language as iso639-1: " + Authority + "language/HEB"},
		{"csv", EUFileType, "file-type as file-extension+eu-file-type: " + Authority + "file-type/CSV"},
		{"text/csv", Extension, "file-type as media-type: csv"},
		{"CC-BY-4.0", EULicence, "licence as spdx: " + Authority + "licence/CC_BY_4_0"},
		{"cc_by_4_0", SPDX, "licence as eu-licence: CC-BY-4.0"},
		{"AGPL-3.0-only", EULicence, "licence as spdx: " + Authority + "licence/AGPL_3_0"},
		{Authority + "licence/AGPL_3_0", SPDX, "licence as eu-licence: AGPL-3.0-only"},
		{"OWN", SPDX, ""},
		{"EL303", NUTSLevel, "nuts-region as nuts-3: 3"},
		{"EL303", "nuts-1", "nuts-region as nuts-3: EL3"},
		{"EL30", "nuts-3", "nuts-region as nuts-2: "},
		{"XY12", NUTSLevel, ""},
		{"", Alpha2, ""},
		{"nothing", Alpha2, ""},
	} {
		if got := say(c.identifier, c.notation); got != c.want {
			t.Errorf("%q in %s: %q, want %q", c.identifier, c.notation, got, c.want)
		}
	}
}

// TestBothDirections reads every code of every concept back: the concept is
// among its readings.
func TestBothDirections(t *testing.T) {
	n := 0
	for _, list := range [][]*Concept{countries(), languages(), fileTypes(), licences()} {
		for _, c := range list {
			for _, notation := range slices.Sorted(maps.Keys(c.Codes)) {
				for _, code := range c.Codes[notation] {
					n++
					if !slices.ContainsFunc(Read(code, nil), func(r Reading) bool { return r.Kind == c.Kind && slices.Contains(r.Codes[notation], code) }) {
						t.Errorf("%s %q does not lead back to %s", notation, code, c.Label)
					}
				}
			}
		}
	}
	if n < 3000 {
		t.Errorf("only %d codes", n)
	}
}

func TestRegions(t *testing.T) {
	c, listed, ok := region("de")
	if !ok || !listed || len(c.Codes["nuts-1"]) != 16 || c.Codes[Alpha2][0] != "DE" {
		t.Errorf("%v %t %t", c, listed, ok)
	}
	if r := Read("DE111", nil); len(r) != 1 || !r[0].ByForm || !r[0].Exact {
		t.Errorf("%+v", r)
	}
	for region := range regions() {
		if !slices.ContainsFunc(countries(), func(c *Concept) bool { return c.Codes[Alpha2][0] == isoCountry(region) }) {
			t.Errorf("region %s is of no country", region)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"GR", "text/csv", Authority, "EL3", "\xff", strings.Repeat("A", 5)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Read(s, nil) {
			if len(r.As) == 0 || len(r.Codes) == 0 || r.Label == "" {
				t.Errorf("%q: %+v", s, r)
			}
		}
	})
}
