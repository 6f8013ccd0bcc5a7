package catalog

import (
	"context"
	"strings"
	"time"
)

// RunState is where a harvest of a source stands.
type RunState string

// States of a run.
const (
	// RunRunning is a run under way, or one whose process died.
	RunRunning RunState = "running"
	// RunComplete read the source to its end.
	RunComplete RunState = "complete"
	// RunPartial took some records before it failed.
	RunPartial RunState = "partial"
	// RunFailed took none.
	RunFailed RunState = "failed"
	// RunUnchanged was told by the source that nothing changed since the last
	// complete run (RFC 9110, 304).
	RunUnchanged RunState = "unchanged"
	// RunQuarantined read to the end of a listing that is empty or has shrunk
	// so much that nothing is counted as missing until a person confirms it.
	RunQuarantined RunState = "quarantined"
)

// RunStates lists the states of a run.
func RunStates() []RunState {
	return []RunState{RunRunning, RunComplete, RunPartial, RunFailed, RunUnchanged, RunQuarantined}
}

// HarvestRun is one harvest of one source: a row of the public harvest log.
type HarvestRun struct {
	// ID follows from the source and the start, see NewRunID.
	ID       string `json:"id"`
	SourceID string `json:"source_id"`
	// Kind is the protocol that was spoken.
	Kind  string   `json:"kind"`
	State RunState `json:"state"`
	// StartedAt is also the time that the run gives to what it changes, so
	// that a run that was resumed ends in the state of one that was not.
	StartedAt  time.Time `json:"started_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
	// Owner is the process that runs it, with a token of its own; another process
	// that takes the run over puts its own here. LeaseUntil is until when the owner
	// holds the run without a further sign of life. Both stay with the store: a run
	// that was exported is held by nobody.
	Owner      string    `json:"-"`
	LeaseUntil time.Time `json:"-"`
	// Cursor is where the run goes on when it is resumed: the connector's own
	// word for a place. Empty is the beginning.
	Cursor string `json:"cursor,omitempty"`
	// Resumed counts how often the run was taken up again.
	Resumed int `json:"resumed,omitempty"`
	// Since is set when only what changed from then on was asked for; such a
	// run says nothing about what is missing.
	Since time.Time `json:"since,omitzero"`
	// Pages counts the answers that were read.
	Pages  int       `json:"pages,omitempty"`
	Counts RunCounts `json:"counts"`
	Fields RunFields `json:"fields"`
	// Rejections lists the first of the rejected records.
	Rejections []RunRejection `json:"rejections,omitempty"`
	// Repeats lists the first of the records that had the identity of another.
	Repeats []RunRejection `json:"repeats,omitempty"`
	// Errors are what went wrong with the run as a whole, oldest first.
	Errors []RunError `json:"errors,omitempty"`
	// Notice says what the run left undone, and why.
	Notice string `json:"notice,omitempty"`
	// Validators are those of the source's first page, with which the next run
	// asks whether anything changed.
	Validators []Validator `json:"validators,omitempty"`
	// ConfirmedAt is when a person confirmed a quarantined listing.
	ConfirmedAt time.Time `json:"confirmed_at,omitzero"`
}

// RunCounts says what became of the records: In is the sum of Created to
// Rejected. Missing and Deprecated count entries, not records.
type RunCounts struct {
	In          int `json:"in"`
	Created     int `json:"created"`
	Updated     int `json:"updated"`
	Unchanged   int `json:"unchanged"`
	Merged      int `json:"merged"`
	Quarantined int `json:"quarantined"`
	Suppressed  int `json:"suppressed"`
	// PossibleDuplicates are those of the created and the quarantined that may be
	// the same as an entry of another source.
	PossibleDuplicates int `json:"possible_duplicates,omitempty"`
	// Repeated are records with the identity of another one of the run.
	Repeated int `json:"repeated"`
	Rejected int `json:"rejected"`
	// RejectedBy counts the rejections by their code.
	RejectedBy map[string]int `json:"rejected_by,omitempty"`
	Missing    int            `json:"missing"`
	Deprecated int            `json:"deprecated"`
}

// RunFields tells what the publisher left out from what the harvest lost.
type RunFields struct {
	// Delivered counts the field values of all records, Repaired those that
	// had to be mended, Refused those of which nothing could be kept.
	Delivered int `json:"delivered"`
	Repaired  int `json:"repaired"`
	Refused   int `json:"refused"`
	// Omitted counts the recommended fields that records came without.
	Omitted int `json:"omitted"`
	// By has the recommended fields one by one.
	By []FieldCount `json:"by,omitempty"`
	// Lacks has what readers ask of an entry, and how many records go without.
	Lacks []Lack `json:"lacks,omitempty"`
}

// Lack counts the records of a run that go without something: their source does
// not state it, or states it and the register could not resolve that.
type Lack struct {
	// What is institution, country, licence, access or download.
	What string `json:"what"`
	// Of counts the records that could have it.
	Of         int `json:"of"`
	NotStated  int `json:"not_stated"`
	Unresolved int `json:"unresolved"`
}

// FieldCount is one recommended field over the records of a run.
type FieldCount struct {
	Field     string `json:"field"`
	Delivered int    `json:"delivered"`
	Omitted   int    `json:"omitted"`
	Refused   int    `json:"refused"`
}

// RunRejection is one record that did not get in, or was repeated. Its texts are
// public.
type RunRejection struct {
	Place string `json:"place"`
	// Record is the source's own id of the record, if it could be read.
	Record string `json:"record,omitempty"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Remedy string `json:"remedy,omitempty"`
}

