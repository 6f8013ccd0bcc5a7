package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func TestFiles(t *testing.T) {
	b := builder()
	b.Files(FilePaths{List: "r[]", URL: "r[].url", Format: "r[].format"}, []File{
		{Title: "a\u200b", AccessURL: "https://a.gov/a.csv", DownloadURL: "https://a.gov/a.csv", Formats: []string{".CSV"}, Size: -1, Modified: "soon"},
		{AccessURL: " https://a.gov/b c", Formats: []string{"external resources"}, MediaType: "application/pdf", Size: 7, Modified: "2024-01-02"},
		{AccessURL: ""}, {AccessURL: "\u200b"}, {AccessURL: "Ministry"}, {DownloadURL: "https://a.gov/d.geojson"},
		{AccessURL: "https://a.gov/page", DownloadURL: "http://10.0.0.1/x.zip"},
		{Title: "a", AccessURL: "https://a.gov/a.csv", DownloadURL: "https://a.gov/a.csv", Formats: []string{"csv"}},
	})
	d := b.Done()
	list := d.Entry.Dataset.Distributions
	if len(list) != 4 || fmt.Sprint(d.Entry.Formats) != "[CSV GEOJSON PDF ZIP]" && fmt.Sprint(d.Entry.Formats) != "[CSV GEOJSON PDF]" {
		t.Fatalf("%d files, formats %v: %+v", len(list), d.Entry.Formats, list)
	}
	if list[0].ByteSize != 0 || !list[0].ModifiedAt.IsZero() || list[1].AccessURL != "https://a.gov/b%20c" || list[1].MediaType != "application/pdf" ||
		list[1].ModifiedAt.IsZero() || list[2].AccessURL != "https://a.gov/d.geojson" || list[3].DownloadURL != "" {
		t.Errorf("%+v", list)
	}
	notes := ""
	for _, r := range d.Rows {
		notes += r.Field + " " + r.UpstreamField + ": " + r.Note + "\n"
	}
	if !strings.Contains(notes, "3 of 8 files have no usable address") || !strings.Contains(notes, "one of two addresses of 1 files cannot be used") || !strings.Contains(notes, "addresses of 1 files were repaired") {
		t.Errorf("notes %s", notes)
	}
	many := builder()
	files := make([]File, filesMax+5)
	for i := range files {
		files[i].AccessURL = fmt.Sprintf("https://a.gov/%d", i)
	}
	many.Files(FilePaths{}, files)
	if n := len(many.Draft.Entry.Dataset.Distributions); n != filesMax {
		t.Errorf("%d files", n)
	}
}

func TestSpatial(t *testing.T) {
	for in, want := range map[string]string{
		"Ohio": "Ohio", "-88.2,42.1,-87.7,42.4": "-88.2,42.1,-87.7,42.4",
		`{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],[1,2]]]}`:                  "1,2,3,4",
		`{"type":"Feature","geometry":{"type":"Point","coordinates":[1.0000001,2,99]}}`: "1,2,1,2",
		`[-10,40,-9,41]`: "-10,40,-9,41", `{"bbox":[1,2,3,4]}`: "1,2,3,4",
		"POLYGON((2.5 51,3.3 51,3.3 51.5,2.5 51.5,2.5 51))": "2.5,51,3.3,51.5", "Multipolygon (((1 2, 3 2, 3 4, 1 2)))": "1,2,3,4", "POINT(4.35 50.85)": "4.35,50.85,4.35,50.85",
		"<http://www.opengis.net/def/crs/OGC/1.3/CRS84> POINT(4 50)": "4,50,4,50", "<http://www.opengis.net/def/crs/EPSG/0/4326> POINT(50 4)": "",
		"POLYGON((242156.5 2743340.8,242157 2743341,242156.5 2743340.8))": "", "POINT(1": "", "ENVELOPE(1, 2, 3, 4)": "", "POINT(1 2 3, x)": "",
		"Point Reyes (California)": "Point Reyes (California)", "Polygon of Kyiv": "Polygon of Kyiv",
		`{"type":"Point","coordinates":[242156.5,2743340.8]}`: "", `{"type":"Polygon"`: "", `{}`: "", "": "",
		strings.Repeat("x", 400): strings.Repeat("x", 297) + "…",
	} {
		b := builder()
		b.Spatial("spatial", in)
		got := ""
		if d := b.Draft.Entry.Dataset; d != nil {
			got = strings.Join(d.Spatial, "|")
		}
		if got != want {
			t.Errorf("%.60q: got %q, want %q", in, got, want)
		}
	}
	b := builder()
	b.Spatial("spatial", "a", "a", " b")
	if got := fmt.Sprint(b.Draft.Entry.Dataset.Spatial); got != "[a b]" {
		t.Errorf("got %s", got)
	}
}

