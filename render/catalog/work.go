package catalog

import (
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

// CheckPayload names the submission that a JobCheckSubmission is about.
type CheckPayload struct {
	Submission string `json:"submission"`
}

// DiscoveryPayload is what a JobDiscovery harvests.
type DiscoveryPayload struct {
	// Sources are keys or ids; none means all that are enabled and due.
	Sources []string `json:"sources,omitempty"`
}

// VerificationPayload is what a JobVerification probes: entries by id or slug,
// all, or what is due when both are left out.
type VerificationPayload struct {
	Entries []string `json:"entries,omitempty"`
	All     bool     `json:"all,omitempty"`
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
