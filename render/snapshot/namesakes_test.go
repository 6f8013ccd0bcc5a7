package snapshot_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// TestNamesakesAreToldApart: entries of one name, publisher and period get what else
// their records state and differ in, the first thing that does, and no more.
func TestNamesakesAreToldApart(t *testing.T) {
	t.Parallel()
	files := func(titles ...string) *catalog.DatasetDetails {
		d := &catalog.DatasetDetails{}
		for _, title := range titles {
			d.Distributions = append(d.Distributions, catalog.Distribution{Title: title})
		}
		return d
	}
	at := func(places ...string) *catalog.DatasetDetails { return &catalog.DatasetDetails{Spatial: places} }
	day := func(d int) time.Time { return time.Date(2024, 5, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name string
		list []catalog.Entry
		want []string
	}{
		{"places in words and codes", []catalog.Entry{{Dataset: at("Gent")}, {Dataset: at("http://data.europa.eu/nuts/code/BE211")}, {Dataset: at("https://sws.geonames.org/2802361/")}},
			[]string{"FPS · Gent", "FPS · BE211", "FPS"}},
		{"a box is no place", []catalog.Entry{{Dataset: at("51.1,2.3,51.9,4.0"), Formats: []string{"CSV"}}, {Dataset: at("50.1,2.3,51.9,4.0"), Formats: []string{"XML"}}},
			[]string{"FPS · CSV", "FPS · XML"}},
		{"years of the files", []catalog.Entry{{Dataset: files("Subsidies 2021", "Contracts 2021")}, {Dataset: files("Subsidies 2018-2020")}, {Dataset: files("2001", "2002")}},
			[]string{"FPS · 2021", "FPS · 2018–2020", "FPS"}},
		{"protocols", []catalog.Entry{{API: &catalog.APIDetails{SpecFormat: "ogc-wms"}}, {API: &catalog.APIDetails{SpecFormat: "ogc-wfs"}}}, []string{"FPS · WMS", "FPS · WFS"}},
		{"where they are listed", []catalog.Entry{{PrimarySourceURL: "https://a.example/1"}, {PrimarySourceURL: "https://b.example/1"}}, []string{"FPS · a.example", "FPS · b.example"}},
		{"one of two things after the other", []catalog.Entry{{PrimarySourceURL: "https://a.example/1", SourceIssuedAt: day(1)}, {PrimarySourceURL: "https://a.example/2", SourceIssuedAt: day(2)}, {PrimarySourceURL: "https://b.example/1"}},
			[]string{"FPS · a.example · issued 2024-05-01", "FPS · a.example · issued 2024-05-02", "FPS · b.example"}},
		{"nothing but the number", []catalog.Entry{{UpstreamRef: "h:dataset:https://a.example/item?id=16bea48b53f74773a71d9b9687c7b737&layer=8"}, {UpstreamRef: "h:dataset:https://a.example/item?id=febacece655d466fb1c9b6e37063747e&layer=8"}},
			[]string{"FPS · 16bea48b", "FPS · febacece"}},
		{"nothing at all", []catalog.Entry{{}, {}}, []string{"FPS", "FPS"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := snapshot.NewFrame(rendertest.Site, rendertest.At, nil, nil, nil)
			var list []*catalog.Entry
			for i := range c.list {
				e := &c.list[i]
				e.ID, e.Type, e.PublisherName = fmt.Sprint("id", i), catalog.TypeDataset, "FPS"
				f.SawName(e.Type, "same")
				list = append(list, e)
			}
			if key := snapshot.KeyOfName("same"); !f.Repeated(key) {
				t.Fatal("the name is not known as repeated")
			} else {
				f.TellApart(key, list)
			}
			for i, want := range c.want {
				if got := f.Score(&catalog.Row{Entry: c.list[i]}, "same").Qualifier; got != want {
					t.Errorf("%d: %q, want %q", i, got, want)
				}
			}
		})
	}
}
