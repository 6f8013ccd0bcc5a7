package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/proof"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// prover answers what it is told and remembers whom it was asked about.
type prover struct {
	policy, reciprocal proof.Outcome
	asked              []proof.Subject
}

func (p *prover) Prove(_ context.Context, s proof.Subject) []proof.Finding {
	p.asked = append(p.asked, s)
	finding := func(kind catalog.SignalKind, o proof.Outcome) proof.Finding {
		return proof.Finding{Kind: kind, Outcome: o, EvidenceURL: "https://www.tides.example.uk/", Detail: fmt.Sprint("outcome ", o)}
	}
	return []proof.Finding{finding(catalog.SignalPolicy, p.policy), finding(catalog.SignalReciprocal, p.reciprocal)}
}

func (w *world) prove(p proof.Prover, opts harvest.ProveOptions) harvest.ProveReport {
	w.t.Helper()
	w.now = w.now.Add(1)
	opts.Now = w.now
	r, err := harvest.Prove(w.ctx, w.st, p, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func TestProve(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.HomepageURL, d.Entry.DocsURL = "https://www.tides.example.uk/api", "https://docs.tides.example.uk/"
	w.run(w.official, harvest.Options{}, d)
	p := &prover{}
	steps := []struct {
		name               string
		policy, reciprocal proof.Outcome
		confidence         int
		events             int
	}{
		{"nothing could be tried", proof.Untried, proof.Untried, 65, 0},
		{"a page fails before anything was seen", proof.Failed, proof.Failed, 65, 0},
		{"both are seen", proof.Held, proof.Held, 80, 1},
		{"again", proof.Held, proof.Held, 80, 0},
		{"a page fails once", proof.Failed, proof.Failed, 80, 0},
		{"and twice", proof.Failed, proof.Failed, 80, 0},
		{"and is back", proof.Held, proof.Held, 80, 0},
		{"fails again", proof.Failed, proof.Held, 80, 0},
		{"fails again", proof.Failed, proof.Held, 80, 0},
		{"the third time in a row", proof.Failed, proof.Held, 75, 1},
		{"the link is gone", proof.Untried, proof.NotHeld, 65, 1},
		{"still", proof.Untried, proof.NotHeld, 65, 0},
		{"all is well", proof.Held, proof.Held, 80, 1},
	}
	for _, s := range steps {
		n := len(w.events())
		p.policy, p.reciprocal = s.policy, s.reciprocal
		r := w.prove(p, harvest.ProveOptions{})
		e := w.only()
		if got := score.Confidence(e.Signals); got != s.confidence || len(w.events())-n != s.events || r.Looked != 1 || r.Changed != s.events {
			t.Errorf("%s: confidence %d, %d events, report %+v; want %d and %d", s.name, got, len(w.events())-n, r, s.confidence, s.events)
		}
		if r := w.run(w.official, harvest.Options{}, d); r.Unchanged != 1 {
			t.Errorf("%s: a harvest took it back: %s", s.name, r.Summary())
		}
	}
	if s := p.asked[0]; len(s.Served) != 1 || s.Served[0] != tides || s.Pages[0] != d.Entry.HomepageURL || s.Pages[1] != d.Entry.DocsURL ||
		!s.Official("www.tides.example.uk") || s.Official("example.uk") {
		t.Errorf("subject %+v", s)
	}
}

// A source below the threshold is approved once the web proves the rest.
func TestProofOnTheWebApproves(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.Signals = []catalog.Signal{{Kind: catalog.SignalBacklink, Held: true, EvidenceURL: "https://p.example/", ObservedAt: w.now}}
	w.run(w.plain, harvest.Options{}, d)
	if w.only().Status != catalog.StatusPending {
		t.Fatal("it does not wait")
	}
	r := w.prove(&prover{policy: proof.Held, reciprocal: proof.Held}, harvest.ProveOptions{})
	e := w.only()
	if r.Approved != 1 || e.Status != catalog.StatusActive || e.Admission == nil || e.Admission.Rule != catalog.AdmittedByRule || !e.PublishedAt.Equal(w.now) {
		t.Errorf("report %+v, status %s, admission %+v", r, e.Status, e.Admission)
	}
	events := w.events()
	if kind := events[len(events)-2].Type; kind != catalog.EventCreated {
		t.Errorf("event %s", kind)
	}
	if row := w.rows(e.ID)[0]; row.Field != "admission" || row.ObservedAt.IsZero() {
		t.Errorf("first row %+v", row)
	}
}

// Looks go round: each takes up where the last one ended, and none looks at
// sources of third parties or without an institution.
func TestLooksGoRound(t *testing.T) {
	w := newWorld(t)
	var list []source.Draft
	for i := range 5 {
		list = append(list, draft(fmt.Sprintf("h:k:%d", i), fmt.Sprintf("Service %d", i), fmt.Sprintf("%s/%d", tides, i)))
	}
	third, unknown := draft("h:k:8", "Theirs", tides+"/8"), draft("h:k:9", "Nobody's", "https://nobody.example/")
	third.Entry.ThirdParty, unknown.PublisherKey = true, ""
	w.run(w.official, harvest.Options{}, append(list, third, unknown)...)
	p := &prover{}
	for range 5 {
		if r := w.prove(p, harvest.ProveOptions{Entries: 2}); r.Looked != 2 {
			t.Errorf("report %+v", r)
		}
	}
	seen := map[string]int{}
	for _, s := range p.asked {
		seen[s.Served[0]]++
	}
	if len(seen) != 5 {
		t.Errorf("looked at %v", seen)
	}
	for u, n := range seen {
		if n != 2 {
			t.Errorf("%s was looked at %d times in two rounds", u, n)
		}
	}
	if r := w.prove(p, harvest.ProveOptions{Source: w.plain.ID}); r.Looked != 0 {
		t.Errorf("of another source: %+v", r)
	}
}

// A policy that the record names is the harvest's to prove.
func TestStatedPolicyIsNotSearched(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.API.TermsURL = "https://www.tides.example.uk/terms"
	w.run(w.official, harvest.Options{}, d)
	w.prove(&prover{policy: proof.NotHeld}, harvest.ProveOptions{})
	e := w.only()
	if s, ok := signal(&e, catalog.SignalPolicy); !ok || !s.Held || s.EvidenceURL != d.Entry.API.TermsURL {
		t.Errorf("policy %+v", s)
	}
}

func TestCancelledLookKeepsItsPlace(t *testing.T) {
	w := newWorld(t)
	w.run(w.official, harvest.Options{}, draft("h:k:1", "A", tides+"/1"), draft("h:k:2", "B", tides+"/2"))
	ctx, cancel := context.WithCancel(w.ctx)
	p := &stopping{cancel: cancel}
	if _, err := harvest.Prove(ctx, w.st, p, harvest.ProveOptions{Now: w.now}); err == nil {
		t.Error("a cancelled look reports no error")
	}
	rest := &prover{}
	w.prove(rest, harvest.ProveOptions{Entries: 1})
	if len(rest.asked) != 1 || rest.asked[0].Served[0] == p.served {
		t.Errorf("looked again at %s", p.served)
	}
}

// stopping cancels the look at the first source.
type stopping struct {
	cancel context.CancelFunc
	served string
}

func (s *stopping) Prove(_ context.Context, x proof.Subject) []proof.Finding {
	s.cancel()
	s.served = x.Served[0]
	return nil
}

// meddling begins another look while the first one is under way.
type meddling struct {
	prover
	other func() error
	err   error
}

func (m *meddling) Prove(ctx context.Context, s proof.Subject) []proof.Finding {
	if m.other != nil {
		m.err, m.other = m.other(), nil
	}
	return m.prover.Prove(ctx, s)
}

// TestLooksDoNotMeet: one process at a time looks at the pages of a source; one
// that was killed is believed dead after a while.
func TestLooksDoNotMeet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.HomepageURL = "https://www.tides.example.uk/api"
	w.run(w.official, harvest.Options{}, d)
	opts := harvest.ProveOptions{Now: w.now, Source: w.official.ID, Worker: "one"}
	second := &prover{}
	other := func(after time.Duration) error {
		o := opts
		o.Now, o.Worker = w.now.Add(after), "two"
		_, err := harvest.Prove(w.ctx, w.st, second, o)
		return err
	}
	m := &meddling{other: func() error { return other(time.Minute) }}
	if _, err := harvest.Prove(w.ctx, w.st, m, opts); err != nil {
		t.Fatal(err)
	}
	if busy := new(harvest.BusyError); !errors.As(m.err, &busy) || busy.Worker != "one" || len(second.asked) > 0 {
		t.Errorf("a second look: %v, asked %d", m.err, len(second.asked))
	}
	m.other = func() error { return other(time.Hour) }
	if _, err := harvest.Prove(w.ctx, w.st, m, opts); err != nil || m.err != nil || len(second.asked) != 1 {
		t.Errorf("after the lease: %v, %v, asked %d", err, m.err, len(second.asked))
	}
	if err := other(0); err != nil {
		t.Errorf("after both have ended: %v", err)
	}
}
