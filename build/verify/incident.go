package verify

import (
	"context"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// turn is a check with the verdicts before and after it.
type turn struct {
	note          *note
	before, after *catalog.CheckState
}

// keepIncidents opens and ends the incidents that follow from stored checks, in their transaction.
// The rule is that of catalog.Incident: it looks at nothing but checks and verdicts, so who has the
// checks comes to the same. A source that was failing before incidents were kept gets its own with
// the next check.
func (p *page) keepIncidents(ctx context.Context, tx catalog.Tx) error {
	touched, left := map[string]*note{}, departures{}
	for _, t := range p.turns {
		changed, err := t.keep(ctx, tx)
		if err != nil {
			return err
		}
		n := t.note
		for _, host := range changed {
			switch {
			case n.gone:
				left.add(host, n.left, 1)
			case host != n.host:
				left.add(host, n.check.At, 0)
			default:
				touched[host] = n
			}
		}
		if n.hostEvent != nil {
			touched[n.host] = n
		}
		if e := t.note.hostEvent; e != nil {
			if err := keepHost(ctx, tx, t.note, e.Type == catalog.EventHostFailing); err != nil {
				return err
			}
		}
	}
	hosts := make([]string, 0, len(touched))
	for host := range touched {
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	for _, host := range hosts {
		if err := together(ctx, tx, touched[host]); err != nil {
			return err
		}
	}
	return left.relieve(ctx, tx)
}

// Judged is a stored check with the verdicts before and after it.
type Judged struct {
	Host          string
	Check         *catalog.Check
	Before, After *catalog.CheckState
}

// KeepIncidents opens and ends the incidents of sources that follow from stored checks, for who
// judges checks otherwise than by a run.
func KeepIncidents(ctx context.Context, tx catalog.Tx, list ...Judged) error {
	for i := range list {
		j := &list[i]
		t := turn{note: &note{host: j.Host, check: j.Check, probe: catalog.Probe{EntryID: j.Check.EntryID}}, before: j.Before, after: j.After}
		if _, err := t.keep(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// keep opens or ends the incident of a source, and tells on which hosts it did.
func (t *turn) keep(ctx context.Context, tx catalog.Tx) (hosts []string, err error) {
	n := t.note
	switch {
	case n.check == nil && !n.gone, n.check != nil && (n.check.HostDown || t.after.State != catalog.StateFailing && !t.recovers()):
		return nil, nil
	}
	open, err := tx.Incidents().OpenOf(ctx, n.probe.EntryID)
	if err != nil {
		return nil, err
	}
	if n.gone {
		return endAll(ctx, tx, open, func(i *catalog.Incident) { unresolved(i, n.left) })
	}
	if !n.check.Up {
		if len(open) > 0 {
			return nil, nil
		}
		i, err := opened(ctx, tx, t)
		if err != nil {
			return nil, err
		}
		return []string{i.Host}, tx.Incidents().Put(ctx, i)
	}
	last, _, err := failed(ctx, tx, n.check, t.before.SucceededAt)
	if err != nil {
		return nil, err
	}
	return endAll(ctx, tx, open, func(i *catalog.Incident) {
		i.Until, i.Failures = n.check.At, max(i.Failures, t.before.ConsecutiveFailures)
		if at := len(last) - 1; at >= 0 && last[at].At.After(i.Evidence[len(i.Evidence)-1].At) {
			i.Evidence = append(i.Evidence, catalog.EvidenceOf(&last[at]))
		}
		i.Evidence = append(i.Evidence, catalog.EvidenceOf(n.check))
	})
}

// evidence is what an incident keeps of a probe, also of one that counts for nothing yet: a host that
// answers anything is reached.
func (n *note) evidence() catalog.IncidentCheck {
	if n.check == nil {
		return catalog.EvidenceOf(&n.outcome.Check)
	}
	return catalog.EvidenceOf(n.check)
}

// unresolved ends an incident when its source left, which may have been while it was asked for
// the last time.
func unresolved(i *catalog.Incident, left time.Time) {
	i.Until, i.Unresolved = later(left, i.OpenedAt), true
}

func (t *turn) recovers() bool {
	return t.before != nil && t.before.State == catalog.StateFailing && t.after.State == catalog.StateVerified
}

// endAll ends incidents and tells on which hosts, which need not be those where their sources are asked now.
func endAll(ctx context.Context, tx catalog.Tx, open []catalog.Incident, end func(*catalog.Incident)) (hosts []string, err error) {
	for i := range open {
		end(&open[i])
		hosts = append(hosts, open[i].Host)
	}
	if len(open) == 0 {
		return nil, nil
	}
	return hosts, tx.Incidents().Put(ctx, open...)
}

// opened is the incident that a failing check makes: it begins with the first failure in the row,
// or, where that check is not kept any more, with the verdict.
func opened(ctx context.Context, tx catalog.Tx, t *turn) (catalog.Incident, error) {
	c := t.note.check
	row, count, err := failed(ctx, tx, c, t.after.SucceededAt)
	if err != nil {
		return catalog.Incident{}, err
	}
	i := catalog.Incident{EntryID: c.EntryID, Host: t.note.host, Cause: catalog.CauseSource, From: c.At, OpenedAt: c.At, Failures: max(count, t.after.ConsecutiveFailures), Evidence: []catalog.IncidentCheck{}}
	if len(row) > 0 {
		i.From = row[0].At
	}
	if since := t.after.Since; !since.IsZero() && since.Before(c.At) {
		i.OpenedAt = since
		if since.Before(i.From) {
			i.From = since
		}
	}
	for k := range row[:min(len(row), FailuresToFail)] {
		i.Evidence = append(i.Evidence, catalog.EvidenceOf(&row[k]))
	}
	i.ID = catalog.NewIncidentID(c.EntryID, i.From)
	return i, nil
}

// failed are the failures of a source before and with a check that count, since its last success:
// the first ones and the last.
func failed(ctx context.Context, tx catalog.Tx, c *catalog.Check, since time.Time) (list []catalog.Check, count int, err error) {
	err = tx.Checks().Scan(ctx, catalog.Only(c.EntryID), since, func(k *catalog.Check) error {
		if k.Up || k.HostDown || k.At.After(c.At) {
			return nil
		}
		count++
		if len(list) > FailuresToFail {
			list = list[:FailuresToFail]
		}
		list = append(list, *k)
		return nil
	})
	return list, count, err
}

// keepHost opens or ends the incident of a host that was declared down, or is reached again.
func keepHost(ctx context.Context, tx catalog.Tx, n *note, down bool) error {
	open, err := tx.Incidents().OpenOn(ctx, n.host)
	if err != nil {
		return err
	}
	whole, sources := split(open)
	evidence := n.evidence()
	switch {
	case down && whole == nil:
		whole = &catalog.Incident{ID: catalog.NewIncidentID(n.host, n.downSince), Host: n.host, From: n.downSince, OpenedAt: evidence.At, Evidence: []catalog.IncidentCheck{}}
		fallthrough
	case down:
		whole.Cause, whole.Sources = catalog.CauseUnreachable, n.entries
	case whole == nil || whole.Cause != catalog.CauseUnreachable:
		return nil
	case len(sources) >= quorum(n.entries):
		whole.Cause = catalog.CauseSeveral
	default:
		whole.Until = evidence.At
	}
	whole.Evidence = bounded(append(whole.Evidence, evidence))
	return tx.Incidents().Put(ctx, *whole)
}

// together opens the incident of a host of which several sources fail, and ends it when fewer do.
func together(ctx context.Context, tx catalog.Tx, n *note) error {
	open, err := tx.Incidents().OpenOn(ctx, n.host)
	if err != nil {
		return err
	}
	whole, sources := split(open)
	enough := quorum(n.entries)
	switch {
	case n.entries == 0 || n.check == nil:
		return nil
	case whole == nil && len(sources) >= enough:
		from := sources[enough-1].From
		whole = &catalog.Incident{ID: catalog.NewIncidentID(n.host, from), Host: n.host, Cause: catalog.CauseSeveral, From: from, OpenedAt: n.check.At, Sources: n.entries}
		for i := range sources {
			if e := sources[i].Evidence; len(e) > 0 {
				whole.Evidence = append(whole.Evidence, e[0])
			}
		}
	case whole != nil && whole.Cause == catalog.CauseSeveral && len(sources) < enough:
		whole.Until = n.check.At
		whole.Evidence = append(whole.Evidence, catalog.EvidenceOf(n.check))
	default:
		return nil
	}
	whole.Evidence = bounded(whole.Evidence)
	return tx.Incidents().Put(ctx, *whole)
}

// quorum is how many sources of a host must fail for an incident of the host.
func quorum(entries int) int { return max(catalog.HostSources, (entries+1)/2) }

// split parts the incident of the whole host from those of its sources.
func split(open []catalog.Incident) (whole *catalog.Incident, sources []catalog.Incident) {
	for i := range open {
		if open[i].EntryID == "" {
			whole = &open[i]
		} else {
			sources = append(sources, open[i])
		}
	}
	return whole, sources
}

// bounded keeps the first pieces of evidence, and the last.
func bounded(list []catalog.IncidentCheck) []catalog.IncidentCheck {
	if n := len(list); n > catalog.EvidenceChecks {
		return append(list[:catalog.EvidenceChecks-1:catalog.EvidenceChecks-1], list[n-1])
	}
	return list
}