func TestFacts(t *testing.T) {
	b := builder()
	b.Dates("issued", "2024-01-01", "modified", "2023-01-01")
	b.Frequency("f", "whenever")
	b.Licence("l", "", " ", "<p>Use it <b>freely</b></p>")
	b.Publisher("p", "Office\u200b", "not an address")
	b.Themes("t", "ENVI", "nothing", "Environment", "TRAN")
	b.HVD("h", "http://data.europa.eu/bna/c_ac64a52d")
	b.Identify("a.gov", "ckan", "id", " x\n")
	d := b.Done()
	e := d.Entry
	if d.Entry.Dataset != nil || e.LicenseRaw != "Use it freely" || d.PublisherName != "Office" || d.PublisherURL != "" ||
		fmt.Sprint(e.Themes, e.HVDCategories) != "[ENVI TRAN] [c_ac64a52d]" || e.UpstreamRef != "a.gov:ckan:x" {
		t.Errorf("%+v", e)
	}
	var order, refused bool
	for _, r := range d.Rows {
		order = order || r.Field == "source_modified_at" && strings.Contains(r.Note, "before the date of issue")
		refused = refused || r.Field == "dataset.frequency" && r.Basis == catalog.BasisNotDelivered
	}
	if !order || !refused {
		t.Errorf("rows %+v", d.Rows)
	}
	long := builder()
	if long.Identify("a.gov", "ckan", "id", strings.Repeat("x", catalog.URLMax)); long.Draft.Entry.UpstreamRef != "" {
		t.Error("an id that nobody can keep was kept")
	}
}

func TestPeriodOfABuilder(t *testing.T) {
	b := builder()
	var start, end time.Time
	if !b.Period(&start, &end, "dataset.temporal", "t", "2019/2020") || start.Year() != 2019 || end.Month() != 12 {
		t.Errorf("%v, %v", start, end)
	}
	if b.Period(&start, &end, "dataset.temporal", "t", "R/P1Y") || b.Period(&start, &end, "dataset.temporal", "t", "") {
		t.Error("a period that is none was taken")
	}
}

