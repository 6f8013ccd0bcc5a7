package catalog

import (
	"context"
	"encoding/json"
	"time"
)

// Store keeps the catalog of record. What a committed Update wrote survives
// the death of the process at any instant.
type Store interface {
	// Update runs fn in one read-write transaction and commits it when fn
	// returns nil. Events written by concurrent Updates are numbered in the
	// order in which the transactions commit. fn may run more than once.
	Update(ctx context.Context, fn func(Tx) error) error
	// View runs fn in one read-only transaction that sees one state of the
	// store from its beginning to its end.
	View(ctx context.Context, fn func(Tx) error) error
	// Close releases the store.
	Close() error
}

// Tx gives access to every aggregate inside one transaction. A value obtained
// from it must not be used after the transaction's end.
type Tx interface {
	Entries() Entries
	Provenances() Provenances
	Institutions() Institutions
	Licences() Licences
	Sources() Sources
	Runs() Runs
	PublisherDecisions() PublisherDecisions
	Checks() Checks
	CheckStates() CheckStates
	Probes() Probes
	Profiles() Profiles
	Overrides() Overrides
	Targets() Targets
	Evidences() Evidences
	RawRecords() RawRecords
	Scores() Scores
	UseDays() UseDays
	Events() Events
	Jobs() Jobs
	Tokens() Tokens
	Sessions() Sessions
	Tallies() Tallies
	Audits() Audits
	Submissions() Submissions
	Candidates() Candidates
	Moderations() Moderations
	Claims() Claims
	Reports() Reports
	Incidents() Incidents
	Replays() Replays
	Webhooks() Webhooks
	Deliveries() Deliveries
	Watches() Watches
	WatchItems() WatchItems
	Meta() Meta
	Changes() Changes
	// Try runs fn; when it fails, nothing of what it wrote remains, and the
	// transaction goes on.
	Try(ctx context.Context, fn func() error) error
}

// Range is an interval of entry ids: After < id <= Through, in byte order. An
// empty After is the beginning, an empty Through the end.
type Range struct {
	After, Through string
	// Fleeting says that no text of a record is kept but ids and slugs of
	// entries. All others may then share the memory of the record's document,
	// which is quick to read.
	Fleeting bool
}

// Only is the range of one id of the register, a UUID.
func Only(id string) Range {
	if id == "" {
		return Range{After: "\x7f", Through: "\x00"}
	}
	last := len(id) - 1
	return Range{After: id[:last] + string(id[last]-1), Through: id}
}

// Write is one entry to be stored with what belongs to the same change.
type Write struct {
	// Entry is written whole. Put sets its Revision.
	Entry *Entry
	// Provenance replaces the entry's document; nil leaves it as it is.
	Provenance *Provenance
	// ProvenanceDoc stands for Provenance when the caller has it as JSON that
	// names the entry; the store keeps it as it is.
	ProvenanceDoc string
	// Events says what changed, in order; at least one. Put sets their
	// Number and EntryID. The last one's number becomes the revision.
	Events []Event
}

