package catalog

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// SubmissionState is where a submission stands (decisions §6).
type SubmissionState string

// States of a submission.
const (
	SubmissionReceived    SubmissionState = "RECEIVED"
	SubmissionChecking    SubmissionState = "CHECKING"
	SubmissionQuarantined SubmissionState = "QUARANTINED"
	SubmissionApproved    SubmissionState = "APPROVED"
	SubmissionRejected    SubmissionState = "REJECTED"
	SubmissionDuplicate   SubmissionState = "DUPLICATE"
)

// SubmissionStates lists the states in their documented order.
func SubmissionStates() []SubmissionState {
	return []SubmissionState{SubmissionReceived, SubmissionChecking, SubmissionQuarantined, SubmissionApproved,
		SubmissionRejected, SubmissionDuplicate}
}

// Open tells that the submission is not decided yet.
func (s SubmissionState) Open() bool {
	return s == SubmissionReceived || s == SubmissionChecking || s == SubmissionQuarantined
}

// Waiting tells that the automatic checks have not ended yet.
func (s SubmissionState) Waiting() bool { return s == SubmissionReceived || s == SubmissionChecking }

// submissionMoves lists the allowed moves; every other one is a conflict. A
// check whose worker died begins anew, so CHECKING may follow itself.
var submissionMoves = map[SubmissionState][]SubmissionState{
	SubmissionReceived: {SubmissionChecking, SubmissionRejected},
	SubmissionChecking: {SubmissionChecking, SubmissionQuarantined, SubmissionApproved, SubmissionRejected,
		SubmissionDuplicate},
	SubmissionQuarantined: {SubmissionApproved, SubmissionRejected, SubmissionDuplicate},
	// A moderator's decision may be taken back.
	SubmissionApproved:  {SubmissionQuarantined},
	SubmissionRejected:  {SubmissionQuarantined, SubmissionReceived},
	SubmissionDuplicate: {SubmissionQuarantined},
}

// ReasonClass says in one word why a submission is where it is. It is public
// from the beginning and tells nothing of what was proposed.
type ReasonClass string

// Reason classes.
const (
	// ReasonUnreachable: the address does not answer, or is not a public one.
	ReasonUnreachable ReasonClass = "unreachable"
	// ReasonUnfit: what is there is not one source that the register can keep.
	ReasonUnfit ReasonClass = "unfit"
	// ReasonProofs: the proofs of officialness decided.
	ReasonProofs ReasonClass = "proofs"
	// ReasonKnown and ReasonRemoved: the register has it, or had it.
	ReasonKnown   ReasonClass = "known"
	ReasonRemoved ReasonClass = "removed"
	// ReasonDecision: a moderator decided.
	ReasonDecision ReasonClass = "decision"
	// ReasonExpired: it could not be checked in time.
	ReasonExpired ReasonClass = "expired"
)

// Reason is why a submission changes its state: a class for everybody, and a
// text for the submitter and for moderators.
type Reason struct {
	Class ReasonClass
	Text  string
}