func TestContactOf(t *testing.T) {
	for _, c := range []struct{ name, page, mail, want string }{
		{"", "", "opendata@a.gov", "opendata@a.gov"}, {"Jane Doe", "", "jdoe@a.gov", ""}, {"Jane Doe", "", "jane.doe@a.gov", ""}, {"", "", "jane.doe@a.gov", ""},
		{"Jane Doe", "", "mailto:gis@a.gov", "gis@a.gov"}, {"Support API", "", "sirene@a.gov", "sirene@a.gov"}, {"廖泫銘", "", "veevee@gate.example.tw", ""},
		{"Jane Doe", "https://a.gov/contact", "jdoe@a.gov", "https://a.gov/contact"}, {"", "not an address", "", ""}, {"", "", "me@gmail.com", ""},
	} {
		b := builder()
		b.ContactOf("c", c.name, c.page, c.mail)
		got := ""
		if k := b.Draft.Entry.Contact; k != nil {
			got = k.Email + k.URL
			if k.Name != "" {
				t.Errorf("the name %q was kept", k.Name)
			}
		}
		if got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

func TestTestName(t *testing.T) {
	for name, want := range map[string]bool{"Test": true, "test dataset 2": true, "TEST - please ignore": true, "Jeu de données test": true, "asdf": true, "test_upload1": true,
		"Drug tests": false, "Covid-19 test results": false, "Dataset": false, "": false, "2020": false, "Testing centres": false} {
		if got := TestName(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestNextOffset(t *testing.T) {
	for _, c := range []struct {
		url            string
		records, total int
		want           string
	}{
		{"https://a.gov/x?start=0&rows=100", 100, 250, "https://a.gov/x?rows=100&start=100"},
		{"https://a.gov/x?start=0&rows=100", 10, 250, "https://a.gov/x?rows=100&start=10"},
		{"https://a.gov/x?start=200&rows=100", 50, 250, ""},
		{"https://a.gov/x?start=200&rows=100", 50, -1, "https://a.gov/x?rows=100&start=250"},
		{"https://a.gov/x?start=200&rows=100", 0, 250, ""},
		{"https://a.gov/x", 5, 6, "https://a.gov/x?start=5"},
		{"://", 5, 6, ""},
	} {
		if got := NextOffset(Page{URL: c.url, Records: c.records}, "start", c.total); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

func TestJSONFile(t *testing.T) {
	for name, want := range map[string]bool{"a.json": true, "x/A.JSONL.gz": true, "a.data.json@earlier": true, "a.ndjson": true, ".a.json": false, "a.txt": false, "json": false} {
		if got := JSONFile(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestFormatsStated(t *testing.T) {
	for _, c := range []struct {
		file        File
		list, media string
	}{
		{File{AccessURL: "https://a.gov/m.rar", Formats: []string{"img"}}, "IMG,RAR", ""},
		{File{AccessURL: "https://a.gov/a.tar.bz2", Formats: []string{"tar.bz2"}}, "TAR", ""},
		{File{AccessURL: "ftp://a.gov/t.csv"}, "CSV", ""},
		{File{AccessURL: "https://a.gov/t", Formats: []string{"WMTS"}}, "WMTS", ""},
		{File{AccessURL: "https://a.gov/t.csv", Formats: []string{"url"}}, "CSV", ""},
		{File{AccessURL: "https://a.gov/g.asc", Formats: []string{"ASC"}, MediaType: "application/pgp-keys"}, "GRID_ASCII", ""},
		{File{AccessURL: "https://a.gov/g.asc", MediaType: "application/pgp-keys"}, "GRID_ASCII", ""},
		{File{AccessURL: "https://a.gov/x/exports/fgb", DownloadURL: "https://a.gov/x/exports/fgb", Formats: []string{"BIN"}}, "FGB", ""},
		{File{DownloadURL: "https://a.gov/x/exports/jsonl", Formats: []string{"JAR"}}, "JSONL", ""},
		{File{DownloadURL: "https://a.gov/x.ttl", Formats: []string{"CSV"}}, "RDF_TURTLE", ""},
		{File{DownloadURL: "https://a.gov/x.zip", Formats: []string{"CSV"}}, "CSV", ""},
		{File{AccessURL: "https://a.gov/g.txt", Formats: []string{"TXT"}, MediaType: "text/plain"}, "TXT", "text/plain"},
	} {
		b := builder()
		b.Files(FilePaths{List: "l", URL: "u", Format: "f"}, []File{c.file})
		list := strings.Join(b.Draft.Entry.Formats, ",")
		if media := b.Draft.Entry.Dataset.Distributions[0].MediaType; list != c.list || media != c.media {
			t.Errorf("%+v: %s, %s", c.file, list, media)
		}
	}
}

// TestFilesOfFTP: what lies on a server of FTP is listed; of an address that only an intranet reaches nothing is.
func TestFilesOfFTP(t *testing.T) {
	in := &Input{}
	b := NewBuilder(in, "x:1", "", "")
	b.Files(FilePaths{List: "files", URL: "files[].url"}, []File{{DownloadURL: " FTP://reader:secret@files.example.gov/a b.csv"}, {AccessURL: "ftps://files.example.gov/c.zip"},
		{AccessURL: "ftp://intranet/c.zip"}, {AccessURL: "sftp://files.example.gov/d"}})
	var got []string
	for _, f := range b.Dataset().Distributions {
		got = append(got, f.AccessURL)
	}
	if want := []string{"ftp://files.example.gov/a%20b.csv", "ftps://files.example.gov/c.zip"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if first := WebFile(b.Dataset().Distributions); first != "" {
		t.Errorf("%s is no address of the web", first)
	}
}
