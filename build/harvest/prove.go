package harvest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/proof"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// doubtAfter is how many times in a row a page must fail to be read before a
// proof that was seen on it is taken back.
const doubtAfter = 3

// ProveOptions steer a look at the web for proofs.
type ProveOptions struct {
	// Now is the time of the look, Clock tells it while it goes on; nil stands
	// still.
	Now   time.Time
	Clock func() time.Time
	// Worker tells the processes apart.
	Worker string
	// Source limits it to the entries that one source lists; "" takes all.
	Source string
	// Entries is how many entries are looked at; 0 is 1,000. The next look
	// goes on after the last one.
	Entries int
	// PublishWindow and Thresholds are those of Options, for entries that are
	// approved.
	PublishWindow time.Duration
	Thresholds    catalog.Thresholds
}

// ProveReport says what a look found.
type ProveReport struct {
	// Looked counts the entries that were looked at, Failed those of which a
	// page could not be read, Changed those whose proofs changed, Approved
	// those that the proofs made public.
	Looked   int `json:"looked"`
	Failed   int `json:"failed"`
	Changed  int `json:"changed"`
	Approved int `json:"approved"`
}

// Prove looks for the proofs that only the web can give, reciprocal links and
// policies, of entries whose institution is known. What it finds changes their
// signals with an event; a page that could not be read changes nothing until it
// has failed three times in a row. One process at a time looks at the entries of a
// source; the others get a BusyError.
func Prove(ctx context.Context, st catalog.Store, p proof.Prover, opts ProveOptions) (ProveReport, error) {
	if opts.Entries <= 0 {
		opts.Entries = 1000
	}
	if opts.Clock == nil {
		opts.Clock = func() time.Time { return opts.Now }
	}
	l := &look{store: st, prover: p, opts: opts}
	options := Options{Now: opts.Now, PublishWindow: opts.PublishWindow, Thresholds: opts.Thresholds}.orDefault()
	rules, err := newResolver(ctx, st, &source.Input{Source: catalog.Source{ID: opts.Source}, Now: opts.Now}, &options)
	if err != nil {
		return l.report, err
	}
	l.rules = rules
	if err := l.begin(ctx); err != nil {
		return l.report, fmt.Errorf("look for proofs: %w", err)
	}
	if err := errors.Join(l.all(ctx), l.end(ctx)); err != nil {
		return l.report, fmt.Errorf("look for proofs: %w", err)
	}
	return l.report, ctx.Err()
}

// all looks at what is due.
func (l *look) all(ctx context.Context) error {
	subjects, err := l.due(ctx)
	if err != nil {
		return err
	}
	for i := 0; i < len(subjects) && ctx.Err() == nil; i++ {
		if err := l.hold(ctx); err != nil {
			return err
		}
		if err := l.prove(ctx, &subjects[i]); err != nil {
			return fmt.Errorf("entry %s: %w", subjects[i].ID, err)
		}
		l.state.After = subjects[i].ID
	}
	return nil
}

// look is one look under way.
type look struct {
	store  catalog.Store
	prover proof.Prover
	opts   ProveOptions
	rules  *resolver
	state  lookState
	report ProveReport
}

