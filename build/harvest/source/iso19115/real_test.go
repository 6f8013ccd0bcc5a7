package iso19115_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest/iso"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestReal reads 140 files of real catalogues: every record is a draft or a
// rejection, and drafts keep the rules of the register.
func TestReal(t *testing.T) {
	path := sourcetest.Shared(t, "data/iso/ch-iso-multilingual/iso-multilingual-records.tar.gz")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := feedtest.File("records.tar.gz", data, "https://geo.example.gov/")
	in.Source.Filters = map[string]string{"page": "https://geo.example.gov/records/{id}"}
	o := sourcetest.Run(t, iso.Connector{}, in)
	feedtest.CheckOutcome(t, o)
	fields := map[string]int{}
	for i := range o.Drafts {
		for _, r := range o.Drafts[i].Rows {
			fields[r.Field+" "+string(r.Basis)]++
		}
	}
	t.Logf("%d drafts, %v", len(o.Drafts), o.Codes())
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		t.Log(fields[f], f)
	}
	if os.Getenv("DUMP") != "" {
		for _, r := range o.Rejections {
			fmt.Println("REJ", r.Place, r.Code, r.Reason)
		}
		for i := range o.Drafts {
			d := &o.Drafts[i]
			e := &d.Entry
			fmt.Printf("%s\n   %s|%s|%s|%s\n   ref=%s url=%s\n   pub=%q lic=%q rights=%s tags=%d themes=%v hvd=%v formats=%v ids=%v contact=%v\n", d.Place, e.Type, e.Name, e.NameEn, e.NativeLang, e.UpstreamRef, e.PrimarySourceURL,
				d.PublisherName, e.LicenseRaw, e.AccessRights, len(e.Tags), e.Themes, e.HVDCategories, e.Formats, e.Identifiers, e.Contact)
			if e.Dataset != nil {
				fmt.Printf("   freq=%s spatial=%v temporal=%v %v\n", e.Dataset.Frequency, e.Dataset.Spatial, e.Dataset.TemporalStart, e.Dataset.TemporalEnd)
				for _, x := range e.Dataset.Distributions {
					fmt.Printf("      dist %q %s a=%s d=%s\n", x.Title, x.Format, x.AccessURL, x.DownloadURL)
				}
			}
			if e.API != nil {
				fmt.Printf("   api %+v rel=%v\n", *e.API, e.Relations)
			}
			for _, r := range d.Rows {
				if r.Basis == "not_delivered" || r.Basis == "NOT_DELIVERED" {
					fmt.Println("   !", r.Field, r.UpstreamField, r.Note)
				}
			}
		}
	}
	_ = source.Draft{}
}
