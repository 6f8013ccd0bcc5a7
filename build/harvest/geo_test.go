package harvest_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// TestOneRecordInTwoProfiles: a folder that holds a record both as ISO 19139
// and as ISO 19115-3 is one entry.
func TestOneRecordInTwoProfiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := fstest.MapFS{}
	for _, name := range []string{"dataset-19139.xml", "dataset-19115-3.xml", "others.xml"} {
		data, err := os.ReadFile("source/iso19115/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		folder[name] = &fstest.MapFile{Data: data}
	}
	in := source.Input{Name: "records", Files: folder, Source: w.official}
	in.Source.Kind = "iso"
	r, err := harvest.Run(w.ctx, w.st, harvest.Connectors()["iso"], in, harvest.Options{Now: w.now})
	if err != nil || r.Created != 2 || r.In != 8 {
		t.Fatalf("%v: %s", err, r.Summary())
	}
	entries := w.entries()
	names := map[string]catalog.EntryType{}
	for _, e := range entries {
		names[e.Name] = e.Type
	}
	if len(entries) != 2 || names["Grundwasserstände"] != catalog.TypeDataset || names["Groundwater features"] != catalog.TypeAPI {
		t.Errorf("%v", names)
	}
}
