package harvest_test

import (
	"fmt"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
)

func TestThirtyAPIsShareOneURL(t *testing.T) {
	w := newWorld(t)
	var list []source.Draft
	for i := range 30 {
		list = append(list, draft(fmt.Sprintf("h:k:%d", i), fmt.Sprintf("Tax %c API", 'A'+i), tides))
	}
	if r := w.run(w.official, harvest.Options{}, list...); r.Created != 30 || len(w.entries()) != 30 {
		t.Fatal(r.Summary())
	}
}

func TestVersionsAndSyntaxesAreOneEntry(t *testing.T) {
	w := newWorld(t)
	first := draft("h:k:1", "Tides API", tides)
	list := []source.Draft{first, draft("h:k:2", "Tides API", "https://api.tides.example.uk/v2"),
		draft("h:k:3", "Tides API v2", "https://api.tides.example.uk/v2/openapi.yaml"), draft("h:k:4", "TIDES API", "https://api.tides.example.uk/v2/openapi.json")}
	for i := range list {
		list[i].Edition = true
	}
	for round := range 2 {
		r := w.run(w.official, harvest.Options{}, list...)
		if r.Merged != 3 || r.Created+r.Unchanged != 1 {
			t.Fatalf("round %d: %s", round, r.Summary())
		}
	}
	if e := w.only(); e.UpstreamRef != "h:k:1" || e.PrimarySourceURL != tides {
		t.Errorf("entry %+v", e)
	}
	if len(w.events()) != 1 {
		t.Errorf("events %+v", w.events())
	}
}