// Submission is a source that somebody proposes for the register.
type Submission struct {
	ID string `json:"id"`
	// URL is the address as it was given, Address its normal form (NormalURL).
	URL     string    `json:"url"`
	Address string    `json:"address"`
	Name    string    `json:"name,omitempty"`
	Type    EntryType `json:"type,omitempty"`
	// CountryCode to Institution are the submitter's words, proved by nothing.
	CountryCode string `json:"country_code,omitempty"`
	Description string `json:"description,omitempty"`
	DocsURL     string `json:"docs_url,omitempty"`
	Institution string `json:"institution,omitempty"`
	// ContactEmail and Notes are never public.
	ContactEmail string `json:"contact_email,omitempty"`
	Notes        string `json:"notes,omitempty"`

	// StatusHash is the lower-case hex SHA-256 of the secret in the status
	// address that the submitter got.
	StatusHash string `json:"status_hash,omitempty"`
	// RedactedAt is when an administrator took out what was proposed.
	RedactedAt time.Time `json:"redacted_at,omitzero"`

	State SubmissionState `json:"state"`
	// Steps are the states it went through, oldest first, each with its time.
	Steps []SubmissionStep `json:"steps"`
	// EntryID is the candidate that was made of it, or the entry of which it is
	// a duplicate.
	EntryID string `json:"entry_id,omitempty"`
	// Officialness is the confidence of the automatic check, 0 to 100, and
	// Findings say what else it saw; for moderators.
	Officialness int      `json:"officialness,omitempty"`
	Findings     []string `json:"findings,omitempty"`
	// Signals are the proofs that were tried.
	Signals   []Signal  `json:"signals,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// SubmissionStep is one state of a submission. Its class is public, its reason
// once the submission is approved.
type SubmissionStep struct {
	State  SubmissionState `json:"state"`
	Class  ReasonClass     `json:"class,omitempty"`
	Reason string          `json:"reason,omitempty"`
	At     time.Time       `json:"at"`
}

// Bounds of a submission's texts, in bytes.
const (
	SubmissionNameMax  = 300
	SubmissionTextMax  = 4_000
	SubmissionShortMax = 300
	MailMax            = 254
	ReasonMax          = 1_000
	stepsMax           = 20
)

// Validate checks what the submitter wrote; the first broken rule is returned
// as a FieldError.
func (s *Submission) Validate() error {
	if s.URL == "" {
		return &FieldError{"url", "", "give the address of the source"}
	}
	if err := CheckURL("url", s.URL); err != nil {
		return err
	}
	if s.DocsURL != "" {
		if err := CheckURL("docs_url", s.DocsURL); err != nil {
			return err
		}
	}
	for _, t := range []struct {
		field, text string
		max         int
	}{{"name", s.Name, SubmissionNameMax}, {"description", s.Description, SubmissionTextMax},
		{"institution", s.Institution, SubmissionShortMax}, {"notes", s.Notes, SubmissionTextMax}} {
		if err := CheckText(t.field, t.text, t.max); err != nil {
			return err
		}
	}
	if s.Type != "" {
		if err := OneOf("type", s.Type, EntryTypes()); err != nil {
			return err
		}
	}
	if s.CountryCode != "" && !CountryShape(s.CountryCode) {
		return &FieldError{"country_code", s.CountryCode, "use two capital letters (ISO 3166-1 alpha-2)"}
	}
	return CheckMail("contact_email", s.ContactEmail)
}

// Move brings the submission to another state, or answers ErrConflict when the
// present one does not allow it.
func (s *Submission) Move(to SubmissionState, why Reason, at time.Time) error {
	if !slices.Contains(submissionMoves[s.State], to) {
		return fmt.Errorf("submission %s: %s to %s: %w", s.ID, s.State, to, ErrConflict)
	}
	s.State, s.UpdatedAt = to, at
	step := SubmissionStep{to, why.Class, why.Text, at}
	// A check that is tried again and again is one step.
	if n := len(s.Steps); n > 0 && s.Steps[n-1].State == to || len(s.Steps) >= stepsMax {
		s.Steps[n-1] = step
		return nil
	}
	s.Steps = append(s.Steps, step)
	return nil
}

// Reason is why the submission is in its state.
func (s *Submission) Reason() string { return s.last().Reason }

// ReasonClass is the class of that reason, "" for none.
func (s *Submission) ReasonClass() ReasonClass { return s.last().Class }

func (s *Submission) last() SubmissionStep {
	if len(s.Steps) == 0 {
		return SubmissionStep{}
	}
	return s.Steps[len(s.Steps)-1]
}

// Redact takes out what was proposed, who proposed it and what was found there;
// state, times and classes stay. Of a submission that is not decided it takes out
// who proposed it and the notes: the rest is what is decided on.
func (s *Submission) Redact(at time.Time) {
	if s.State.Open() {
		s.ContactEmail, s.Notes, s.RedactedAt, s.UpdatedAt = "", "", at, at
		return
	}
	kept := Submission{ID: s.ID, State: s.State, StatusHash: s.StatusHash, EntryID: s.EntryID, RedactedAt: at, CreatedAt: s.CreatedAt, UpdatedAt: at}
	for _, step := range s.Steps {
		kept.Steps = append(kept.Steps, SubmissionStep{State: step.State, Class: step.Class, At: step.At})
	}
	*s = kept
}

// SubmissionFilter narrows a list of submissions; zero fields do not.
type SubmissionFilter struct {
	State SubmissionState
	// Open keeps those that are not decided.
	Open bool
	// Before is the submission behind which the list goes on.
	Before string
	Limit  int
}

// Submissions stores what was proposed.
type Submissions interface {
	// Put inserts or replaces submissions.
	Put(ctx context.Context, list ...Submission) error
	// Get returns a submission or ErrNotFound.
	Get(ctx context.Context, id string) (*Submission, error)
	// List returns submissions, newest first.
	List(ctx context.Context, f SubmissionFilter) ([]Submission, error)
	// OpenAt returns, by address, the id of the oldest open submission.
	OpenAt(ctx context.Context, addresses ...string) (map[string]string, error)
	// ByEntry returns the submission that an entry was made of, or ErrNotFound.
	ByEntry(ctx context.Context, entryID string) (*Submission, error)
	// WaitingOn counts, by host, the submissions whose checks have not ended.
	WaitingOn(ctx context.Context, hosts ...string) (map[string]int, error)
	// Count counts the submissions by state.
	Count(ctx context.Context) (map[SubmissionState]int, error)
}

// Candidates finds entries as those see them who decide on new ones.
type Candidates interface {
	// Pending returns entries that wait for a moderator, ordered by id, after
	// the given id.
	Pending(ctx context.Context, after string, limit int) ([]Entry, error)
	// Count counts the entries by status.
	Count(ctx context.Context) (map[Status]int, error)
	// At returns the ids of entries whose main address is one of the URLs, by
	// URL and sorted by id, whatever their status.
	At(ctx context.Context, urls ...string) (map[string][]string, error)
}