// due are the next entries to look at, after the last one of the look before,
// from the beginning again when the end is reached.
func (l *look) due(ctx context.Context) ([]catalog.Entry, error) {
	ranges := []catalog.Range{{After: l.state.After}}
	if l.state.After != "" {
		ranges = append(ranges, catalog.Range{Through: l.state.After})
	}
	var list []catalog.Entry
	err := l.store.View(ctx, func(tx catalog.Tx) error {
		list = nil
		for _, r := range ranges {
			err := tx.Entries().Scan(ctx, r, func(e *catalog.Entry) error {
				if l.wants(e) {
					list = append(list, *e)
				}
				if len(list) == l.opts.Entries {
					return errEnough
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return list, err
}

// errEnough ends a scan early.
var errEnough = errors.New("enough entries")

// wants tells whether proofs on the web can matter for an entry.
func (l *look) wants(e *catalog.Entry) bool {
	return (e.Status == catalog.StatusActive || e.Status == catalog.StatusPending) && !e.ThirdParty &&
		l.rules.byID[e.InstitutionID] != nil && (l.opts.Source == "" || e.SourceID == l.opts.Source)
}

// prove looks at one entry and writes what changed.
func (l *look) prove(ctx context.Context, e *catalog.Entry) error {
	inst := l.rules.byID[e.InstitutionID]
	findings := l.prover.Prove(ctx, proof.Subject{
		Served: served(e), Pages: []string{e.HomepageURL, e.DocsURL, e.PrimarySourceURL, inst.HomepageURL},
		Official: func(host string) bool {
			_, ok := l.rules.domains.Covers(inst.Key, inst.OfficialDomains, host)
			return ok
		},
	})
	l.report.Looked++
	fresh := l.signals(e, findings)
	if slices.EqualFunc(mergeSignals(e.Signals, fresh), e.Signals, func(a, b catalog.Signal) bool { return a == b }) {
		return nil
	}
	var w catalog.Write
	err := l.store.Update(ctx, func(tx catalog.Tx) error {
		var err error
		w, err = l.write(ctx, tx, e.ID, fresh)
		return err
	})
	if err == nil && len(w.Events) > 0 {
		l.report.Changed++
		if e.Status == catalog.StatusPending && w.Entry.Status == catalog.StatusActive {
			l.report.Approved++
		}
	}
	return err
}

// signals turns findings into signals. What could not be tried leaves no
// signal; a failure counts against a proof that was seen before.
func (l *look) signals(e *catalog.Entry, findings []proof.Finding) []catalog.Signal {
	var list []catalog.Signal
	failed := false
	for _, f := range findings {
		key := e.ID + "|" + string(f.Kind)
		known, _ := signalOf(e.Signals, f.Kind)
		if f.Kind == catalog.SignalPolicy && known.Held && strings.HasPrefix(known.Detail, statedPolicy) {
			continue // the record proves it, at every harvest
		}
		s := catalog.Signal{Kind: f.Kind, Held: f.Outcome == proof.Held, EvidenceURL: f.EvidenceURL, Detail: f.Detail, ObservedAt: l.opts.Now}
		switch f.Outcome {
		case proof.Untried:
			continue
		case proof.Failed:
			failed = true
			if l.state.Failures[key]++; l.state.Failures[key] < doubtAfter || !known.Held {
				continue
			}
			s.Detail = fmt.Sprintf("not seen again, as the page failed %d times in a row", doubtAfter)
		}
		delete(l.state.Failures, key)
		list = append(list, s)
	}
	if failed {
		l.report.Failed++
	}
	return list
}

func signalOf(list []catalog.Signal, kind catalog.SignalKind) (catalog.Signal, bool) {
	i := slices.IndexFunc(list, func(s catalog.Signal) bool { return s.Kind == kind })
	if i < 0 {
		return catalog.Signal{}, false
	}
	return list[i], true
}

// write lays fresh signals over the entry as it is stored now, and approves it
// if the rule then admits it. A write without events changes nothing.
func (l *look) write(ctx context.Context, tx catalog.Tx, id string, fresh []catalog.Signal) (catalog.Write, error) {
	stored, err := tx.Entries().Get(ctx, id)
	if err != nil || len(stored) == 0 {
		return catalog.Write{}, err
	}
	next := own(&stored[0])
	next.Signals = mergeSignals(next.Signals, fresh)
	it := &item{origin: &stored[0], entry: &next}
	r := &run{in: l.rules.in, opts: *l.rules.opts, rules: l.rules}
	b := &batchPlan{tx: tx, byID: map[string]*item{}}
	if err := r.reconsider(ctx, b, it, &candidate{entry: next}); err != nil {
		return catalog.Write{}, err
	}
	w, err := r.writeOf(it)
	if err != nil || len(w.Events) == 0 {
		return w, err
	}
	return w, tx.Entries().Put(ctx, w)
}
