package arcgis

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

const directoryURL = "https://gis.example.gov/arcgis/rest/services"

var connector = Connector{DCATUS: datajson.Connector{}}

const feature = `{"currentVersion": 11.1, "serviceDescription": "", "description": "<p>All <b>wells</b>.</p>", "copyrightText": "CC BY 4.0, Water Office", "supportedQueryFormats": "JSON, geoJSON, PBF",
 "layers": [{"id": 0, "name": "Wells", "type": "Feature Layer"}, {"id": 3, "name": "Springs"}], "tables": [{"id": 7, "name": "Levels"}],
 "documentInfo": {"Title": "Wells and springs", "Author": "Anna Muster", "Keywords": "Water,Wells"}}`

// server answers for a directory with n further services.
func site(n int) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		if u.RawQuery != "f=json" {
			return ""
		}
		switch at := strings.TrimPrefix(u.Path, "/arcgis/rest/services"); {
		case at == "":
			return `{"currentVersion": 11.1, "folders": ["Water", "Secret"], "services": [{"name": "Base_map", "type": "MapServer"}, {"name": "Locator", "type": "GeocodeServer"}]}`
		case at == "/Water":
			services := []string{`{"name": "Water/wells", "type": "FeatureServer"}`, `{"name": "Water/wells", "type": "MapServer"}`, `{"name": "Water/private", "type": "MapServer"}`,
				`{"name": "Water/stopped", "type": "ImageServer"}`, `{"name": "Water/missing", "type": "ImageServer"}`}
			for i := range n {
				services = append(services, fmt.Sprintf(`{"name": "Water/more%03d", "type": "MapServer"}`, i))
			}
			return `{"folders": [], "services": [` + strings.Join(services, ",") + `]}`
		case at == "/Secret", at == "/Water/private/MapServer":
			return `{"error": {"code": 499, "message": "Token Required", "details": []}}`
		case at == "/Water/stopped/ImageServer":
			return `{"error": {"code": 500, "message": "Service not started"}}`
		case at == "/Water/missing/ImageServer":
			return ""
		case at == "/Water/wells/FeatureServer":
			return feature
		}
		return `{"mapName": "Layers", "supportedImageFormatTypes": "PNG32,PNG24,JPG", "layers": null}`
	}}
}

func TestServer(t *testing.T) {
	t.Parallel()
	s := site(0)
	o := sourcetest.Run(t, connector, s.Input(directoryURL+"/?f=html", nil))
	feedtest.CheckOutcome(t, o)
	d := o.ByName(t, "Wells and springs")
	e := &d.Entry
	var members []string
	for _, m := range e.Members {
		members = append(members, m.Name+"="+m.Title+"@"+m.URL[strings.LastIndexByte(m.URL, '/')+1:])
	}
	for _, c := range []struct{ field, got, want string }{
		{"type", string(e.Type), "API"}, {"format", e.API.SpecFormat, "arcgis-rest"}, {"endpoint", e.API.BaseURL, directoryURL + "/Water/wells/FeatureServer"},
		{"ping", e.API.PingURL, directoryURL + "/Water/wells/FeatureServer?f=json"}, {"ref", e.UpstreamRef, "gis.example.gov:arcgis:arcgis/rest/services/Water/wells/FeatureServer"},
		{"version", e.API.Version, "11.1"}, {"description", e.Description, "All wells."}, {"tags", fmt.Sprint(e.Tags), "[water wells]"},
		{"licence", e.LicenseRaw, "CC BY 4.0, Water Office"}, {"members", strings.Join(members, ","), "0=Wells@0,3=Springs@3,7=Levels@7"}, {"formats", fmt.Sprint(e.Formats), "[GEOJSON JSON]"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	if m := o.ByName(t, "Base map").Entry; fmt.Sprint(m.Formats) != "[JPEG PNG]" || o.ByName(t, "wells").Entry.UpstreamRef == e.UpstreamRef {
		t.Errorf("%+v", m)
	}
	want := map[source.Code]int{source.CodeNotData: 1, source.CodePrivate: 2, source.CodeUpstreamError: 1, source.CodeUnreadable: 1}
	if len(o.Drafts) != 3 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestServerInParts(t *testing.T) {
	t.Parallel()
	for at, drafts := range map[string]int{"/Water": 2, "/Water/wells/FeatureServer": 1} {
		s := site(0)
		if o := sourcetest.Run(t, connector, s.Input(directoryURL+at, nil)); len(o.Drafts) != drafts {
			t.Errorf("%s: %d drafts, asked %v", at, len(o.Drafts), s.Asked)
		}
	}
	s := site(50)
	whole := sourcetest.Run(t, connector, s.Input(directoryURL, nil))
	if len(whole.Drafts) != 53 || len(s.Marks) != 2 {
		t.Fatalf("%d drafts, marks %v", len(whole.Drafts), s.Marks)
	}
	again := site(50)
	in := again.Input(directoryURL, nil)
	in.Cursor = s.Marks[1]
	// 55 services are read in all, the 40 up to the mark not again.
	if o := sourcetest.Run(t, connector, in); len(again.Asked) != 3+56-40 {
		t.Errorf("%d drafts, asked %d", len(o.Drafts), len(again.Asked))
	}
}

// A Hub is read by its feed.
func TestHub(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"https://hub.example.gov", "https://hub.example.gov" + feedPath} {
		s := &feedtest.Site{Answer: func(string) string {
			return `{"conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "dataset": [{"@type": "dcat:Dataset", "identifier": "https://www.arcgis.com/home/item.html?id=1", "title": "Trees",
			"landingPage": "https://hub.example.gov/datasets/trees", "accessLevel": "public", "distribution": [{"@type": "dcat:Distribution", "format": "CSV", "downloadURL": "https://hub.example.gov/trees.csv"}]}]}`
		}}
		o := sourcetest.Run(t, connector, s.Input(at, nil))
		feedtest.CheckOutcome(t, o)
		if len(o.Drafts) != 1 || s.Asked[0] != "https://hub.example.gov"+feedPath || o.Drafts[0].Entry.Name != "Trees" || len(o.Drafts[0].Entry.Dataset.Distributions) != 1 {
			t.Errorf("%s: asked %v, %+v", at, s.Asked, o)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	sourcetest.Failures(t, connector, "a.json", `{"dataset": [{"title": "Trees", "identifier": "t", "landingPage": "https://hub.example.gov/trees", "accessLevel": "public"}]}`)
}

func FuzzArcGIS(f *testing.F) {
	f.Add(feature)
	f.Add(`{"layers": [{"id": {}}], "documentInfo": [], "folders": ["../x"], "services": [{"name": "a b", "type": "MapServer"}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		asked := 0
		s := &feedtest.Site{Answer: func(string) string {
			if asked++; asked > 30 {
				return ""
			}
			return body
		}}
		feedtest.CheckOutcome(t, sourcetest.Run(t, connector, s.Input(directoryURL, nil)))
		for _, at := range s.Asked {
			if !strings.HasPrefix(at, "https://gis.example.gov/") {
				t.Errorf("asked for %s", at)
			}
		}
	})
}
