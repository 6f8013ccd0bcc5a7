package harvest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

const tides = "https://api.tides.example.uk/v1"

func TestCreate(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.LicenseRaw, d.Entry.Formats = "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3", []string{"json", ".csv", "JSON"}
	d.Entry.RepoURL = "https://github.com/tideoffice/api"
	if r := w.run(w.official, harvest.Options{}, d); r.In != 1 || r.Created != 1 {
		t.Fatal(r.Summary())
	}
	e := w.only()
	if e.ID != catalog.EntryID("h:k:1", e.IdentityKey, 1) || e.Slug != "tide-times" || e.Status != catalog.StatusActive ||
		e.InstitutionID != harvest.InstitutionID("gb-tides") || e.CountryCode != "GB" || e.LicenseID != "OGL-UK-3.0" ||
		!slices.Equal(e.Formats, []string{"CSV", "JSON"}) || e.ExtractionConfidence != 75 || e.SourceID != w.official.ID ||
		e.FreeAccessClass != catalog.AccessUnknown || e.AuthType != catalog.AuthUnknown || !e.PublishedAt.Equal(w.now) || e.API.ID == "" {
		t.Errorf("entry %+v", e)
	}
	if e.Admission == nil || e.Admission.Rule != catalog.AdmittedByRule {
		t.Errorf("admission %+v", e.Admission)
	}
	held := map[catalog.SignalKind]bool{}
	for _, s := range e.Signals {
		held[s.Kind] = s.Held
	}
	if !held[catalog.SignalDomain] || !held[catalog.SignalBacklink] || !held[catalog.SignalGithub] {
		t.Errorf("signals %+v", e.Signals)
	}
	fields := map[string]bool{}
	for _, row := range w.rows(e.ID) {
		fields[row.Field] = true
	}
	for _, f := range []string{"name", "institution_id", "license_id", "country_code", "admission"} {
		if !fields[f] {
			t.Errorf("no provenance row for %s", f)
		}
	}
}

