package source

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func builder() *Builder {
	return NewBuilder(&Input{Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, "p", "https://a.gov/x", "")
}

func basis(b *Builder, field string) catalog.Basis {
	for _, r := range b.Draft.Rows {
		if r.Field == field {
			return r.Basis
		}
	}
	return ""
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name, declared     string
		texts              []Text
		want, en, lang     string
		nameBasis, enBasis catalog.Basis
		langBasis          catalog.Basis
	}{
		{"untagged", "", []Text{{"Rates", ""}}, "Rates", "", "", catalog.BasisPublisher, "", ""},
		{"untagged, declared", "fr", []Text{{"Taux", ""}}, "Taux", "", "fr", catalog.BasisPublisher, "", catalog.BasisInherited},
		{"untagged, script decides", "en", []Text{{"Τιμές", ""}}, "Τιμές", "", "el", catalog.BasisPublisher, "", catalog.BasisComputed},
		{"han alone decides nothing", "", []Text{{"日治時期臺灣行政區域沿革", ""}}, "日治時期臺灣行政區域沿革", "", "", catalog.BasisPublisher, "", ""},
		{"kana decides", "", []Text{{"東京都の統計データ", ""}}, "東京都の統計データ", "", "ja", catalog.BasisPublisher, "", catalog.BasisComputed},
		{"english only", "", []Text{{"Rates", "en"}}, "Rates", "", "en", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"original before english", "", []Text{{"Rates", "en"}, {"Taux", "fr"}}, "Taux", "Rates", "fr", catalog.BasisPublisher, catalog.BasisPublisher, catalog.BasisPublisher},
		{"declared wins", "de", []Text{{"Taux", "fr"}, {"Sätze", "DEU"}, {"Rates", "en"}}, "Sätze", "Rates", "de", catalog.BasisPublisher, catalog.BasisPublisher, catalog.BasisPublisher},
		{"declared english", "en", []Text{{"Taux", "fr"}, {"Rates", "en-GB"}}, "Rates", "", "en-GB", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"machine english", "", []Text{{"Rates", "en-t-fr"}, {"Taux", "fr"}}, "Taux", "Rates", "fr", catalog.BasisPublisher, catalog.BasisTranslated, catalog.BasisPublisher},
		{"human english before machine", "", []Text{{"Rate", "en-t-fr"}, {"Taux", "fr"}, {"Rates", "en"}}, "Taux", "Rates", "fr", catalog.BasisPublisher, catalog.BasisPublisher, catalog.BasisPublisher},
		{"machine never the original", "", []Text{{"Tarieven", "nl-t-fr"}, {"Rates", "en"}}, "Rates", "", "en", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"machine only", "", []Text{{"Rates", "en-t-fr-t0-mtec"}}, "Rates", "", "", catalog.BasisTranslated, "", ""},
		{"fixme", "", []Text{{"Taux", "fixme"}}, "Taux", "", "", catalog.BasisPublisher, "", ""},
		{"untagged before english", "", []Text{{"Data", "en"}, {"Données", ""}}, "Données", "Data", "", catalog.BasisPublisher, catalog.BasisPublisher, ""},
		{"the untagged text says which is the main one", "", []Text{{"Taux", "fr"}, {"Rates", "en"}, {"Rates", ""}}, "Rates", "", "en", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"same text twice", "", []Text{{"Data", "en"}, {"Data", "fr"}}, "Data", "", "fr", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"untagged, declared, but given under another tag", "en", []Text{{"Gegevens", ""}, {"Données", "fr"}, {"Gegevens", "nl"}}, "Gegevens", "", "nl", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"untagged, given under other tags and the declared one", "en", []Text{{"Data", ""}, {"Data", "nl"}, {"Data", "en"}}, "Data", "", "en", catalog.BasisPublisher, "", catalog.BasisInherited},
		{"empty and invisible", "", []Text{{"\u200b", "fr"}, {"  ", "de"}, {"A\u200bb", "en"}}, "Ab", "", "en", catalog.BasisPublisher, "", catalog.BasisPublisher},
		{"nothing", "fr", nil, "", "", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := builder()
			b.DefaultLang = c.declared
			b.Names("title", c.texts...)
			e := b.Done().Entry
			if e.Name != c.want || e.NameEn != c.en || e.NativeLang != c.lang {
				t.Errorf("got %q, en %q, %q; want %q, en %q, %q", e.Name, e.NameEn, e.NativeLang, c.want, c.en, c.lang)
			}
			if basis(b, "name") != c.nameBasis || basis(b, "name_en") != c.enBasis || basis(b, "native_lang") != c.langBasis {
				t.Errorf("bases %q, %q, %q", basis(b, "name"), basis(b, "name_en"), basis(b, "native_lang"))
			}
		})
	}
}

