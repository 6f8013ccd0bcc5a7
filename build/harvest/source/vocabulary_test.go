package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		in    []string
		want  string
		known bool
	}{
		{[]string{".pdf"}, "PDF", true},
		{[]string{"PC-Axis"}, "PX", true}, {[]string{"pc_axis"}, "PX", true}, {[]string{".px"}, "PX", true}, {[]string{"PC-Axis file"}, "PX", true},
		{[]string{"text/x-pcaxis"}, "PX", true}, {[]string{"https://a.example/t/01.px"}, "PX", true},
		{[]string{"http://publications.europa.eu/resource/authority/file-type/PC_AXIS"}, "PX", true},
		{[]string{"Microsoft Excel"}, "XLS", true},
		{[]string{"OGC WFS 2.0.0"}, "WFS_SRVC", true},
		{[]string{"INSPIRE Atom"}, "ATOM", true},
		{[]string{"zip (shp)"}, "SHP", true},
		{[]string{"CSV (zip)"}, "CSV", true},
		{[]string{"R data"}, "", false},
		{[]string{"PDF"}, "PDF", true},
		{[]string{".PDF"}, "PDF", true},
		{[]string{"application/pdf"}, "PDF", true},
		{[]string{"text/csv; charset=utf-8"}, "CSV", true},
		{[]string{"csv.gz"}, "CSV", true},
		{[]string{"tar.gz"}, "TAR_GZ", true},
		{[]string{"Zipped TXT"}, "TXT", true},
		{[]string{"text, csv,pdf"}, "TXT", true},
		{[]string{"CSV;XLS"}, "CSV", true},
		{[]string{"www"}, "HTML", true},
		{[]string{"page web"}, "HTML", true},
		{[]string{"Web Page"}, "HTML", true},
		{[]string{"一般網頁連結"}, "HTML", true},
		{[]string{"ArcGIS GeoServices REST API"}, "REST", true},
		{[]string{"application/vnd.rar"}, "RAR", true},
		{[]string{"application/vnd.geo+json"}, "GEOJSON", true},
		{[]string{"application/vnd.example+json"}, "JSON", true},
		{[]string{"WMS"}, "WMS_SRVC", true},
		{[]string{"ESRI Shapefile"}, "SHP", true},
		{[]string{"geotif"}, "GEOTIFF", true},
		{[]string{"JSON-LD"}, "JSON_LD", true},
		{[]string{"http://publications.europa.eu/resource/authority/file-type/RDF_TURTLE"}, "RDF_TURTLE", true},
		{[]string{"https://www.iana.org/assignments/media-types/text/csv"}, "CSV", true},
		{[]string{"https://a.gov/files/rates.XLSX?v=2"}, "XLSX", true},
		{[]string{"https://a.gov/files/rates.csv.gz"}, "CSV", true},
		{[]string{"https://a.gov/page.html"}, "", false},
		{[]string{"", "application/unknown", "https://a.gov/x.kmz"}, "KMZ", true},
		{[]string{"ZIP", "text/csv"}, "ZIP", true},
		{[]string{"external resources"}, "", false},
		{[]string{"external resources", "application/pdf"}, "PDF", true},
		{[]string{"url"}, "", false},
		{[]string{"API"}, "", false},
		{[]string{"application/octet-stream"}, "", false},
		{[]string{""}, "", false},
		{nil, "", false},
		{[]string{"ipynb"}, "IPYNB", false},
		{[]string{"WMTS"}, "WMTS", false},
		{[]string{"Some long words about a file"}, "", false},
	} {
		if got, known := Format(c.in...); got != c.want || known != c.known {
			t.Errorf("%q: got %q, %v; want %q, %v", c.in, got, known, c.want, c.known)
		}
	}
}