func TestAdmission(t *testing.T) {
	elsewhere := "https://tides.example.com/"
	for _, c := range []struct {
		name     string
		official bool
		edit     func(*source.Draft)
		opts     harvest.Options
		status   catalog.Status
		rule     catalog.AdmissionRule
		code     source.Code
	}{
		{"official source vouches", true, func(d *source.Draft) { d.Entry.PrimarySourceURL, d.Entry.API.BaseURL = elsewhere, elsewhere }, harvest.Options{},
			catalog.StatusActive, catalog.AdmittedBySource, ""},
		{"not official, domain holds", false, func(*source.Draft) {}, harvest.Options{}, catalog.StatusPending, "", ""},
		{"not official, nothing holds", false, func(d *source.Draft) { d.Entry.PrimarySourceURL, d.Entry.API.BaseURL = elsewhere, elsewhere }, harvest.Options{},
			"", "", harvest.CodeNotOfficial},
		{"recorded signals count", false, func(d *source.Draft) {
			d.Entry.RepoURL = "https://github.com/TideOffice/api"
			d.Entry.Signals = []catalog.Signal{{Kind: catalog.SignalReciprocal, Held: true}, {Kind: catalog.SignalBacklink, Held: true}}
		}, harvest.Options{}, catalog.StatusActive, catalog.AdmittedByRule, ""},
		{"enough for a lax register", false, func(*source.Draft) {}, harvest.Options{Thresholds: catalog.Thresholds{Approve: 40, Quarantine: 10}},
			catalog.StatusActive, catalog.AdmittedByRule, ""},
		{"too little for a strict one", false, func(*source.Draft) {}, harvest.Options{Thresholds: catalog.Thresholds{Approve: 90, Quarantine: 41}},
			"", "", harvest.CodeNotOfficial},
		{"third party in a lax register", false, func(d *source.Draft) {
			d.Entry.ThirdParty, d.Entry.Signals = true, []catalog.Signal{{Kind: catalog.SignalBacklink, Held: true}}
		}, harvest.Options{Thresholds: catalog.Thresholds{Approve: 20, Quarantine: 20}}, catalog.StatusPending, "", ""},
		{"third party", true, func(d *source.Draft) { d.Entry.ThirdParty = true }, harvest.Options{}, catalog.StatusPending, "", ""},
		{"blocklisted", true, func(*source.Draft) {}, harvest.Options{Blocklist: []string{"example.uk"}}, "", "", harvest.CodeBlocklisted},
		{"known by name", true, func(d *source.Draft) { d.PublisherKey, d.PublisherName = "", "TIDE  office" }, harvest.Options{},
			catalog.StatusActive, catalog.AdmittedBySource, ""},
		{"known by host", true, func(d *source.Draft) { d.PublisherKey = "" }, harvest.Options{}, catalog.StatusActive, catalog.AdmittedBySource, ""},
		{"by default", true, func(d *source.Draft) {
			d.PublisherKey, d.Entry.PrimarySourceURL, d.Entry.API.BaseURL = "", elsewhere, elsewhere
		}, harvest.Options{Institution: "gb-tides"}, catalog.StatusActive, catalog.AdmittedBySource, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			d := draft("h:k:1", "Tide Times", tides)
			c.edit(&d)
			s := w.plain
			if c.official {
				s = w.official
			}
			r := w.run(s, c.opts, d)
			if c.code != "" {
				if r.Rejected != 1 || r.RejectedBy[c.code] != 1 || len(w.entries()) != 0 {
					t.Fatal(r.Summary())
				}
				return
			}
			e := w.only()
			if e.Status != c.status || (e.Admission == nil) != (c.rule == "") || c.rule != "" && e.Admission.Rule != c.rule {
				t.Errorf("status %s, admission %+v", e.Status, e.Admission)
			}
			if e.InstitutionID != harvest.InstitutionID("gb-tides") {
				t.Error("the institution was not found")
			}
			if want := c.status == catalog.StatusPending; (r.Quarantined == 1) != want || e.PublishedAt.IsZero() != want {
				t.Errorf("%s, published %v", r.Summary(), e.PublishedAt)
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	w.run(w.official, harvest.Options{}, d)
	first := w.only()
	if r := w.run(w.official, harvest.Options{}, d); r.Unchanged != 1 || len(w.events()) != 1 {
		t.Fatalf("an unchanged record was written: %s", r.Summary())
	}
	w.update(func(tx catalog.Tx) error {
		return tx.Overrides().Put(w.ctx, catalog.Override{ID: catalog.NewID("o", "1"), EntryID: first.ID, Field: "name", Value: []byte(`"Mine"`), By: "m", CreatedAt: w.now})
	})
	d.Entry.Name, d.Entry.Description = "Tides and Heights", "New."
	d.Entry.API = &catalog.APIDetails{BaseURL: tides, Version: "2"}
	if r := w.run(w.official, harvest.Options{}, d); r.Updated != 1 {
		t.Fatal(r.Summary())
	}
	e := w.only()
	if e.ID != first.ID || e.Slug != first.Slug || !e.CreatedAt.Equal(first.CreatedAt) || !e.UpdatedAt.Equal(w.now) || !e.ContentChangedAt.Equal(w.now) ||
		e.Admission.At != first.Admission.At || e.Name != "Tides and Heights" || e.IdentityKey == first.IdentityKey ||
		e.API.ID != first.API.ID || !e.API.UpdatedAt.Equal(w.now) || !e.API.CreatedAt.Equal(first.API.CreatedAt) {
		t.Errorf("entry %+v\napi %+v", e, e.API)
	}
	events := w.events()
	last := events[len(events)-1]
	var fields []string
	for _, c := range last.Changes {
		fields = append(fields, c.Field)
	}
	if last.Type != catalog.EventUpdated || strings.Join(fields, " ") != "api.version description identity_key match_key name" ||
		string(last.Changes[1].From) != "null" || string(last.Changes[1].To) != `"New."` {
		t.Errorf("event %+v", last)
	}
	for _, row := range w.rows(e.ID) {
		if row.Field == "admission" && !strings.Contains(row.Note, "by law") {
			t.Errorf("admission row %+v", row)
		}
	}
}

func TestMergeWithinARun(t *testing.T) {
	w := newWorld(t)
	a, b := draft("h:k:1", "Tide Times", tides), draft("h:k:2", "TIDE times", tides+"/")
	a.Edition, b.Edition = true, true
	b.Entry.DocsURL = "https://docs.tides.example.uk/"
	b.Rows = append(b.Rows, catalog.FieldRow{Field: "docs_url", Basis: catalog.BasisPublisher, UpstreamField: "docs"})
	for _, batch := range []int{500, 1} {
		t.Run(map[int]string{500: "one batch", 1: "two batches"}[batch], func(t *testing.T) {
			w := newWorld(t)
			if r := w.run(w.official, harvest.Options{Batch: batch}, a, b); r.Created != 1 || r.Merged != 1 {
				t.Fatal(r.Summary())
			}
			e := w.only()
			if e.DocsURL != b.Entry.DocsURL || e.Name != "Tide Times" {
				t.Errorf("entry %+v", e)
			}
			n := len(w.events())
			for range 2 {
				if r := w.run(w.official, harvest.Options{Batch: batch}, a, b); r.Unchanged != 1 || r.Merged != 1 {
					t.Fatal(r.Summary())
				}
			}
			if len(w.events()) != n {
				t.Errorf("harvesting the same again wrote %d events: %+v", len(w.events())-n, w.events()[n:])
			}
			// The filled field survives a change of the entry's own listing.
			changed := a
			changed.Entry.Description = "New."
			if r := w.run(w.official, harvest.Options{Batch: batch}, changed, b); r.Updated != 1 || r.Merged != 1 {
				t.Fatal(r.Summary())
			}
			if e := w.only(); e.DocsURL != b.Entry.DocsURL || e.Description != "New." {
				t.Errorf("entry %+v", e)
			}
		})
	}
	// A shared url alone is no identity.
	if r := w.run(w.official, harvest.Options{}, draft("h:k:1", "Tide Times", tides), draft("h:k:2", "Tide Heights", tides)); r.Created != 2 {
		t.Fatal(r.Summary())
	}
}

func TestTwoSources(t *testing.T) {
	w := newWorld(t)
	a := draft("h:k:1", "Tide Times", tides)
	b := draft("other:k:9", "Tide Times", tides)
	b.Entry.Description, b.Rows = "From the list.", []catalog.FieldRow{{Field: "description", Basis: catalog.BasisPublisher, SourceID: w.plain.ID}}
	w.run(w.official, harvest.Options{}, a)
	if r := w.run(w.plain, harvest.Options{}, b); r.Merged != 1 {
		t.Fatal(r.Summary())
	}
	e := w.only()
	if e.SourceID != w.official.ID || e.UpstreamRef != "h:k:1" || e.Description != "From the list." {
		t.Errorf("entry %+v", e)
	}
	n := len(w.events())
	w.run(w.plain, harvest.Options{}, b)
	w.run(w.official, harvest.Options{}, a)
	if len(w.events()) != n {
		t.Errorf("the same again wrote %+v", w.events()[n:])
	}
	a.Entry.DocsURL = "https://docs.tides.example.uk/"
	if r := w.run(w.official, harvest.Options{}, a); r.Updated != 1 {
		t.Fatal(r.Summary())
	}
	var trails []string
	for _, row := range w.rows(e.ID) {
		if row.Field == "description" {
			trails = append(trails, row.SourceID)
		}
	}
	if e := w.only(); e.Description != "From the list." || !slices.Contains(trails, w.plain.ID) {
		t.Errorf("the other source's trail was lost: %v, %q", trails, e.Description)
	}
}

func TestIDTakenByAnother(t *testing.T) {
	w := newWorld(t)
	old := draft("", "Tide Times", tides)
	w.run(w.official, harvest.Options{}, old)
	w.change(func(e *catalog.Entry) catalog.EventKind { // renamed by its source long ago
		e.Name, e.IdentityKey, e.MatchKey = "Other", "API|https://o/|other", "API|o|other"
		return catalog.EventUpdated
	})
	if r := w.run(w.official, harvest.Options{}, old); r.Created != 1 {
		t.Fatal(r.Summary())
	}
	list := w.entries()
	if len(list) != 2 || list[0].ID == list[1].ID || list[0].Slug == list[1].Slug {
		t.Errorf("entries %+v", list)
	}
}

func TestPublishWindow(t *testing.T) {
	w := newWorld(t)
	w.run(w.official, harvest.Options{PublishWindow: 24 * time.Hour}, draft("h:k:1", "A", tides+"/a"), draft("h:k:2", "B", tides+"/b"))
	list := w.entries()
	for _, e := range list {
		if d := e.PublishedAt.Sub(w.now); d < 0 || d >= 24*time.Hour {
			t.Errorf("delay %v", d)
		}
	}
	if list[0].PublishedAt.Equal(list[1].PublishedAt) {
		t.Error("both are published at the same time")
	}
}

func TestBadRecordsAreNamed(t *testing.T) {
	w := newWorld(t)
	long := draft("h:k:1", strings.Repeat("x", catalog.NameMax+1), tides)
	url := draft("h:k:2", "Bad URL", "nonsense")
	typ := draft("h:k:3", "Bad type", tides)
	typ.Entry.Type = "THING"
	r := w.run(w.official, harvest.Options{}, long, url, typ, draft("h:k:4", "Good", tides))
	if r.In != 4 || r.Created != 1 || r.RejectedBy[source.CodeInvalidField] != 3 {
		t.Fatal(r.Summary(), r.Rejections)
	}
	for _, x := range r.Rejections {
		if x.Place == "" || x.Reason == "" || x.Remedy == "" {
			t.Errorf("rejection %+v", x)
		}
	}
}

// A source that lists one thing twice changes nothing when it is read again.
func TestListedTwice(t *testing.T) {
	w := newWorld(t)
	first, second := draft("cat:api:1", "Tides", tides), draft("cat:api:1", "Tides", tides)
	second.Entry.Description = "Another text."
	w.run(w.official, harvest.Options{}, first, second)
	if r := w.run(w.official, harvest.Options{}, first, second); r.Unchanged != 1 || r.Repeated != 1 || r.Updated != 0 {
		t.Errorf("harvested again: %s", brief(&r))
	}
}
