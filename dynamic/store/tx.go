package store

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

// tx hands out the aggregates of one transaction.
type tx struct{ c *conn }

func (t tx) Entries() catalog.Entries                       { return entries(t) }
func (t tx) Provenances() catalog.Provenances               { return provenances(t) }
func (t tx) Institutions() catalog.Institutions             { return institutions(t) }
func (t tx) Licences() catalog.Licences                     { return licences(t) }
func (t tx) Sources() catalog.Sources                       { return sources(t) }
func (t tx) Runs() catalog.Runs                             { return runs(t) }
func (t tx) PublisherDecisions() catalog.PublisherDecisions { return decisions(t) }
func (t tx) Checks() catalog.Checks                         { return checks(t) }
func (t tx) CheckStates() catalog.CheckStates               { return checkStates(t) }
func (t tx) Probes() catalog.Probes                         { return probes(t) }
func (t tx) Profiles() catalog.Profiles                     { return profiles(t) }
func (t tx) Overrides() catalog.Overrides                   { return overrides(t) }
func (t tx) Targets() catalog.Targets                       { return targets(t) }
func (t tx) Evidences() catalog.Evidences                   { return evidences(t) }
func (t tx) RawRecords() catalog.RawRecords                 { return rawRecords(t) }
func (t tx) Scores() catalog.Scores                         { return scores(t) }
func (t tx) UseDays() catalog.UseDays                       { return useDays(t) }
func (t tx) Events() catalog.Events                         { return events(t) }
func (t tx) Jobs() catalog.Jobs                             { return jobs(t) }
func (t tx) Tokens() catalog.Tokens                         { return tokens(t) }
func (t tx) Sessions() catalog.Sessions                     { return sessions(t) }
func (t tx) Tallies() catalog.Tallies                       { return tallies(t) }
func (t tx) Audits() catalog.Audits                         { return audits(t) }
func (t tx) Submissions() catalog.Submissions               { return submissions(t) }
func (t tx) Candidates() catalog.Candidates                 { return candidates(t) }
func (t tx) Claims() catalog.Claims                         { return claims(t) }
func (t tx) Moderations() catalog.Moderations               { return moderations(t) }
func (t tx) Reports() catalog.Reports                       { return reports(t) }
func (t tx) Incidents() catalog.Incidents                   { return incidents(t) }
func (t tx) Replays() catalog.Replays                       { return replays(t) }
func (t tx) Webhooks() catalog.Webhooks                     { return webhooks(t) }
func (t tx) Deliveries() catalog.Deliveries                 { return deliveries(t) }
func (t tx) Watches() catalog.Watches                       { return watches(t) }
func (t tx) WatchItems() catalog.WatchItems                 { return watchItems(t) }
func (t tx) Meta() catalog.Meta                             { return meta(t) }
func (t tx) Changes() catalog.Changes                       { return changes(t) }

// Try implements catalog.Tx.
func (t tx) Try(ctx context.Context, fn func() error) error { return t.c.atomic(ctx, fn) }
