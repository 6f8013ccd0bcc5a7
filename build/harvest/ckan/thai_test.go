package ckan

import (
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestThaiStandard reads the fields of Thailand's standard, at the package and among the extras of an aggregator.
func TestThaiStandard(t *testing.T) {
	data := []byte(`{"id": "a", "name": "a", "title": "ปริมาณน้ำฝน", "data_category": "ข้อมูลสาธารณะ", "update_frequency_unit": "เดือน", "update_frequency_interval": "1", "data_language": ["ไทย", "อังกฤษ"],
 "created_date": "2561-03-01", "last_updated_date": "2024-02-29", "first_year_of_data": "2560", "last_year_of_data": "2566", "metadata_created": "2020-01-01", "metadata_modified": "2025-01-01",
 "west_bound_longitude": "97.3", "east_bound_longitude": "105.6", "north_bound_longitude": "20.5", "south_bound_longitude": "5.6", "resources": [{"url": "https://a.example/r.csv", "resource_last_updated_date": "2567-02-01"}]}
{"id": "b", "name": "b", "title": "ทะเบียนราษฎร", "extras": [{"key": "data_category", "value": "ข้อมูลส่วนบุคคล"}, {"key": "update_frequency_unit", "value": "ปี"}, {"key": "update_frequency_interval", "value": "4"}, {"key": "data_language", "value": "[\"ไทย\"]"}]}
{"id": "c", "name": "c", "title": "แผนที่", "update_frequency_unit": "ไม่มีการปรับปรุงหลังจากการจัดเก็บข้อมูล", "update_frequency_interval": "0", "west_bound_longitude": "-"}`)
	o := sourcetest.Run(t, Connector{}, feedtest.File("packages.jsonl", data, "https://packages.example/"))
	type facts struct{ access, frequency, issued, modified, from, to, file string }
	for name, want := range map[string]facts{
		"ปริมาณน้ำฝน":  {"PUBLIC", "MONTHLY", "2018-03-01", "2024-02-29", "2017-01-01", "2023-12-31", "2024-02-01"},
		"ทะเบียนราษฎร": {access: "NON_PUBLIC"},
		"แผนที่":       {frequency: "NEVER"},
	} {
		e := o.ByName(t, name).Entry
		day := func(at time.Time) string {
			if at.IsZero() {
				return ""
			}
			return at.Format(time.DateOnly)
		}
		got := facts{access: string(e.AccessRights), frequency: e.Dataset.Frequency, issued: day(e.SourceIssuedAt), modified: day(e.SourceModifiedAt), from: day(e.Dataset.TemporalStart), to: day(e.Dataset.TemporalEnd)}
		for _, f := range e.Dataset.Distributions {
			got.file = day(f.ModifiedAt)
		}
		if got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
	if e := o.ByName(t, "ปริมาณน้ำฝน").Entry; !slices.Equal(e.Languages, []string{"th", "en"}) || !slices.Equal(e.Dataset.Spatial, []string{"97.3,5.6,105.6,20.5"}) {
		t.Errorf("languages %q, places %q", e.Languages, e.Dataset.Spatial)
	}
	// Whether 4 is the times in a year or the years between two times, nobody can tell.
	ambiguous := o.ByName(t, "ทะเบียนราษฎร")
	if note := feedtest.Note(ambiguous, "dataset.frequency"); note == "" {
		t.Error("it is not told that the frequency cannot be read")
	}
}