func TestMediaType(t *testing.T) {
	for in, want := range map[string]string{
		"text/csv": "text/csv", "Text/CSV; charset=UTF-8": "text/csv", "application/vnd.oasis.opendocument.spreadsheet": "application/vnd.oasis.opendocument.spreadsheet",
		"https://www.iana.org/assignments/media-types/application/json": "application/json", "http://www.iana.org/assignments/media-types/text/csv": "text/csv",
		"pdf/xls": "", "notareal/type": "", "application/unknown": "", "csv": "", "": "", "text/": "", "text/a b": "", "https://a.gov/text/csv": "",
	} {
		if got := MediaType(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestFrequency(t *testing.T) {
	for in, want := range map[string]string{
		"http://publications.europa.eu/resource/authority/frequency/ANNUAL": "ANNUAL", "MONTHLY_2": "MONTHLY_2", "http://purl.org/cld/freq/biweekly": "BIWEEKLY",
		"R/P1Y": "ANNUAL", "R/P3M": "QUARTERLY", "R/P0.5M": "MONTHLY_2", "R/PT1S": "UPDATE_CONT", "R/P12M": "ANNUAL", "R5/P7D": "WEEKLY", "R/P0.33W": "WEEKLY_3",
		"R/P3.5D": "WEEKLY_2", "P2Y": "BIENNIAL", "R/PT1H": "HOURLY", "R/P4M": "ANNUAL_3",
		"Annually": "ANNUAL", "asNeeded": "AS_NEEDED", "notPlanned": "NOT_PLANNED", "fortnightly": "BIWEEKLY", "semiannual": "ANNUAL_2", "threeTimesAYear": "ANNUAL_3",
		"раз на рік": "ANNUAL", "kartą per metus": "ANNUAL", "kord aastas": "ANNUAL", "reizi gadā": "ANNUAL", "연 1회": "ANNUAL", "in real-time": "CONT",
		"http://standards.iso.org/iso/19139/resources/gmxCodelists.xml#MD_MaintenanceFrequencyCode_annually": "ANNUAL",
		"mensuel": "MONTHLY", "Täglich": "DAILY", "jährlich": "ANNUAL", "unregelmäßig": "IRREG", "Trimestral": "QUARTERLY", "settimanale": "WEEKLY", "eventual": "AS_NEEDED",
		"punctual": "NEVER", "unknown": "UNKNOWN", "freq:DAILY": "DAILY", "Data are updated monthly.": "MONTHLY", "Static (not updated)": "NEVER", "Updated as needed": "AS_NEEDED",
		"Historical data": "NEVER",
	} {
		if got, ok := Frequency(in); got != want || !ok {
			t.Errorf("%q: got %q, %v; want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "R/P7Y", "whenever the moon is full", "R/P1X", "2020-01-01"} {
		if got, ok := Frequency(in); ok {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestThemeAndHVD(t *testing.T) {
	for in, want := range map[string]string{
		"http://publications.europa.eu/resource/authority/data-theme/ENVI": "ENVI", "TRAN": "TRAN", "health": "HEAL", "Verkehr": "TRAN",
		"Agriculture, fisheries, forestry and food": "AGRI",
	} {
		if got, ok := Theme(in); got != want || !ok {
			t.Errorf("%q: got %q, %v", in, got, ok)
		}
	}
	if got, ok := Theme("geospatial"); ok {
		t.Errorf("geospatial: got %q", got)
	}
	for _, in := range []string{"http://data.europa.eu/bna/c_ac64a52d", "c_ac64a52d", "Geospatial"} {
		if got, ok := HVD(in); got != "c_ac64a52d" || !ok {
			t.Errorf("%q: got %q, %v", in, got, ok)
		}
	}
	if got, ok := HVD("http://data.europa.eu/bna/c_nothing"); ok {
		t.Errorf("got %q", got)
	}
}

func TestLanguage(t *testing.T) {
	for in, want := range map[string]string{
		"http://publications.europa.eu/resource/authority/language/FRA": "fr", "SPA": "es", "fre": "fr", "ger": "de", "deu": "de", "EN_us": "en-US", "us-EN": "en-US",
		"en-Latn": "en", "zh-Hant-TW": "zh-Hant-TW", "en-t-fr": "en", "en-t-fr-t0-mtec": "en", "de-mtec": "de", "en-x-mtfrom-de": "en", "http://lexvo.org/id/iso639-3/eng": "en",
		"Deutsch": "de", "français": "fr", "gsw": "gsw", "iw": "he", "pt-br": "pt-BR",
	} {
		if got, ok := Language(in); got != want || !ok {
			t.Errorf("%q: got %q, %v; want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "e", "sp-US", "fixme", "und", "mul", "zxx", "x-default", "http://publications.europa.eu/resource/authority/language/OP_DATPRO", strings.Repeat("a-", 99)} {
		if got, ok := Language(in); ok {
			t.Errorf("%q: got %q", in, got)
		}
	}
	for in, want := range map[string]bool{"en-t-fr": true, "EN-T-FR-t0-mtec": true, "de-mtec": true, "en-x-mtfrom-de": true, "en": false, "pt-BR": false, "t-fr": false, "": false} {
		if got := MachineTranslated(in); got != want {
			t.Errorf("%q machine translated: %v", in, got)
		}
	}
}

func TestCountry(t *testing.T) {
	for in, want := range map[string]string{"fr": "FR", "FRA": "FR", "France": "FR", "http://publications.europa.eu/resource/authority/country/DEU": "DE",
		"1A0": "XK", "EUR": "EU", "Åland Islands": "AX", "united kingdom": "GB"} {
		if got, ok := Country(in); got != want || !ok {
			t.Errorf("%q: got %q, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "World", "Caribbean", "ZZ"} {
		if got, ok := Country(in); ok {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

// The tables must hold what is looked up in them.
func TestEachCodeFindsItself(t *testing.T) {
	for name, b := range map[string]*codebook{"file-type": fileTypes(), "frequency": frequencies(), "data-theme": themes(), "hvd": hvdCodes()} {
		for upper, code := range b.codes {
			if got, ok := b.find(code); got != code || !ok || upper != strings.ToUpper(code) {
				t.Errorf("%s: %s leads to %s", name, code, got)
			}
		}
		for alias, code := range b.names {
			if foldName(alias) != alias {
				t.Errorf("%s: alias %q of %s is not folded", name, alias, code)
			}
		}
	}
}

func FuzzVocabularies(f *testing.F) {
	for _, s := range []string{"csv.gz", "R/P1Y", "en-t-fr", "http://a/b#c", "text/csv;", "a:b", "P1Y2M3DT4H", "\xff", "zipped ", ".tar.gz", "://"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		code, known := Format(s)
		if known && fileTypes().codes[code] != code {
			t.Fatalf("Format(%q) = %q, which the table does not have", s, code)
		}
		if !utf8.ValidString(code) || len(code) > 32 {
			t.Fatalf("Format(%q) = %q", s, code)
		}
		if m := MediaType(s); m != "" && strings.Count(m, "/") != 1 {
			t.Fatalf("MediaType(%q) = %q", s, m)
		}
		if tag, ok := Language(s); ok {
			if again, ok := Language(tag); !ok || again != tag {
				t.Fatalf("Language(%q) = %q, then %q", s, tag, again)
			}
		}
		Frequency(s)
		Theme(s)
		HVD(s)
		Country(s)
		if start, end, err := ParsePeriod("p", s); err == nil && !start.IsZero() && !end.IsZero() && end.Before(start) {
			t.Fatalf("ParsePeriod(%q) = %v, %v", s, start, end)
		}
	})
}
