package claims

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// probeable tells whether an owner may have an entry probed at an address: on a host where the
// entry is already, or on an official domain of its institution. A good answer of anybody
// else's server says nothing of the source.
func (g *Group) probeable(ctx context.Context, tx catalog.Tx, e *catalog.Entry, raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Hostname() == "" {
		return invalid("url", raw, "give an http or https address without user name and password")
	}
	host, hosts := strings.ToLower(u.Hostname()), e.ServiceHosts()
	if slices.Contains(hosts, host) {
		return nil
	}
	if e.InstitutionID != "" {
		i, err := tx.Institutions().Get(ctx, e.InstitutionID)
		if err != nil {
			return err
		}
		for _, d := range i.OfficialDomains {
			if host == d || strings.HasSuffix(host, "."+d) {
				return nil
			}
		}
	}
	return invalid("url", raw, "give an address on a host of the entry ("+strings.Join(hosts, ", ")+") or on an official domain of its institution")
}

// probeAt has an entry probed at an address, "" for that of its record, from the next check on.
func (g *Group) probeAt(ctx context.Context, tx catalog.Tx, e *catalog.Entry, address string) error {
	before := *e
	e.ProbeURL = address
	changes, err := catalog.Diff(&before, e, "probe_url")
	if err != nil || len(changes) == 0 {
		return err
	}
	now := g.now()
	if e.UpdatedAt.Before(now) {
		e.UpdatedAt = now
	}
	if err := e.Validate(); err != nil {
		return err
	}
	event := catalog.Event{Type: catalog.EventUpdated, OccurredAt: now, Changes: changes, Data: catalog.ByCurator}
	return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{event}})
}

// unprobe ends the use of the address of a statement that no longer holds.
func (g *Group) unprobe(ctx context.Context, tx catalog.Tx, s *catalog.Statement) error {
	if s.Kind != catalog.StateProbeAddress || s.State != catalog.StatementAccepted {
		return nil
	}
	list, err := tx.Entries().Get(ctx, s.EntryID)
	if err != nil || len(list) == 0 || list[0].ProbeURL != s.URL {
		return err
	}
	return g.probeAt(ctx, tx, &list[0], "")
}

// forget ends what was said by a claim that has ended: the use of addresses, and each statement that held.
func (g *Group) forget(ctx context.Context, tx catalog.Tx, claim string, now time.Time) error {
	list, err := tx.Claims().ByClaim(ctx, claim)
	if err != nil {
		return err
	}
	for i := range list {
		s := &list[i]
		if err := g.unprobe(ctx, tx, s); err != nil {
			return err
		}
		if from := s.State; from.Holds() {
			s.State = catalog.StatementEnded
			if err := g.put(ctx, tx, s, from, now); err != nil {
				return err
			}
		}
	}
	return nil
}
