package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// DecisionKind is what a moderator decided about a candidate.
type DecisionKind string

// Kinds of decisions.
const (
	DecisionApproved DecisionKind = "approved"
	DecisionRejected DecisionKind = "rejected"
	DecisionMerged   DecisionKind = "merged"
	// DecisionReopened takes one of the others back.
	DecisionReopened DecisionKind = "reopened"
)

// DecisionKinds lists the kinds in their documented order.
func DecisionKinds() []DecisionKind {
	return []DecisionKind{DecisionApproved, DecisionRejected, DecisionMerged, DecisionReopened}
}

// Decision is what a moderator decided about one candidate, so that it can be taken back.
// It holds no text of what was proposed.
type Decision struct {
	ID string `json:"id"`
	// Batch is shared by the decisions of one request.
	Batch string       `json:"batch"`
	Kind  DecisionKind `json:"kind"`
	// Subject is the candidate's id, of a submission that never became one its own id.
	Subject string `json:"subject"`
	// EntryID and SubmissionID are what was decided on; either may be empty. IntoID is
	// what a merged one became part of.
	EntryID      string `json:"entry_id,omitempty"`
	SubmissionID string `json:"submission_id,omitempty"`
	IntoID       string `json:"into_id,omitempty"`
	// SubmissionWas is the state of the submission before.
	SubmissionWas SubmissionState `json:"submission_was,omitempty"`
	// By is the id of the token, Name what its holder is called.
	By     string    `json:"by"`
	Name   string    `json:"name"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	// Mark is that of the entry as the decision left it (MarkOf).
	Mark string `json:"mark,omitempty"`
	// UndoneAt is when it was taken back.
	UndoneAt time.Time `json:"undone_at,omitzero"`
}

// MarkOf is a digest of all that an entry says, but for the number of its last event:
// a check or a score raises that and changes nothing of the entry.
func MarkOf(e *Entry) (string, error) {
	same := *e
	same.Revision = 0
	doc, err := json.Marshal(&same)
	if err != nil {
		return "", fmt.Errorf("mark of entry %s: %w", e.ID, err)
	}
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:16]), nil
}

// Assignment says which moderator has taken a candidate.
type Assignment struct {
	// Subject is the candidate's id, Holder the name of the moderator.
	Subject string    `json:"subject"`
	Holder  string    `json:"holder"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// SavedReason is a text that moderators use again.
type SavedReason struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Kind is the decision that it goes with, "" for any.
	Kind DecisionKind `json:"kind,omitempty"`
	Name string       `json:"name"`
	At   time.Time    `json:"at"`
}

// Bounds of what moderators keep.
const (
	SavedReasonsMax = 200
	TrustRulesMax   = 2000
	// TrustRuleFor is how long a rule of trust holds at most.
	TrustRuleFor = 366 * 24 * time.Hour
)

// TrustRule is a moderator's word for everything of one publisher from one source: what would
// wait for a moderator is approved. What the rules of officialness refuse stays refused.
type TrustRule struct {
	ID       string `json:"id"`
	SourceID string `json:"source_id"`
	// InstitutionID or PublisherName is the publisher, the latter as the source writes it.
	InstitutionID string    `json:"institution_id,omitempty"`
	PublisherName string    `json:"publisher_name,omitempty"`
	Reason        string    `json:"reason"`
	By            string    `json:"by"`
	Name          string    `json:"name"`
	CreatedAt     time.Time `json:"created_at"`
	ExpiresAt     time.Time `json:"expires_at"`
	RevokedAt     time.Time `json:"revoked_at,omitzero"`
}

// InForce tells whether the rule holds at an instant.
func (t *TrustRule) InForce(at time.Time) bool {
	return t.RevokedAt.IsZero() && at.Before(t.ExpiresAt)
}

// Covers tells whether the rule is about an entry, whatever the time.
func (t *TrustRule) Covers(e *Entry) bool {
	if t.SourceID == "" || e.SourceID != t.SourceID {
		return false
	}
	if t.InstitutionID != "" {
		return e.InstitutionID == t.InstitutionID
	}
	name := foldSpace(t.PublisherName)
	return name != "" && foldSpace(e.PublisherName) == name
}

// foldSpace is a name whatever its case and the width of its gaps.
func foldSpace(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Moderations stores the decisions of moderators and what they keep for them.
type Moderations interface {
	// Put inserts or replaces decisions.
	Put(ctx context.Context, list ...Decision) error
	// Latest returns the last decision about each of the subjects, by subject; a
	// submission's id finds the decision on the candidate that was made of it.
	Latest(ctx context.Context, subjects ...string) (map[string]Decision, error)
	// Batch returns the decisions of a request, by subject.
	Batch(ctx context.Context, batch string) ([]Decision, error)
	// List returns up to limit decisions behind one, newest first; "" begins at the newest.
	List(ctx context.Context, before string, limit int) ([]Decision, error)

	// Assign stores who has taken candidates, in the place of who had.
	Assign(ctx context.Context, list ...Assignment) error
	// Release forgets who has taken candidates.
	Release(ctx context.Context, subjects ...string) error
	// Assignments returns all of them, by subject.
	Assignments(ctx context.Context) (map[string]Assignment, error)

	PutReason(ctx context.Context, r SavedReason) error
	DeleteReason(ctx context.Context, id string) error
	// Reasons returns the saved reasons by id.
	Reasons(ctx context.Context) ([]SavedReason, error)

	PutTrust(ctx context.Context, r TrustRule) error
	// Trust returns the rules of trust by id, those that ended too.
	Trust(ctx context.Context) ([]TrustRule, error)
}

// Words are the reason of what the rule approves.
func (t *TrustRule) Words() string {
	text := fmt.Sprintf("rule of trust of %s until %s: %s", t.Name, t.ExpiresAt.UTC().Format(time.DateOnly), t.Reason)
	return strings.ToValidUTF8(text[:min(len(text), ReasonMax)], "")
}
