package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Probe is when an entry is checked next.
type Probe struct {
	EntryID string
	// Host is whose probes must not overlap: the host of the probe's address
	// in lower case, with its port unless that is the one of the scheme.
	Host  string
	DueAt time.Time
	// FailedAt is the time of a failure that waits for its confirmation, zero
	// when there is none (decisions §5, "Verification").
	FailedAt time.Time
	// SurveyAt is when a check that succeeds is to be followed by a closer look
	// at the source: its data, its description, its tools. Zero is at once.
	SurveyAt time.Time
}

// ProbeHost is a host that entries are probed on.
type ProbeHost struct {
	Host string
	// Entries is how many entries are probed there.
	Entries int
	// DownSince is since when no probe has reached the host, zero while it
	// answers.
	DownSince time.Time
	// FailingAt is when the host as a whole was declared down, zero while it
	// is not.
	FailingAt time.Time
}

// HostLease gives a worker the right to probe a host until a time.
type HostLease struct {
	ProbeHost
	// Worker is who has it.
	Worker string
	Until  time.Time
	// Due are the probes to be made: failures that wait for confirmation
	// first, then those that have been due longest.
	Due []Probe
}

// LeaseRequest says what a worker is ready to do.
type LeaseRequest struct {
	// Worker tells those apart that take hosts.
	Worker string
	// Now is the time, Until when the lease ends if the worker is not heard of.
	Now, Until time.Time
	// Hosts and Each are how many hosts, and how many due probes on each, are
	// taken at most.
	Hosts, Each int
	// Among narrows the choice to these hosts; empty does not.
	Among []string
}

// HostSettled is what a worker did on a host that it holds.
type HostSettled struct {
	Worker, Host string
	// Probes have their new times.
	Probes []Probe
	// DownSince and FailingAt are the host's.
	DownSince, FailingAt time.Time
	// Release gives the host back, to be leased from FreeAt on; without it
	// the lease goes on.
	Release bool
	FreeAt  time.Time
}

// Probes is the timetable of the checks, shared by all workers. A host is
// leased to one worker at a time; a lease that runs out gives it to the next.
type Probes interface {
	// Plan puts entries into the timetable. An entry that is there with the
	// same host keeps its times; one without a host is taken out.
	Plan(ctx context.Context, list ...Probe) error
	// Advance makes entries due at the time if they are due later and wait
	// for no confirmation; without ids, all of them.
	Advance(ctx context.Context, at time.Time, entryIDs ...string) error
	// Lease takes free hosts with due probes, those that wait longest first.
	// It waits for no other writer.
	Lease(ctx context.Context, r LeaseRequest) ([]HostLease, error)
	// Hold returns who holds each of the hosts, none for one that is free; none of
	// them can be leased to another one before the transaction ends.
	Hold(ctx context.Context, hosts ...string) (map[string]string, error)
	// Settle stores what was done on hosts that their workers hold, each at
	// most once. A probe that was planned for another host meanwhile stays as
	// it is.
	Settle(ctx context.Context, list ...HostSettled) error
	// Rewind undoes what a clock that ran ahead wrote: leases of hosts that end
	// more than ClockSlack from now end at once, and so do pauses of hosts that
	// last beyond latest; probes due after latest are due now, and closer looks
	// due after survey (none, if it is zero); confirmations of failures in the
	// future are not waited for. It returns how many hosts and probes it changed.
	Rewind(ctx context.Context, now, latest, survey time.Time) (int64, error)
	// Due counts the entries that are due at the time.
	Due(ctx context.Context, at time.Time) (int, error)
	// Scan calls fn for each planned entry of the range in entry id order.
	Scan(ctx context.Context, r Range, fn func(*Probe) error) error
	// Hosts calls fn for each host that has entries, by name. fn must not use
	// the transaction.
	Hosts(ctx context.Context, fn func(*ProbeHost) error) error
}

// probeTally is the name in Meta of the tally of all probes.
const probeTally = "verify.tally"

// ProbeTally counts what all processes have probed on a store since its
// beginning, in the transactions that record it.
type ProbeTally struct {
	// Last is when the latest outcome was stored, zero before the first.
	Last time.Time `json:"last"`
	// Up to HostDown count the checks by their outcome: the source answered, it
	// did not, or its whole host was down. Unconfirmed counts the failures that
	// wait for a second probe, Deferred the probes that led to a host that rests, Withheld
	// the failures that say nothing of a source, for nobody could be reached.
	Up          int64 `json:"up"`
	Down        int64 `json:"down"`
	HostDown    int64 `json:"host_down"`
	Unconfirmed int64 `json:"unconfirmed"`
	Deferred    int64 `json:"deferred"`
	Withheld    int64 `json:"withheld"`
}

// ReadProbeTally reads the tally.
func ReadProbeTally(ctx context.Context, m Meta) (t ProbeTally, err error) {
	doc, err := m.Get(ctx, probeTally)
	if err != nil || doc == "" {
		return t, err
	}
	if err := json.Unmarshal([]byte(doc), &t); err != nil {
		return t, fmt.Errorf("meta %s holds no tally: delete it, and the next probe begins anew: %w: %w", probeTally, ErrInvalid, err)
	}
	return t, nil
}

// Write stores the tally.
func (t *ProbeTally) Write(ctx context.Context, m Meta) error {
	doc, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return m.Set(ctx, probeTally, string(doc))
}
