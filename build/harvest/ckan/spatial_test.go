package ckan

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// TestExtrasOfSpatialHarvests reads what ckanext-spatial keeps of a record of ISO 19139 among the extras: the dates of the
// data, not those of the portal's record, the box, the contact and who may have it.
func TestExtrasOfSpatialHarvests(t *testing.T) {
	const p = `{"id":"5","name":"heath","title":"Heathland survey","metadata_created":"2024-01-02T00:00:00","metadata_modified":"2024-03-04T00:00:00","resources":[],"extras":[
		{"key":"access_constraints","value":"[\"public\"]"},
		{"key":"bbox-west-long","value":"-2.5"},{"key":"bbox-south-lat","value":"50.4"},{"key":"bbox-east-long","value":"-1.2"},{"key":"bbox-north-lat","value":"51.1"},
		{"key":"contact-email","value":"data@heath.example.gov"},{"key":"responsible-party","value":"Heathland Agency (pointOfContact)"},
		{"key":"dataset-reference-date","value":"[{\"type\":\"creation\",\"value\":\"1998-05-01\"},{\"type\":\"revision\",\"value\":\"2016-02-03\"},{\"type\":\"revision\",\"value\":\"2011-02-03\"}]"},
		{"key":"temporal_coverage-from","value":"[\"1996-06-01\"]"},{"key":"temporal_coverage-to","value":"[\"1997-09-30\"]"}]}`
	o := sourcetest.Run(t, Connector{}, feedtest.File("p.json", []byte(p), portal))
	e := &o.ByName(t, "Heathland survey").Entry
	if e.Contact == nil {
		t.Fatal("no contact")
	}
	day := func(at time.Time) string { return at.Format(time.DateOnly) }
	for _, c := range []struct{ field, got, want string }{
		{"issued", day(e.SourceIssuedAt), "1998-05-01"}, {"modified", day(e.SourceModifiedAt), "2016-02-03"},
		{"from", day(e.Dataset.TemporalStart), "1996-06-01"}, {"to", day(e.Dataset.TemporalEnd), "1997-09-30"},
		{"box", strings.Join(e.Dataset.Spatial, " "), "-2.5,50.4,-1.2,51.1"}, {"contact", e.Contact.Email, "data@heath.example.gov"},
		{"access", string(e.AccessRights), string(catalog.RightsPublic)},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
}

// TestFrequencyAndPublisherInWords reads the fields of portals that name them in their language, and those of ckanext-dcat before its version 1.
func TestFrequencyAndPublisherInWords(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"key":"Frecuencia de actualización","value":"Anual"},{"key":"dcat_publisher_name","value":"Secretaría de Salud"}`: {"ANNUAL", "Secretaría de Salud"},
		`{"key":"Opdateringsfrekvens","value":"Månedlig"},{"key":"publisher_name","value":"Aarhus Kommune"}`:                {"MONTHLY", "Aarhus Kommune"},
	} {
		o := sourcetest.Run(t, Connector{}, feedtest.File("p.json", []byte(`{"id":"1","name":"a","title":"A","resources":[],"extras":[`+body+`]}`), portal))
		if d := o.Drafts[0]; d.Entry.Dataset.Frequency != want[0] || d.PublisherName != want[1] {
			t.Errorf("%s: frequency %q, publisher %q", body, d.Entry.Dataset.Frequency, d.PublisherName)
		}
	}
}