// RunError is a failure of a run. Its text is public.
type RunError struct {
	Code string `json:"code"`
	Text string `json:"text"`
	// Status is that of the last HTTP answer, 0 for none.
	Status int       `json:"status,omitempty"`
	At     time.Time `json:"at"`
}

// Validator lets a conditional request ask whether a page changed (RFC 9110,
// section 8.8).
type Validator struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// NewRunID is the id of the run of a source that began at an instant; taken
// counts the runs that have the ids before it.
func NewRunID(sourceID string, started time.Time, taken int) string {
	return NewID("harvest run", sourceID+"|"+started.UTC().Format(time.RFC3339Nano)+strings.Repeat("#", taken))
}

// Held tells whether a living process has the run under way.
func (r *HarvestRun) Held(now time.Time) bool {
	return r.State == RunRunning && LeaseHeld(r.LeaseUntil, now)
}

// Resumable tells whether the run can go on where it stopped.
func (r *HarvestRun) Resumable() bool { return r.State == RunRunning || r.State == RunPartial }

// Reached tells whether the run got to the end of the source.
func (r *HarvestRun) Reached() bool {
	return r.State == RunComplete || r.State == RunUnchanged || r.State == RunQuarantined
}

// Runs stores the harvests of the sources.
type Runs interface {
	// Put inserts or replaces runs. A run that cannot be resumed any more
	// loses the keys that See gave it.
	Put(ctx context.Context, list ...HarvestRun) error
	// Get returns a run or ErrNotFound.
	Get(ctx context.Context, id string) (*HarvestRun, error)
	// Latest returns up to limit runs of a source, the newest first.
	Latest(ctx context.Context, sourceID string, limit int) ([]HarvestRun, error)
	// Hold prolongs the lease of a run without its other fields; ErrLeaseLost
	// when the owner no longer has it.
	Hold(ctx context.Context, id, owner string, until time.Time) error
	// Scan calls fn for each run, ordered by source, start and id.
	Scan(ctx context.Context, fn func(*HarvestRun) error) error
	// Prune deletes all but the newest runs of a source and returns how many.
	Prune(ctx context.Context, sourceID string, keep int) (int64, error)
	// See remembers keys of what a run has met; the same key twice is one.
	See(ctx context.Context, runID string, keys ...string) error
	// Seen calls fn for each key of a run in byte order.
	Seen(ctx context.Context, runID string, fn func(key string) error) error
}
