package harvest_test

import (
	"fmt"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

func signal(e *catalog.Entry, kind catalog.SignalKind) (catalog.Signal, bool) {
	for _, s := range e.Signals {
		if s.Kind == kind {
			return s, true
		}
	}
	return catalog.Signal{}, false
}

// held tells whether a proof holds and has its evidence and time.
func held(t *testing.T, e *catalog.Entry, kind catalog.SignalKind) bool {
	t.Helper()
	s, ok := signal(e, kind)
	if ok && (s.EvidenceURL == "" || s.ObservedAt.IsZero()) {
		t.Errorf("signal without evidence or time: %+v", s)
	}
	return s.Held
}

func TestOfficialSourceVouches(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", "https://tides.example.com/")
	w.run(w.official, harvest.Options{}, d)
	e := w.only()
	if e.Status != catalog.StatusActive || e.Admission.Rule != catalog.AdmittedBySource || score.Confidence(e.Signals) != 25 {
		t.Errorf("status %s, admission %+v, confidence %d", e.Status, e.Admission, score.Confidence(e.Signals))
	}
	for _, row := range w.rows(e.ID) {
		if row.Field == "admission" && (row.Basis != catalog.BasisInherited || row.Note != "by law") {
			t.Errorf("admission row %+v", row)
		}
	}
}

// What was quarantined becomes public when an official source lists it too.
func TestOfficialListingPublishesWhatWaits(t *testing.T) {
	w := newWorld(t)
	a, b := draft("h:k:1", "Tide Times", tides), draft("other:k:9", "Tide Times", tides)
	w.run(w.plain, harvest.Options{}, a)
	if e := w.only(); e.Status != catalog.StatusPending || e.PublishedAt != (catalog.Entry{}).PublishedAt {
		t.Fatalf("status %s", e.Status)
	}
	if r := w.run(w.official, harvest.Options{}, b); r.Merged != 1 {
		t.Fatal(r.Summary())
	}
	e := w.only()
	if e.Status != catalog.StatusActive || e.Admission == nil || e.Admission.Rule != catalog.AdmittedBySource || !e.PublishedAt.Equal(w.now) || e.StatusReason != "" {
		t.Errorf("status %s %q, admission %+v", e.Status, e.StatusReason, e.Admission)
	}
	if first := w.rows(e.ID)[0]; first.Field != "admission" || first.Basis != catalog.BasisInherited || first.SourceID != w.official.ID {
		t.Errorf("first row %+v", first)
	}
	n := len(w.events())
	if last := w.events()[n-2]; last.Type != catalog.EventCreated {
		t.Errorf("event %s", last.Type)
	}
	for range 2 {
		w.run(w.plain, harvest.Options{}, a)
		w.run(w.official, harvest.Options{}, b)
	}
	if len(w.events()) != n {
		t.Errorf("the same again wrote %+v", w.events()[n:])
	}
}

func TestProofsAreTakenBack(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.RepoURL, d.Entry.API.TermsURL = "https://github.com/TideOffice/api", "https://www.tides.example.uk/terms"
	w.run(w.official, harvest.Options{}, d)
	before := w.only()
	for _, kind := range []catalog.SignalKind{catalog.SignalDomain, catalog.SignalBacklink, catalog.SignalGithub, catalog.SignalPolicy} {
		if !held(t, &before, kind) {
			t.Fatalf("%s does not hold: %+v", kind, before.Signals)
		}
	}
	plain := w.official
	plain.Official = ""
	w.update(func(tx catalog.Tx) error {
		inst, err := tx.Institutions().Get(w.ctx, harvest.InstitutionID("gb-tides"))
		if err != nil {
			return err
		}
		inst.OfficialDomains, inst.GithubOrgs = []string{"sea.example.uk"}, nil
		return tx.Institutions().Put(w.ctx, *inst)
	})
	w.run(plain, harvest.Options{}, d)
	after := w.only()
	if score.Confidence(after.Signals) != 0 || len(after.Signals) != len(before.Signals) {
		t.Errorf("signals %+v", after.Signals)
	}
	for _, s := range after.Signals {
		if s.Held || s.Detail == "" || s.EvidenceURL == "" || !s.ObservedAt.Equal(w.now) {
			t.Errorf("signal %+v", s)
		}
	}
	if after.Status != catalog.StatusActive || !after.ContentChangedAt.Equal(before.ContentChangedAt) {
		t.Errorf("status %s, content changed at %v", after.Status, after.ContentChangedAt)
	}
	events := w.events()
	last := events[len(events)-1]
	if last.Type != catalog.EventUpdated || len(last.Changes) != 1 || last.Changes[0].Field != "signals" {
		t.Errorf("event %+v", last)
	}
	w.run(plain, harvest.Options{}, d)
	if len(w.events()) != len(events) {
		t.Errorf("the same again wrote %+v", w.events()[len(events):])
	}
}

// The second source adds its backlink; neither takes away what the other gave.
func TestTwoSourcesProveTogether(t *testing.T) {
	w := newWorld(t)
	a, b := draft("h:k:1", "Tide Times", tides), draft("other:k:9", "TIDE TIMES", tides+"/")
	b.Entry.RepoURL = "https://github.com/TideOffice/api"
	b.Rows = []catalog.FieldRow{{Field: "repo_url", Basis: catalog.BasisPublisher, SourceID: w.official.ID, UpstreamField: "repo"}}
	w.run(w.plain, harvest.Options{}, a)
	w.run(w.official, harvest.Options{}, b)
	e := w.only()
	if got := score.Confidence(e.Signals); got != 85 || e.Admission.Rule != catalog.AdmittedByRule {
		t.Errorf("confidence %d, admission %+v, signals %+v", got, e.Admission, e.Signals)
	}
	n := len(w.events())
	for range 2 {
		w.run(w.plain, harvest.Options{}, a)
		w.run(w.official, harvest.Options{}, b)
	}
	if len(w.events()) != n {
		t.Errorf("the same again wrote %+v", w.events()[n:])
	}
	trails := map[string]bool{}
	for _, row := range w.rows(e.ID) {
		trails[row.SourceID] = true
	}
	if !trails[w.official.ID] || !trails[w.plain.ID] {
		t.Errorf("trails %v", trails)
	}
	// The official source withdraws its word: its backlink goes, the rest stays.
	disowned := w.official
	disowned.Official = ""
	w.run(disowned, harvest.Options{}, b)
	e = w.only()
	if held(t, &e, catalog.SignalBacklink) || !held(t, &e, catalog.SignalDomain) || !held(t, &e, catalog.SignalGithub) {
		t.Errorf("signals %+v", e.Signals)
	}
}

// A portal that stops listing what another source listed first takes its
// backlink back, after three complete harvests and never before.
func TestBacklinkIsTakenBack(t *testing.T) {
	w := newWorld(t)
	other := w.official
	other.ID, other.Title, other.URL = harvest.SourceID("second"), "Second portal", "https://second.example.gov/"
	listed := func() int {
		n := 0
		for _, e := range w.living() {
			for _, s := range e.Signals {
				if s.Kind == catalog.SignalBacklink && s.Held && s.SourceID == other.ID {
					n++
				}
			}
		}
		return n
	}
	mine, more := draft("cat:api:1", "Tides", tides), []source.Draft{}
	for i := range 9 {
		more = append(more, draft(fmt.Sprintf("second:api:%d", i), fmt.Sprintf("Gauge %d", i), fmt.Sprintf("%s/gauge/%d", tides, i)))
	}
	theirs := mine
	theirs.Entry.UpstreamRef = ""
	w.run(w.plain, harvest.Options{Complete: true}, mine)
	w.run(other, harvest.Options{Complete: true}, append(more, theirs)...)
	if got := listed(); got != 10 {
		t.Fatalf("%d entries have the portal's backlink", got)
	}
	for round := 1; round <= 3; round++ {
		w.run(other, harvest.Options{Complete: true}, more...)
		if want := 10 - round/3; listed() != want {
			t.Errorf("after %d harvests without it %d backlinks are left, not %d", round, listed(), want)
		}
	}
	if e := w.named("Tides"); e.Status != catalog.StatusActive {
		t.Errorf("the entry of the other source is %s", e.Status)
	}
}

// TestDomainProves: a domain proves the body of that domain only if that body,
// or one of its parts, is stated, or none is; the host of a portal proves who
// hosts.
func TestDomainProves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		publisher, key string
		portal, want   bool
	}{
		"the body itself":       {"Tide Office", "gb-tides", false, true},
		"a part of it":          {"Tide Laboratory", "gb-tide-lab", false, true},
		"another":               {"Royal Rowers", "", false, false},
		"another known one":     {"Météo", "fr-meteo", false, false},
		"nobody":                {"", "gb-tides", false, true},
		"nobody, on a portal":   {"", "gb-tides", true, false},
		"the body, on a portal": {"Tide Office", "gb-tides", true, true},
		"another, on a portal":  {"Royal Rowers", "", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			part := catalog.Institution{ID: harvest.InstitutionID("gb-tide-lab"), Key: "gb-tide-lab", Name: "Tide Laboratory", CountryCode: "GB", Type: catalog.InstAgency,
				ParentID: harvest.InstitutionID("gb-tides"), CreatedAt: w.now, UpdatedAt: w.now}
			w.update(func(tx catalog.Tx) error { return tx.Institutions().Put(w.ctx, part) })
			d := draft("h:k:1", "Tide Times", "https://data.tides.example.uk/times")
			d.PublisherKey, d.PublisherName, d.Entry.PublisherName = "", c.publisher, c.publisher
			if c.publisher != "" {
				d.Entry.Publisher = &catalog.Agent{Names: catalog.Texts{"en": c.publisher}}
			}
			d.Entry.CountryCode = "GB"
			if c.key == "fr-meteo" {
				d.Entry.CountryCode = "FR"
			}
			s := catalog.Source{ID: harvest.SourceID("data"), Kind: "test", Title: "Data", URL: "https://data.tides.example.uk/", CountryCode: "GB", Portal: c.portal, Official: "by law"}
			// The default speaks only where nobody is stated.
			w.run(s, harvest.Options{Institution: "gb-tides"}, d)
			e := w.only()
			if got := held(t, &e, catalog.SignalDomain); got != c.want {
				t.Errorf("the domain proves: %v, signals %+v", got, e.Signals)
			}
			if c.key == "" {
				return
			}
			if got := w.institution(e.InstitutionID); got.Key != c.key {
				t.Errorf("belongs to %+v", got)
			}
		})
	}
}
