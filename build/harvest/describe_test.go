package harvest_test

import (
	"io"
	"strings"
	"testing"

	"context"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
)

// TestFilesSayWhichCatalogue: each format says in its own place which catalogue a
// file is of, or does not say it.
func TestFilesSayWhichCatalogue(t *testing.T) {
	t.Parallel()
	const turtle = "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
	for _, c := range []struct {
		name, kind, text string
		want             source.Catalogue
	}{
		{"dcat", "dcat", turtle + "<https://a.example/catalog> a dcat:Catalog ; dct:title \"All\" .", source.Catalogue{IRI: "https://a.example/catalog", Title: "All"}},
		{"dcat, one within the other", "dcat", turtle + "<https://a.example/x> a dcat:Catalog ; dcat:catalog <https://a.example/b> . <https://a.example/b> a dcat:Catalog .",
			source.Catalogue{IRI: "https://a.example/x"}},
		{"dcat, two", "dcat", turtle + "<https://a.example/x> a dcat:Catalog . <https://a.example/b> a dcat:Catalog .", source.Catalogue{}},
		{"dcat, blank", "dcat", turtle + "[] a dcat:Catalog ; dct:title \"All\" ; dct:publisher [ a foaf:Agent ; foaf:name \"Water Board\" ] .",
			source.Catalogue{Publisher: "Water Board", Title: "All"}},
		{"dcat, skolem", "dcat", turtle + "<https://a.example/.well-known/genid/1> a dcat:Catalog ; dct:publisher <https://org.example/1> . <https://org.example/1> foaf:name \"Water\" .",
			source.Catalogue{Publisher: "https://org.example/1"}},
		{"dcat, none", "dcat", turtle + "<https://a.example/x> a dcat:Dataset .", source.Catalogue{}},
		{"dcat, broken", "dcat", "<html><body>no", source.Catalogue{}},
		{"data.json", "datajson", `{"@type":"dcat:Catalog","dataset":[{"title":"x"}],"@id":"https://a.example/data.json"}`, source.Catalogue{IRI: "https://a.example/data.json"}},
		{"data.json with a home page", "datajson", `{"title":"Datos","homepage":"http://datos.example/","publisher":{"name":"Water"},"dataset":[]}`,
			source.Catalogue{IRI: "http://datos.example/", Publisher: "Water", Title: "Datos"}},
		{"data.json without", "datajson", `{"@id":"data.json","dataset":[]}`, source.Catalogue{}},
		{"ckan", "ckan", `{"help":"https://data.example/portal/api/3/action/help_show?name=package_search","result":{"results":[{"id":"1"}]}}`, source.Catalogue{IRI: "https://data.example/portal"}},
		{"ckan, lines", "ckan", "{\"id\":\"1\"}\n{\"id\":\"2\"}\n", source.Catalogue{}},
		{"ods", "ods", `{"links":[{"rel":"self","href":"https://o.example/api/v2/catalog/datasets?rows=1"}],"datasets":[]}`, source.Catalogue{IRI: "https://o.example"}},
		{"udata", "udata", `{"data":[{"id":"1","page":"https://u.example/datasets/1"},{"id":"2","page":"https://u.example/datasets/2"}]}`, source.Catalogue{IRI: "https://u.example"}},
		{"udata of two portals", "udata", `{"data":[{"id":"1","page":"https://u.example/datasets/1"},{"id":"2","page":"https://v.example/datasets/2"}]}`, source.Catalogue{}},
		{"socrata", "socrata", `{"results":[{"resource":{"id":"a"},"metadata":{"domain":"Data.Town.example"}}]}`, source.Catalogue{IRI: "https://data.town.example/"}},
		{"socrata, not all say it", "socrata", `{"results":[{"resource":{"id":"a"},"metadata":{"domain":"a.example"}},{"resource":{"id":"b"}}]}`, source.Catalogue{}},
		{"ogc records", "ogc-records", `{"type":"FeatureCollection","features":[],"links":[{"rel":"self","type":"application/geo+json","href":"https://r.example/collections/main/items?limit=10"}]}`,
			source.Catalogue{IRI: "https://r.example/collections/main/items"}},
		{"oai", "oai-pmh", `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><request verb="ListRecords">https://oai.example/oai</request><ListRecords/></OAI-PMH>`,
			source.Catalogue{IRI: "https://oai.example/oai"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := source.Input{Name: "file", Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.text)), nil }}
			got, err := harvest.Connectors()[c.kind].(source.Describer).Catalogue(t.Context(), in)
			if err != nil || got != c.want {
				t.Errorf("%+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}
