package frictionless_test

import (
	"cmp"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/frictionless"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/wire"
)

// TestHasCroissant: what a page leads to is there, and what is there is led to.
func TestHasCroissant(t *testing.T) {
	t.Parallel()
	with := 0
	for _, s := range rendertest.Scored() {
		// One of the files was sampled.
		if d := s.Entry().Dataset; d != nil && len(d.Distributions) > 0 {
			file := d.Distributions[len(d.Distributions)-1]
			s.Row.Profile = &catalog.Profile{EntryID: s.Entry().ID, Source: cmp.Or(file.DownloadURL, file.AccessURL), Fields: []catalog.ProfileField{{Name: "a", Type: "string"}}}
		}
		page, err := wire.EntryIn(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		made, err := frictionless.Croissant(page.Body, "https://r.example")
		if err != nil {
			t.Fatal(err)
		}
		if has := wire.HasCroissant(s); has != (made != nil) {
			t.Errorf("%s: %v, the document has %d bytes", s.Entry().Slug, has, len(made))
		}
		if made != nil {
			with++
		}
	}
	if with == 0 {
		t.Error("no entry of the fixture has Croissant")
	}
}
