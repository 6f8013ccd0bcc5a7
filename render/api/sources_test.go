package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// harvested is a source with runs of every state.
func harvested() snapshot.Harvested {
	began := asOf.AddDate(0, 0, -3)
	id := catalog.NewID("source", "gr-portal")
	h := snapshot.Harvested{Source: catalog.Source{ID: id, Key: "gr-portal", Kind: "ckan", Title: "Πύλη <δεδομένων>", URL: "https://data.example.gr/",
		CountryCode: "GR", InstitutionID: catalog.NewID("institution", "gr"), Official: "By law.", Enabled: true, Schedule: "weekly",
		File: "/srv/capture.json", Filters: map[string]string{"fq": "secret"}, CreatedAt: began, UpdatedAt: began}}
	states := catalog.RunStates()
	for n := range states {
		state := states[len(states)-1-n]
		at := began.Add(time.Duration(len(states)-n) * time.Hour)
		run := catalog.HarvestRun{ID: catalog.NewRunID(id, at, 0), SourceID: id, Kind: "ckan", State: state, StartedAt: at, UpdatedAt: at.Add(time.Minute),
			Owner: "process 7", Cursor: "page=8", Pages: 9, Validators: []catalog.Validator{{URL: "https://data.example.gr/?key=secret"}}}
		if state != catalog.RunRunning {
			run.FinishedAt = run.UpdatedAt
		}
		switch state {
		case catalog.RunComplete:
			run.Resumed, run.ConfirmedAt, run.Since = 1, at, at.AddDate(0, 0, -1)
			run.Counts = catalog.RunCounts{In: 20, Created: 1, Updated: 2, Unchanged: 3, Merged: 4, Quarantined: 2, Suppressed: 1, Repeated: 1, Rejected: 6,
				RejectedBy: map[string]int{"missing_name": 2, "bad_url": 4}, Missing: 5, Deprecated: 1}
			run.Fields = catalog.RunFields{Delivered: 90, Repaired: 3, Refused: 2, Omitted: 30,
				By: []catalog.FieldCount{{Field: "contact", Delivered: 5, Omitted: 7, Refused: 1}, {Field: "tags", Delivered: 13}}}
			run.Rejections = []catalog.RunRejection{{Place: "page 1, dataset 3", Record: "data.example.gr:ckan:3", Code: "bad_url", Reason: "no URL", Remedy: "correct it"},
				{Place: "page 2", Code: "missing_name", Reason: "no name"}}
		case catalog.RunFailed, catalog.RunPartial:
			run.Errors = []catalog.RunError{{Code: "http_status", Text: "status 503", Status: 503, At: at}, {Code: "tls_failed", Text: "unknown authority", At: at}}
		case catalog.RunQuarantined:
			run.Notice = "the source lists only 1 of 9"
		}
		h.Runs = append(h.Runs, run)
	}
	return h
}

func renderSources(t *testing.T, list ...snapshot.Harvested) map[string][]byte {
	t.Helper()
	c := &snapshot.Catalog{Site: snapshot.Site{BaseURL: "https://register.example/r"}, AsOf: asOf, Harvested: list}
	out := map[string][]byte{}
	err := sources(c, func(f artifact.File) error {
		if out[f.Route] != nil || f.Type != artifact.JSON {
			t.Errorf("%s of type %s", f.Route, f.Type)
		}
		out[f.Route] = f.Body
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSourcesAreGolden(t *testing.T) {
	h := harvested()
	pages := renderSources(t, h)
	for name, route := range map[string]string{"list": "/api/v1/sources", "source": "/api/v1/sources/" + h.Source.ID, "runs": "/api/v1/sources/" + h.Source.ID + "/runs"} {
		if pages[route] == nil {
			t.Fatalf("no %s", route)
		}
		rendertest.Golden(t, "sources/"+name+".json", pages[route])
		for _, secret := range []string{"secret", "/srv/", "process 7", "page=8"} {
			if strings.Contains(string(pages[route]), secret) {
				t.Errorf("%s shows %q", route, secret)
			}
		}
	}
}

func TestSourcesArePaged(t *testing.T) {
	var list []snapshot.Harvested
	for n := range 205 {
		list = append(list, snapshot.Harvested{Source: catalog.Source{ID: fmt.Sprintf("%03d", n), UpdatedAt: asOf.Add(time.Duration(n) * time.Minute)}})
	}
	shuffled := slices.Clone(list)
	slices.Reverse(shuffled)
	pages := renderSources(t, shuffled...)
	if d := cmp.Diff(renderSources(t, list...), pages); d != "" {
		t.Errorf("the order of the rows shows: %s", d)
	}
	if len(pages) != 2*205+4 {
		t.Errorf("%d pages", len(pages))
	}
	var seen []string
	for route := "/api/v1/sources"; ; {
		var page struct {
			wire.SourcesPage
			Manifest wire.Manifest `json:"manifest"`
		}
		if err := json.Unmarshal(pages[route], &page); err != nil {
			t.Fatal(route, err)
		}
		if page.Total != 205 || page.TotalPages != 3 || page.Limit != 100 || page.Links.Self != "/r"+route || page.Links.Last != "/r/api/v1/catalog/sources/3" {
			t.Errorf("%s: %+v", route, page)
		}
		for _, s := range page.Items {
			seen = append(seen, s.ID)
		}
		if last := asOf.Add(time.Duration(len(seen)-1) * time.Minute).Format(time.RFC3339); page.Manifest.CreatedAt != last {
			t.Errorf("%s: created at %s, want %s", route, page.Manifest.CreatedAt, last)
		}
		if page.Links.Next == nil {
			break
		}
		route = strings.TrimPrefix(*page.Links.Next, "/r")
	}
	if len(seen) != 205 || !slices.IsSorted(seen) {
		t.Errorf("%d sources were seen", len(seen))
	}
}

func TestNoSources(t *testing.T) {
	pages := renderSources(t)
	var page wire.SourcesPage
	if err := json.Unmarshal(pages["/api/v1/sources"], &page); err != nil || page.Items == nil || page.Total != 0 || page.Links.Next != nil || len(pages) != 2 {
		t.Errorf("%s, %v", pages["/api/v1/sources"], err)
	}
}
