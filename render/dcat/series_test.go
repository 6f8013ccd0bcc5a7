package dcat

import (
	"strings"
	"testing"
)

// TestSeries puts the members into their series, in both forms, and declares it once
// in each document that has one.
func TestSeries(t *testing.T) {
	r := New(Options{})
	c := freeze(t, r, fixture())
	if n := len(c.Series()); n != 1 {
		t.Fatalf("%d series", n)
	}
	docs := files(t, r, c)
	series := "<https://register.example/assay/series/" + c.Series()[0].ID + ">"
	for route, doc := range docs {
		if !strings.HasSuffix(route, ".ttl") {
			continue
		}
		members := strings.Count(doc, "dcat:inSeries "+series)
		if declared := strings.Count(doc, series+" a dcat:DatasetSeries"); members > 0 != (declared == 1) {
			t.Errorf("%s: %d members, declared %d times", route, members, declared)
		}
	}
	if n := strings.Count(docs["/api/v1/catalog/dcat.ttl"], "dcat:inSeries"); n != 3 {
		t.Errorf("the whole catalogue has %d members", n)
	}
	for _, ext := range []string{".ttl", ".jsonld"} {
		if doc := docs["/id/"+id(11)+ext]; strings.Count(doc, "inSeries") < 1 || strings.Count(doc, "DatasetSeries") != 1 {
			t.Errorf("%s: no series: %s", ext, doc)
		}
	}
}
