package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Kinds of jobs that the service queues and the batch wing carries out.
const (
	// JobCheckSubmission checks what somebody proposed.
	JobCheckSubmission = "submission.check"
	// JobDiscovery harvests sources.
	JobDiscovery = "harvest.discovery"
	// JobVerification probes entries.
	JobVerification = "verify"
)

// JobAnnounce tells of an entry when its time of publication has come.
const JobAnnounce = "entry.announce"

// PlannedJobs are the kinds whose jobs wait for a time that somebody chose, however
// far away; others are never put off for longer than LongestDelay. Every process
// knows them, also one that carries out none.
func PlannedJobs() []string { return []string{JobAnnounce} }

// CheckPayload names the submission that a JobCheckSubmission is about.
type CheckPayload struct {
	Submission string `json:"submission"`
}

// DiscoveryPayload is what a JobDiscovery harvests.
type DiscoveryPayload struct {
	// Sources are keys or ids; none means all that are enabled and due.
	Sources []string `json:"sources,omitempty"`
	// Anew tells that what was read before the job was queued does not do.
	Anew bool `json:"anew,omitempty"`
}

// DiscoveryResult is the end of one source's harvest in a JobDiscovery.
type DiscoveryResult struct {
	Source string   `json:"source"`
	Run    string   `json:"run,omitempty"`
	State  RunState `json:"state,omitempty"`
	In     int      `json:"in"`
	Error  string   `json:"error,omitempty"`
	// Done tells that the job does not harvest the source again, Waits that another process is
	// harvesting it, after which the job goes on.
	Done  bool `json:"done,omitempty"`
	Waits bool `json:"waits,omitempty"`
}

// DiscoveryProgress is how far a JobDiscovery is, and in the end what came of it.
type DiscoveryProgress struct {
	Sources int               `json:"sources"`
	Ended   int               `json:"ended"`
	Records int               `json:"records"`
	Results []DiscoveryResult `json:"results,omitempty"`
}

// VerificationPayload is what a JobVerification probes: entries by id or slug,
// all, or what is due when both are left out.
type VerificationPayload struct {
	Entries []string `json:"entries,omitempty"`
	All     bool     `json:"all,omitempty"`
}

// ProbeFinding is what one probe of a JobVerification found.
type ProbeFinding struct {
	Entry string    `json:"entry"`
	At    time.Time `json:"at"`
	Up    bool      `json:"up"`
	// Error says why it is not up.
	Error string `json:"error,omitempty"`
	// AgainAt is when a failure is confirmed by a second probe, zero for what counts.
	AgainAt time.Time `json:"again_at,omitzero"`
}

// checkAttempts is how often a submission's checks are tried.
const checkAttempts = 4

// NewCheckJob is the job that checks a submission. There is one at a time.
func NewCheckJob(submission string, now time.Time) Job {
	payload, _ := json.Marshal(CheckPayload{submission}) // a text always encodes
	key := JobCheckSubmission + " " + submission
	return Job{ID: NewID("job", fmt.Sprint(key, " ", now.UnixMicro())), Kind: JobCheckSubmission, UniqueKey: key, Payload: payload,
		RunAt: now, CreatedAt: now, MaxAttempts: checkAttempts}
}

// JobTask is one kind of work as the wing that does it describes it. The runner
// of jobs (build/jobs) leases a job, holds it while Do works, and settles it or
// gives it back.
type JobTask struct {
	// Name is for logs.
	Name string
	// Kinds are those of the jobs that Do carries out.
	Kinds []string
	// Concurrency is how many of them are carried out at the same time; 1 if zero.
	Concurrency int
	// Ready, if not nil, closes when the first of them can be taken.
	Ready <-chan struct{}
	// Do carries out a job. It ends soon after ctx, with an error if there is
	// something left to do.
	Do func(ctx context.Context, h HeldJob) error
	// Retry tells after which pause a failed attempt is repeated, or that none
	// can help. nil is ten minutes for all but ErrInvalid and ErrNotFound.
	Retry func(attempt int, failure error) (pause time.Duration, again bool)
	// GivenUp, if not nil, runs in the transaction that ends a job which failed
	// for good.
	GivenUp func(ctx context.Context, tx Tx, j *Job) error
}

// HeldJob is a job that is being carried out.
type HeldJob interface {
	// Job is the job as it was leased.
	Job() *Job
	// Tell says how far the work is, as a value that JSON can hold; it is stored
	// with the next sign of life.
	Tell(progress any)
	// Finish ends the job in the transaction that stores what came of it, so that
	// neither is there without the other. outcome may run more than once.
	Finish(ctx context.Context, outcome func(Tx) error) error
	// Wait puts the job off until its time has come; the attempt does not count.
	Wait(ctx context.Context, until time.Time) error
}