// Entries stores entries. Every change of an entry goes through Put and
// carries its events.
type Entries interface {
	// Get returns the entries with these ids, sorted by id; unknown ids are
	// left out. The texts of an entry, but for ids and slugs of entries, share
	// the memory of its document: what is kept of them for long is to be cloned.
	Get(ctx context.Context, ids ...string) ([]Entry, error)
	// BySlug returns, for each of the slugs that was ever given, the id of
	// its owner; former slugs count.
	BySlug(ctx context.Context, slugs ...string) (map[string]string, error)
	// Match returns the ids of the entries that have one of the keys as
	// upstream ref or match key, or have or had it as alias or identifier, in
	// the form key → ids sorted by creation and id. Removed entries count, so
	// that what a moderator removed does not come back.
	Match(ctx context.Context, keys ...string) (map[string][]string, error)
	// Put inserts or replaces entries and appends their events. A slug that
	// another entry owns is an ErrConflict; so is an entry whose id exists
	// with another creation time.
	Put(ctx context.Context, writes ...Write) error
	// Redact is a Put that forgets what was: the entry's former slugs, and what
	// its events told beside their kind and time.
	Redact(ctx context.Context, w Write) error
	// Scan calls fn for each entry of the range in id order.
	Scan(ctx context.Context, r Range, fn func(*Entry) error) error
	// Keys calls fn for the key of each entry in id order. fn must keep no
	// pointer to it and must not use the transaction.
	Keys(ctx context.Context, fn func(*Key) error) error
	// Since returns up to limit entries with a revision above the given one,
	// in revision order.
	Since(ctx context.Context, revision int64, limit int) ([]Entry, error)
	// Restore writes entries as they are: revision kept, no event. It serves
	// `assay import` of a whole register only.
	Restore(ctx context.Context, writes ...Write) error
}

// Provenances reads provenance documents; they are written by Entries.Put.
type Provenances interface {
	// Get returns the document of an entry or ErrNotFound.
	Get(ctx context.Context, entryID string) (*Provenance, error)
	// Scan calls fn for each document of the range in entry id order.
	Scan(ctx context.Context, r Range, fn func(*Provenance) error) error
}

// Institutions stores institutions.
type Institutions interface {
	Put(ctx context.Context, list ...Institution) error
	Get(ctx context.Context, id string) (*Institution, error)
	// All returns every institution sorted by id.
	All(ctx context.Context) ([]Institution, error)
}

// Licences stores the licence table.
type Licences interface {
	Put(ctx context.Context, list ...Licence) error
	// All returns every licence sorted by id.
	All(ctx context.Context) ([]Licence, error)
}

// Sources stores the catalogues that entries come from.
type Sources interface {
	Put(ctx context.Context, list ...Source) error
	Get(ctx context.Context, id string) (*Source, error)
	// All returns every source sorted by id.
	All(ctx context.Context) ([]Source, error)
}

// Checks stores probes. A check is never changed; writing the same one twice
// (same entry and time) keeps the first.
type Checks interface {
	Append(ctx context.Context, list ...Check) error
	// Scan calls fn for each check of the range of entries made at or after
	// since, ordered by entry id and time.
	Scan(ctx context.Context, r Range, since time.Time, fn func(*Check) error) error
	// Between calls fn for each check made at or after from and before to,
	// ordered by entry id and time. fn must not use the transaction.
	Between(ctx context.Context, from, to time.Time, fn func(*Check) error) error
	// Oldest is the time of the oldest check, zero when there is none.
	Oldest(ctx context.Context) (time.Time, error)
	// Prune deletes the checks made before the time and returns how many.
	Prune(ctx context.Context, before time.Time) (int64, error)
	// PutDays stores daily sums. Of two sums of the same entry and day the one
	// of more checks is kept.
	PutDays(ctx context.Context, list ...CheckDay) error
	// ScanDays calls fn for each day of the range by entry id and day.
	ScanDays(ctx context.Context, r Range, fn func(*CheckDay) error) error
}

// CheckStates stores the running verdict of each entry. A change of state goes
// with its event through Set.
type CheckStates interface {
	// Set replaces the states and appends the events, whose Number it sets.
	// An event with an EntryID becomes that entry's revision.
	Set(ctx context.Context, states []CheckState, events []Event) error
	// Get returns the state of an entry or ErrNotFound.
	Get(ctx context.Context, entryID string) (*CheckState, error)
	// Of returns the states of these entries sorted by id; an entry that was
	// never checked has none.
	Of(ctx context.Context, entryIDs ...string) ([]CheckState, error)
	// Scan calls fn for each state of the range in entry id order.
	Scan(ctx context.Context, r Range, fn func(*CheckState) error) error
}

