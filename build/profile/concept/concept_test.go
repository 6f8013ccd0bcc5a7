package concept

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/codelist"
)

func TestValid(t *testing.T) {
	for _, c := range []struct {
		id   string
		good []string
		bad  []string
	}{
		{LEI, []string{"5493001KJTIIGC8Y1R12", "529900T8BM49AURSDO55", "7LTWFZYICNSX8D621K86"}, []string{"5493001KJTIIGC8Y1R13", "5493001kjtiigc8y1r12", ""}},
		{ISIN, []string{"US0378331005", "DE000BAY0017", "FR0000120271", "GB0002634946"}, []string{"US0378331006", "US037833100", "0378331005US"}},
		{ORCID, []string{"0000-0002-1825-0097", "https://orcid.org/0000-0002-1694-233X"}, []string{"0000-0002-1825-0098", "0000000218250097"}},
		{DOI, []string{"10.1000/182", "https://doi.org/10.5281/zenodo.1234"}, []string{"10.1/x", "11.1000/182"}},
		{EAN, []string{"4006381333931", "73513537", "036000291452"}, []string{"4006381333932", "0000000000000", "123"}},
		{SIREN, []string{"732829320", "732 829 320", "356000000"}, []string{"732829321", "000000000"}},
		{SIRET, []string{"73282932000074", "35600000049837", "35600000000048"}, []string{"73282932000075", "35600000049838"}},
		{CPV, []string{"45233120-6", "79952100-3", "30197630-1", "03111000-2", "72000000-5", "45233120"}, []string{"45233120-7", "99000000-1", "4523312-6"}},
		{VAT, []string{"ATU13585627", "BE0428759497", "DE136695976", "DK13585628", "EE100931558", "EL094259216", "FI20774740", "FR40303265045", "HR33392005961",
			"HU12892312", "IT00743110157", "LU15027442", "MT11679112", "NL004495445B01", "PL8567346215", "PT501964843", "RO18547290", "SE123456789701", "SI50223054", "SK2022749619"},
			[]string{"ATU13585628", "BE0428759498", "DE136695975", "EL094259217", "FR41303265045", "IT00743110158", "PL8567346216", "PT501964842", "XX123456789", "DE", "GR094259216"}},
		{Alpha2, []string{"GR", "DE"}, []string{"EL", "XX", "gr"}},
		{Alpha3, []string{"GRC"}, []string{"ELL"}},
		{Numeric, []string{"300", "008"}, []string{"999", "8"}},
		{Language, []string{"el", "de"}, []string{"EL", "xx"}},
		{Currency, []string{"EUR", "BGN"}, []string{"EURO", "eur"}},
		{NUTS, []string{"EL", "EL3", "EL30", "EL303", "DEG0P", "UKI"}, []string{"GR30", "DEX", "EL3030"}},
		{NACE, []string{"A", "01", "01.11", "C10", "C10.1", "4520"}, []string{"00", "W", "44", "AA"}},
		{LAU, []string{"AT_10101", "09162000"}, []string{"Wien", "x y"}},
		{GeoPoint, []string{"48.85, 2.35", "POINT(23.7 37.9)", "Point (23 37)", "-33.9,151.2"}, []string{"48, 2", "95.1, 2.5", "POINT(23 97.5)", "1.5"}},
	} {
		for _, v := range c.good {
			if !Valid(c.id, v) {
				t.Errorf("%s: %q fails", c.id, v)
			}
		}
		for _, v := range c.bad {
			if Valid(c.id, v) {
				t.Errorf("%s: %q passes", c.id, v)
			}
		}
	}
	if Valid("nothing", "x") {
		t.Error("an unknown scheme passes")
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name, values, want string
	}{
		{"country", "GR DE FR", Alpha2},
		{"COUNTRY_CODE", "GRC DEU FRA", Alpha3},
		{"x", "GR DE FR", ""},
		{"x", "GR DE FR IT ES", Alpha2},
		{"country", "Greece Germany", ""},
		{"lang", "de en", Language},
		{"Währung", "EUR USD", Currency},
		{"geo", "EL30 EL41 EL52", NUTS},
		{"geo", "EL UK DE", NUTS},
		{"code", "5493001KJTIIGC8Y1R12", LEI},
		{"code", "732829320 552100554", ""},
		{"siren", "732829320", SIREN},
		{"id", "75056001 75056002 69123003 13055004 31555005", ""},
		{"id", "45233120-6 79952100-3", CPV},
		{"cpv", "45233120", CPV},
		{"siren", "732829320 123", ""},
		{"amount", "4006381333931 123", ""},
		{"nace", "A B C", NACE},
		{"section", "A B C", ""},
		{"value", "", ""},
	} {
		if got := Match(c.name, strings.Fields(c.values)); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.name, c.values, got, c.want)
		}
	}
}

// TestOneInTwentyMayFail: a typing error does not unlink a column, more do.
func TestOneInTwentyMayFail(t *testing.T) {
	column := func(bad int) []string {
		var out []string
		for n := 0; len(out) < 40-bad; n++ {
			for d := range 10 {
				if v := fmt.Sprintf("40063813%04d%d", n, d); validEAN(v) {
					out = append(out, v)
				}
			}
		}
		for i := range bad {
			out = append(out, fmt.Sprint("wrong", i))
		}
		return out
	}
	for bad, want := range map[int]string{0: EAN, 2: EAN, 3: ""} {
		if got := Match("ean", column(bad)); got != want {
			t.Errorf("%d of 40 wrong: %q, want %q", bad, got, want)
		}
	}
}

func TestAxisOf(t *testing.T) {
	for name, want := range map[string]Axis{"lat": Latitude, "geo_lat": Latitude, "Longitude": Longitude, "lng": Longitude, "γεωγραφικό πλάτος": Latitude, "plate": "", "flat": ""} {
		if got := AxisOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestTables: every line of a code list has a code of its form and a source,
// in order and once.
func TestTables(t *testing.T) {
	for file, least := range map[string]int{"currencies.tsv": 160, "languages.tsv": 180, "nuts.tsv": 130, "nace.tsv": 100} {
		folder := tables
		if file == "nuts.tsv" {
			folder = codelist.Files
		}
		text, err := folder.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if lines[0] != "code\tsource" || len(lines) < least {
			t.Errorf("%s: header %q, %d lines", file, lines[0], len(lines))
		}
		seen := map[string]bool{}
		for i, line := range lines[1:] {
			code, source, ok := strings.Cut(line, "\t")
			if !ok || code == "" || source == "" || seen[code] {
				t.Errorf("%s:%d: %q", file, i+2, line)
			}
			seen[code] = true
		}
	}
}
