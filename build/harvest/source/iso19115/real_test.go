package iso19115_test

import (
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/assay-register/assay/build/harvest/iso"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// TestReal reads 140 files of real catalogues: every record is a draft or a
// rejection, drafts keep the rules of the register, and the fields that many
// records state are found.
func TestReal(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(sourcetest.Shared(t, "data/iso/ch-iso-multilingual/iso-multilingual-records.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	in := feedtest.File("records.tar.gz", data, "https://geo.example.gov/")
	in.Source.Filters = map[string]string{iso.FilterPage: "https://geo.example.gov/records/{id}"}
	o := sourcetest.Run(t, iso.Connector{}, in)
	feedtest.CheckOutcome(t, o)
	// 26 are RDF and answers without records of ISO; one empty record states no
	// address, three no title.
	want := map[source.Code]int{source.CodeNoRecords: 26, source.CodeNotData: 9, source.CodeMissingName: 3, source.CodeMissingURL: 1}
	if len(o.Drafts) != 101 || !maps.Equal(o.Codes(), want) {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
	has, refs := map[string]int{}, map[string]int{}
	for i := range o.Drafts {
		d := &o.Drafts[i]
		refs[d.Entry.UpstreamRef]++
		for _, r := range d.Rows {
			if r.Basis == catalog.BasisPublisher {
				has[r.Field]++
			}
		}
	}
	for field, least := range map[string]int{"name": 100, "native_lang": 100, "description": 95, "publisher_name": 90, "tags": 91, "themes": 82, "license_raw": 67,
		"access_rights": 18, "dataset.spatial": 78, "api.spatial": 15, "dataset.temporal": 26, "dataset.frequency": 60, "dataset.distributions": 80, "identifiers": 17,
		"contact": 84, "relations": 20, "hvd_categories": 3, "source_issued_at": 76} {
		if has[field] < least {
			t.Errorf("%s: %d of 100 records, want %d", field, has[field], least)
		}
	}
	t.Log(fmt.Sprint(has), len(refs))
}
