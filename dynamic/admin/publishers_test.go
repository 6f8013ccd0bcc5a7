package admin_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestPublisherDecisions: the decisions on the publishers of a source come in pages
// that the filters narrow, each once and in their order.
func TestPublisherDecisions(t *testing.T) {
	o := newBench(t)
	list := []catalog.PublisherDecision{
		{Publisher: "Statbel", IRI: "https://org.example/1", InstitutionID: catalog.NewID("institution", "s"), Key: "be-statbel", State: catalog.InstitutionKnown, Rule: "identifier", Records: 40},
		{Publisher: "Harbour", InstitutionID: catalog.NewID("institution", "p"), Key: "be-bosa", State: catalog.InstitutionKnown, Rule: "domain", Evidence: "Portal.example", Portal: true, Records: 30},
		{Publisher: "Town", InstitutionID: catalog.NewID("institution", "t"), Key: "town", State: catalog.InstitutionStated, Rule: "stated", Records: 20},
		{Publisher: "Jo", Records: 10},
	}
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		for _, key := range []string{"portal", "other"} {
			if err := tx.Sources().Put(ctx, catalog.Source{ID: catalog.NewID("source", key), Key: key, Kind: "ckan", Title: key}); err != nil {
				return err
			}
		}
		return tx.PublisherDecisions().Replace(ctx, catalog.NewID("source", "portal"), list)
	})
	for query, want := range map[string]string{"": "Statbel Harbour Town Jo", "state=known": "Statbel Harbour", "state=stated": "Town", "state=none": "Jo", "portal=true": "Harbour",
		"q=portal.EXAMPLE": "Harbour", "q=be-": "Statbel Harbour", "q=org.example": "Statbel", "q=nobody": "", "state=known&q=stat": "Statbel"} {
		var got []string
		records := 0
		at := "/sources/portal/publishers?limit=1&" + query
		for at != "" {
			page := decode[wire.DecisionsPage](o, o.want(200, "GET", at, ""))
			if page.Total != len(strings.Fields(want)) {
				t.Fatalf("%s: %+v", at, page)
			}
			for _, d := range page.Items {
				got, records = append(got, d.Publisher), records+d.Records
				if d.Portal != (d.Publisher == "Harbour") || (d.InstitutionID == nil) != (d.Publisher == "Jo") {
					t.Errorf("%+v", d)
				}
			}
			at = ""
			if page.Next != nil {
				at = strings.TrimPrefix(*page.Next, "/api/v1/admin")
			} else if page.Records != records {
				t.Errorf("%s: %d records, want %d", query, page.Records, records)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if page := decode[wire.DecisionsPage](o, o.want(200, "GET", "/sources/"+catalog.NewID("source", "other")+"/publishers", "")); page.Total != 0 || page.Items == nil {
		t.Errorf("%+v", page)
	}
	o.want(404, "GET", "/sources/nobody/publishers", "")
	o.want(422, "GET", "/sources/portal/publishers?state=wrong", "")
	o.want(400, "GET", "/sources/portal/publishers?cursor=x", "")
}