// Profiles stores data profiles, one per entry.
type Profiles interface {
	Put(ctx context.Context, list ...Profile) error
	// Get returns the profile of an entry or ErrNotFound.
	Get(ctx context.Context, entryID string) (*Profile, error)
	Scan(ctx context.Context, r Range, fn func(*Profile) error) error
}

// Overrides stores curators' edits; revoking is a Put with RevokedAt set.
type Overrides interface {
	Put(ctx context.Context, list ...Override) error
	// Scan calls fn for each override of the range, revoked ones too, in the
	// order of entry id, creation and id.
	Scan(ctx context.Context, r Range, fn func(*Override) error) error
}

// Targets stores reliability targets.
type Targets interface {
	Put(ctx context.Context, list ...Target) error
	// Scan calls fn for each target of the range by entry id and id.
	Scan(ctx context.Context, r Range, fn func(*Target) error) error
}

// Evidences stores durable citations, once per hash.
type Evidences interface {
	// Put stores what is new; the same entry and hash again is kept once.
	Put(ctx context.Context, list ...Evidence) error
	// Get returns the citation or ErrNotFound.
	Get(ctx context.Context, id string) (*Evidence, error)
	// ByHash returns the citations whose body, or whose answer without its
	// manifest, has the hash, by entry id and id.
	ByHash(ctx context.Context, sum string) ([]Evidence, error)
	// Scan calls fn for each citation of the range by entry id and id.
	Scan(ctx context.Context, r Range, fn func(*Evidence) error) error
}

// Scores stores the daily scores.
type Scores interface {
	// Put writes the scores of a day; the same entry and day is replaced.
	Put(ctx context.Context, list ...ScoreDay) error
	// Scan calls fn for each day of the range by entry id and day.
	Scan(ctx context.Context, r Range, fn func(*ScoreDay) error) error
}

// Events is the log of what happened.
type Events interface {
	// Append numbers and stores events that belong to no entry write.
	Append(ctx context.Context, events ...Event) error
	// After returns up to limit events with a higher number, in order.
	After(ctx context.Context, number int64, limit int) ([]Event, error)
	// About returns up to limit events of an entry with a lower number, newest first; 0
	// begins at the newest.
	About(ctx context.Context, entryID string, before int64, limit int) ([]Event, error)
	// Last is the highest number given so far, 0 when there is none.
	Last(ctx context.Context) (int64, error)
	// Restore stores events under their own numbers, for `assay import` of a
	// whole register only; a number that exists is kept as it is.
	Restore(ctx context.Context, events ...Event) error
}

// JobFilter narrows a list of jobs; zero fields do not.
type JobFilter struct {
	Kind  string
	State JobState
	After string
	Limit int
}

// JobCount is how many jobs of a kind are in a state.
type JobCount struct {
	Kind  string
	State JobState
	Jobs  int
	// Since is when the first of them was due, or, of those that run, when the
	// first lease ends.
	Since time.Time
}

// What cannot be true of a lease or a job unless a clock ran ahead.
const (
	// ClockSlack is how far the clocks of processes on one store may be apart.
	// No lease lasts as long.
	ClockSlack = time.Hour
	// LongestDelay is more than anything is put off by: mail once a week.
	LongestDelay = 8 * 24 * time.Hour
)

// Seconds are the whole seconds between two instants, as a log tells how long
// something took: none where the clock was set back in between.
func Seconds(from, to time.Time) int { return int(max(0, to.Sub(from)).Seconds()) }

// LeaseHeld tells whether a lease that ends at a time is in force. One that ends
// more than ClockSlack from now was made by a clock that ran ahead, and holds
// nothing.
func LeaseHeld(until, now time.Time) bool {
	return until.After(now) && until.Sub(now) <= ClockSlack
}

