package harvest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/proof"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// Intake judges single drafts that people propose, by the rules that also hold
// for what a source lists. What it knows of institutions, licences and portals
// is that of the moment at which it was opened.
type Intake struct {
	run *run
	// portals are the hosts of the official sources, with their titles.
	portals map[string]string
}

// submissionKind is the kind of the source that stands for the public.
const submissionKind = "submission"

// publicSource stands for the public in provenance: it vouches for nothing.
func publicSource() catalog.Source {
	return catalog.Source{ID: SourceID("submissions"), Key: "submissions", Kind: submissionKind, Title: "Submissions of the public"}
}

// OpenIntake reads what the intake needs to know. Of the options it uses Now,
// Country, Blocklist, PublishWindow and Thresholds.
func OpenIntake(ctx context.Context, st catalog.Store, opts Options) (*Intake, error) {
	in := &source.Input{Source: publicSource(), Name: "submissions", Now: opts.Now}
	if err := register(ctx, st, in, opts.Now); err != nil {
		return nil, err
	}
	opts = opts.orDefault()
	rules, err := newResolver(ctx, st, in, &opts)
	if err != nil {
		return nil, err
	}
	rules.submitted, rules.decisions = true, nil
	d := &Intake{run: &run{store: st, in: in, opts: opts, rules: rules, seen: map[string]bool{}, refs: map[string]bool{}, ambiguous: &ambiguous{}, waiting: waiting{}}, portals: map[string]string{}}
	err = st.View(ctx, func(tx catalog.Tx) error {
		sources, err := tx.Sources().All(ctx)
		for i := range sources {
			if s := &sources[i]; s.Official != "" && catalog.Host(s.URL) != "" {
				d.portals[catalog.Host(s.URL)] = cmp.Or(s.Title, s.Key)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read sources: %w", err)
	}
	return d, nil
}

// At is the intake at another time, with the same knowledge.
func (d *Intake) At(now time.Time) *Intake {
	in, rules, opts := *d.run.in, *d.run.rules, d.run.opts
	in.Now, opts.Now = now, now
	rules.in, rules.opts = &in, &opts
	return &Intake{run: &run{store: d.run.store, in: &in, opts: opts, rules: &rules, seen: d.run.seen, refs: d.run.refs, ambiguous: d.run.ambiguous, waiting: d.run.waiting}, portals: d.portals}
}

// Input is what a connector reads on behalf of the intake.
func (d *Intake) Input() source.Input { return *d.run.in }

// Case is one draft in the intake.
type Case struct{ c *candidate }

// Prepare resolves the publisher, the country and the licence of a draft and
// takes the proofs that follow from it alone.
func (d *Intake) Prepare(draft source.Draft) *Case {
	c := d.run.rules.prepare(draft)
	if c.institution == nil && !c.entry.ThirdParty {
		d.owner(c)
	}
	return &Case{c}
}

// owner takes the institution under whose official domain the source is served:
// a submitter need not know how the register calls it.
func (d *Intake) owner(c *candidate) {
	rules := d.run.rules
	for _, u := range served(&c.entry) {
		key, domain, ok := rules.domains.Owner(catalog.Host(u))
		if inst := rules.byKey[key]; ok && inst != nil {
			rules.take(c, inst, "the owner of the official domain "+domain, "")
			rules.resolveCountry(c)
			c.entry.Signals = mergeSignals(c.entry.Signals, rules.prove(&c.entry, c.institution))
			return
		}
	}
}

// Entry is what the draft would become.
func (k *Case) Entry() *catalog.Entry { return &k.c.entry }

// Blocked tells why nothing of the source's host is taken, "" if it may be.
func (k *Case) Blocked() string {
	if k.c.rejection == nil {
		return ""
	}
	return k.c.rejection.Reason
}

// Known tells whether the institution behind the source is known.
func (k *Case) Known() bool { return k.c.institution != nil }

// Confidence is the officialness that the proofs come to, 0 to 100.
func (k *Case) Confidence() int { return score.Confidence(k.c.entry.Signals) }

// Decide tells what becomes of a draft by what is proved of it, and why.
func (d *Intake) Decide(k *Case) (catalog.SubmissionState, string) {
	return d.run.opts.Thresholds.Decide(k.Confidence(), k.Known(), k.Entry().ThirdParty, k.Blocked() != "")
}

// Prove looks on the web for what a draft cannot prove: that the institution's
// own pages link to the source, that its policies are published, and that a
// known portal lists it. listing is the page that is said to list it, or "".
func (d *Intake) Prove(ctx context.Context, prover proof.Prover, k *Case, listing string) {
	e, inst, rules := &k.c.entry, k.c.institution, d.run.rules
	var fresh []catalog.Signal
	if inst != nil && !e.ThirdParty {
		for _, f := range prover.Prove(ctx, proof.Subject{
			Served: served(e), Pages: []string{e.HomepageURL, e.DocsURL, e.PrimarySourceURL, inst.HomepageURL},
			Official: func(host string) bool {
				_, ok := rules.domains.Covers(inst.Key, inst.OfficialDomains, host)
				return ok
			},
		}) {
			if known, _ := signalOf(e.Signals, f.Kind); !known.Held && f.Outcome != proof.Untried {
				fresh = append(fresh, catalog.Signal{Kind: f.Kind, Held: f.Outcome == proof.Held, EvidenceURL: f.EvidenceURL, Detail: f.Detail, ObservedAt: rules.opts.Now})
			}
		}
	}
	if s, ok := d.backlink(ctx, prover, e, listing); ok {
		fresh = append(fresh, s)
	}
	e.Signals = ownSignals(e, mergeSignals(e.Signals, fresh))
}

// backlink looks whether a known portal lists the source: its own page lies
// there, or the page that is said to list it does and links to it.
func (d *Intake) backlink(ctx context.Context, prover proof.Prover, e *catalog.Entry, listing string) (catalog.Signal, bool) {
	s := catalog.Signal{Kind: catalog.SignalBacklink, ObservedAt: d.run.opts.Now}
	pages := []string{e.PrimarySourceURL, e.HomepageURL}
	if e.Dataset != nil {
		pages = append(pages, e.Dataset.LandingPage)
	}
	for _, u := range pages {
		if title, ok := d.portals[catalog.Host(u)]; ok {
			s.Held, s.EvidenceURL, s.Detail = true, u, title
			return s, true
		}
	}
	title, known := d.portals[catalog.Host(listing)]
	if !known {
		return s, false
	}
	official := func(host string) bool { _, ok := d.portals[host]; return ok }
	for _, f := range prover.Prove(ctx, proof.Subject{Served: addresses(e), Pages: []string{listing}, Official: official}) {
		if f.Kind == catalog.SignalReciprocal && f.Outcome != proof.Untried {
			s.Held, s.EvidenceURL, s.Detail = f.Outcome == proof.Held, listing, cmp.Or(f.Detail, title)
			return s, true
		}
	}
	return s, false
}

// Filed is what became of a draft in the register.
type Filed struct {
	// Entry is the new candidate, or the entry that the draft is about.
	Entry *catalog.Entry
	// Found tells that the entry was there before.
	Found bool
}

// File puts a draft into the register as a new entry in the status that the
// decision asks for, unless the register has it: active entries are public by
// the rule of officialness, pending ones wait for a moderator. A draft that
// breaks a rule of the register is a catalog.FieldError.
func (d *Intake) File(ctx context.Context, tx catalog.Tx, k *Case, to catalog.Status, reason string) (Filed, error) {
	e := own(&k.c.entry)
	book, err := identity.Open(ctx, tx, []*catalog.Entry{&e})
	if err != nil {
		return Filed{}, err
	}
	if found, err := book.Find(ctx, &e); err != nil || found != nil {
		return Filed{Entry: found, Found: true}, err
	}
	if err := book.Assign(ctx, &e); err != nil {
		return Filed{}, err
	}
	now := d.run.opts.Now
	identity.StampDetails(&e, nil, now)
	e.CreatedAt, e.UpdatedAt, e.ContentChangedAt = now, now, now
	v := verdict{status: to, rule: catalog.AdmittedByRule, reason: reason}
	v.apply(&e, &d.run.opts)
	if err := e.Validate(); err != nil {
		return Filed{}, err
	}
	event := catalog.Event{Type: catalog.EventCreated, OccurredAt: now}
	if to == catalog.StatusPending {
		event.Type = catalog.EventUpdated
		event.Changes = []catalog.FieldChange{{Field: "status", From: []byte("null"), To: []byte(`"` + string(to) + `"`)}}
	}
	rows := append([]catalog.FieldRow{v.row(d.run.in)}, slices.Clone(k.c.rows)...)
	write := catalog.Write{Entry: &e, Provenance: &catalog.Provenance{EntryID: e.ID, Rows: rows}, Events: []catalog.Event{event}}
	return Filed{Entry: &e}, tx.Entries().Put(ctx, write)
}