func TestDescriptionsFollowTheNamesLanguage(t *testing.T) {
	b := builder()
	b.Names("title", Text{"Taux", "fr"})
	b.Descriptions("notes", Text{"<p>Sätze &amp; Zahlen</p>", "de"}, Text{"**Taux** [ici](https://a.gov)", "fr"}, Text{"a\u2028b\u0080", "en"})
	e := b.Done().Entry
	if e.Description != "Taux ici" || e.DescriptionEn != "a\nb" {
		t.Errorf("got %q, %q", e.Description, e.DescriptionEn)
	}
}

func TestDescriptionsBecomePlain(t *testing.T) {
	for in, want := range map[string]string{
		"one\ntwo":                              "one\ntwo",
		"<p>a<br>b</p><script>x</script>":       "a\nb",
		"1 < 2 & 3 > 2":                         "1 < 2 & 3 > 2",
		"&Eacute;tat":                           "État",
		"# Title\n\ntext":                       "Title\n\ntext",
		"See [here](http://a.gov) and **this**": "See here and this",
		"a\u200bb \u00a0c\x07":                  "ab \u00a0c",
		"C1\u0080 text":                         "C1 text",
		"line\u2028separator":                   "line\nseparator",
		"snake_case_name * 2":                   "snake_case_name * 2",
	} {
		b := builder()
		b.Descriptions("d", Text{in, ""})
		if got := b.Draft.Entry.Description; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	b := builder()
	b.Descriptions("d", Text{strings.Repeat("word ", catalog.DescriptionMax), ""})
	if n := len(b.Draft.Entry.Description); n > catalog.DescriptionMax || b.Draft.Repaired != 1 {
		t.Errorf("%d bytes, %d repairs", n, b.Draft.Repaired)
	}
}

func TestParsePeriod(t *testing.T) {
	for in, want := range map[string]string{
		"2010-01-01/2010-12-31":                     "2010-01-01 2010-12-31",
		"2000-01-15T00:45:00Z/2010-01-15T00:06:00Z": "2000-01-15 2010-01-15",
		"1980/2013":         "1980-01-01 2013-12-31",
		"1624/1662":         "1624-01-01 1662-12-31",
		"2010-02/2010-02":   "2010-02-01 2010-02-28",
		"2015":              "2015-01-01 2015-12-31",
		"2001-2005":         "2001-01-01 2005-12-31",
		"2015-01-01/P1Y":    "2015-01-01 2016-01-01",
		"P1M/2015-03-01":    "2015-02-01 2015-03-01",
		"2015-01-01/..":     "2015-01-01 0001-01-01",
		"/2015-06-01":       "0001-01-01 2015-06-01",
		"2015-01 / 2015-02": "2015-01-01 2015-02-28",
	} {
		start, end, err := ParsePeriod("temporal", in)
		if got := start.Format(time.DateOnly) + " " + end.Format(time.DateOnly); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", in, got, err, want)
		}
	}
	for in, why := range map[string]string{"": "one date", "/": "one date", "R/P1Y": "repeating interval", "2015/2010": "ends before", "soon/later": "YYYY-MM-DD", "../..": "one date"} {
		if _, _, err := ParsePeriod("temporal", in); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: got %v, want %q", in, err, why)
		}
	}
}

func TestParseMoreDates(t *testing.T) {
	for in, want := range map[string]string{
		"Mon, 02 Jan 2006 15:04:05 GMT": "2006-01-02T15:04:05Z", "Mon, 02 Jan 2006 15:04:05 +0100": "2006-01-02T14:04:05Z",
		"2020-08-24T10:00:00+0200": "2020-08-24T08:00:00Z", "2020-08-24 10:00:00+02:00": "2020-08-24T08:00:00Z", "24.08.2020": "2020-08-24T00:00:00Z",
		"24.08.2020 10:30": "2020-08-24T10:30:00Z", "2020/08/24": "2020-08-24T00:00:00Z", "2017-04-14T16:57:33.000Z": "2017-04-14T16:57:33Z",
		"2020-08-24 10:00:00 +0000": "2020-08-24T10:00:00Z",
	} {
		got, _, err := ParseDate("f", in)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %v, %v; want %s", in, got, err, want)
		}
	}
	if _, _, err := ParseDate("modified", "R/P1M"); err == nil || !strings.Contains(err.Error(), "repeating interval") {
		t.Errorf("got %v", err)
	}
}