// Jobs is the durable work queue. A worker leases a job, extends the lease
// while it works, and settles it; a lease that runs out gives the job to the
// next worker.
type Jobs interface {
	// Enqueue stores jobs. A job whose UniqueKey is queued or running already
	// is dropped, and so is one whose id exists; Enqueue returns the ids that
	// were stored. A schedule is a job whose UniqueKey names its kind and slot.
	Enqueue(ctx context.Context, jobs ...Job) ([]string, error)
	// Lease takes up to n due jobs of the kinds for the worker until the
	// given time: queued ones, and running ones whose lease ran out; those
	// that have no attempt left become failed.
	Lease(ctx context.Context, worker string, kinds []string, now, until time.Time, n int) ([]Job, error)
	// Extend prolongs a lease and stores progress; ErrLeaseLost when the
	// worker no longer holds the job.
	Extend(ctx context.Context, id, worker string, until time.Time, progress json.RawMessage) error
	// Settle ends an attempt: a nil failure makes the job done; otherwise it
	// is queued again for retryAt, or failed when no attempt is left or
	// retryAt is zero. ErrLeaseLost as above.
	Settle(ctx context.Context, id, worker string, now time.Time, failure error, retryAt time.Time) error
	// GiveBack ends an attempt as if it had not been: the job is due at the time, with
	// its attempts and its progress as they were. ErrLeaseLost as above.
	GiveBack(ctx context.Context, id, worker string, at time.Time) error
	// Rewind makes the jobs due now that a clock which ran ahead would keep
	// waiting: those with a lease that ends more than ClockSlack from now, those
	// queued at a time that is more than ClockSlack from now, and those put off
	// for longer than LongestDelay, unless they are of PlannedJobs and were not
	// attempted. It returns how many.
	Rewind(ctx context.Context, now time.Time) (int64, error)
	// Cancel ends a queued or running job; ErrConflict when it has ended.
	Cancel(ctx context.Context, id string, now time.Time) error
	// Get returns a job or ErrNotFound.
	Get(ctx context.Context, id string) (*Job, error)
	// Count counts the jobs by state.
	Count(ctx context.Context) (map[JobState]int, error)
	// Depth counts the jobs by kind and state, in this order.
	Depth(ctx context.Context) ([]JobCount, error)
	// List returns jobs by creation and id.
	List(ctx context.Context, f JobFilter) ([]Job, error)
	// Prune deletes the jobs that ended before the time and returns how many.
	Prune(ctx context.Context, before time.Time) (int64, error)
}

// Tokens stores the rights of those who administer the register.
type Tokens interface {
	// Put stores tokens; revoking is a Put with RevokedAt set.
	Put(ctx context.Context, list ...Token) error
	// ByHash returns the token of a hash, revoked or not, or ErrNotFound.
	ByHash(ctx context.Context, hash string) (*Token, error)
	// All returns every token by creation and id.
	All(ctx context.Context) ([]Token, error)
}

// Audits is the log of what people changed.
type Audits interface {
	// Append numbers and stores rows.
	Append(ctx context.Context, rows ...AuditRow) error
	// Before returns up to limit rows with a lower number, newest first; 0
	// begins at the newest. A subject, if not empty, narrows them.
	Before(ctx context.Context, number int64, subject string, limit int) ([]AuditRow, error)
}

// Meta stores small values by name.
type Meta interface {
	// Get returns the value or "" when there is none.
	Get(ctx context.Context, key string) (string, error)
	// Set stores a value; an empty one deletes it.
	Set(ctx context.Context, key, value string) error
}

// Changes tells of which entries rows were written, so that a build can leave all
// others as they were.
type Changes interface {
	// Mark sets a mark and returns its name. The store knows the latest MarksKept.
	Mark(ctx context.Context) (string, error)
	// Since returns, ascending, the ids of the entries of which any row but a score was
	// written after a mark was set, also of those that are no more. ErrNotFound says that the store does
	// not know the mark: it is another store, or one that was put back, and
	// everything may be different.
	Since(ctx context.Context, mark string) ([]string, error)
}

// MarksKept is how many marks a store knows.
const MarksKept = 1000
