package wire

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// BulkMax is how many candidates one request decides on.
const BulkMax = 600

// Actions of a bulk request.
const (
	BulkApprove = "approve"
	BulkReject  = "reject"
	BulkMerge   = "merge"
	BulkReopen  = "reopen"
	BulkAssign  = "assign"
	BulkRelease = "release"
)

// BulkActions lists the actions in their documented order.
func BulkActions() []string {
	return []string{BulkApprove, BulkReject, BulkMerge, BulkReopen, BulkAssign, BulkRelease}
}

// BulkRequest decides on many candidates with one reason.
type BulkRequest struct {
	Action string `json:"action"`
	// Reason is public and goes into the audit log; assign and release need none.
	Reason string     `json:"reason,omitempty"`
	Items  []BulkItem `json:"items,omitempty"`
	// Batch reopens the decisions of an earlier request, in place of items.
	Batch string `json:"batch,omitempty"`
	// Into is the older entry that all become part of, by id or slug.
	Into string `json:"into,omitempty"`
	// To is the name of the moderator who takes them, "" for the caller; Take takes them from
	// who has them.
	To   string `json:"to,omitempty"`
	Take bool   `json:"take,omitempty"`
	// Preview tells what would change, and changes nothing.
	Preview bool `json:"preview,omitempty"`
}

// BulkItem is one candidate.
type BulkItem struct {
	// ID is that of a submission or a candidate.
	ID string `json:"id"`
	// Version is that of the candidate when it was looked at; 0 for any.
	Version int64 `json:"version,omitempty"`
	// Into is the older entry that this one becomes part of, in place of that of the request.
	Into string `json:"into,omitempty"`
}

// BulkResult is what came of a bulk request: a row for each item, in its order.
type BulkResult struct {
	Batch   string    `json:"batch"`
	Action  string    `json:"action"`
	Preview bool      `json:"preview"`
	Done    int       `json:"done"`
	Refused int       `json:"refused"`
	Items   []BulkRow `json:"items"`
}

// BulkRow is what came of one item.
type BulkRow struct {
	ID string `json:"id"`
	// Status is the one that a request for this item alone would have got; 200 when it was done.
	Status int `json:"status"`
	// Detail is why it was refused.
	Detail *string `json:"detail"`
	// Entry, Submission and Name are what it was about; each may be null.
	Entry      *string `json:"entry"`
	Submission *string `json:"submission"`
	Name       *string `json:"name"`
	// From and To are the status of the entry before and after, of a submission that became no
	// candidate its own.
	From *string `json:"from"`
	To   *string `json:"to"`
	// PublishedAt is when it is public.
	PublishedAt *string `json:"published_at"`
	// Decision is the id of the decision, Version that of the candidate after it.
	Decision *string `json:"decision"`
	Version  int64   `json:"version"`
	Href     *string `json:"href"`
}

// DecisionItem is a decision of a moderator.
type DecisionItem struct {
	ID         string               `json:"id"`
	Batch      string               `json:"batch"`
	Kind       catalog.DecisionKind `json:"kind"`
	Entry      *EntryLink           `json:"entry"`
	Submission *string              `json:"submission"`
	Into       *string              `json:"into"`
	By         string               `json:"by"`
	Reason     string               `json:"reason"`
	At         string               `json:"at"`
	UndoneAt   *string              `json:"undone_at"`
}

// DecisionsList is a page of decisions, newest first.
type DecisionsList struct {
	Items []DecisionItem `json:"items"`
	Next  *string        `json:"next"`
}

// NewDecisionItem is the moderators' view of a decision; link leads to its entry, nil for none.
func NewDecisionItem(d *catalog.Decision, link *EntryLink) DecisionItem {
	return DecisionItem{ID: d.ID, Batch: d.Batch, Kind: d.Kind, Entry: link, Submission: null(d.SubmissionID), Into: null(d.IntoID), By: d.Name,
		Reason: d.Reason, At: d.At.UTC().Format(time.RFC3339), UndoneAt: stamp(d.UndoneAt)}
}

// QueueGroup is a part of the queue that has something in common.
type QueueGroup struct {
	// By is what they have in common, Key the value, to be given as a filter; Name is it in words.
	By   string `json:"by"`
	Key  string `json:"key"`
	Name string `json:"name"`
	// Count is how many they are, OldestAt since when the first of them waits.
	Count    int    `json:"count"`
	OldestAt string `json:"oldest_at"`
}

// SavedReasonItem is a reason that moderators use again.
type SavedReasonItem struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Kind is the decision that it goes with, null for any.
	Kind *string `json:"kind"`
	By   string  `json:"by"`
	At   string  `json:"at"`
}

// SavedReasonsPage lists the saved reasons.
type SavedReasonsPage struct {
	Items []SavedReasonItem `json:"items"`
}

// SavedReasonRequest saves a reason.
type SavedReasonRequest struct {
	Text string               `json:"text"`
	Kind catalog.DecisionKind `json:"kind,omitempty"`
}

// NewSavedReason is a saved reason as moderators see it.
func NewSavedReason(r *catalog.SavedReason) SavedReasonItem {
	return SavedReasonItem{ID: r.ID, Text: r.Text, Kind: null(string(r.Kind)), By: r.Name, At: r.At.UTC().Format(time.RFC3339)}
}

// TrustRuleRequest trusts everything of one publisher from one source.
type TrustRuleRequest struct {
	// Source is the key or id of the source.
	Source string `json:"source"`
	// Institution is the key or id of the publisher; PublisherName its name as the source
	// writes it. One of the two is needed.
	Institution   string `json:"institution,omitempty"`
	PublisherName string `json:"publisher_name,omitempty"`
	Reason        string `json:"reason"`
	// ExpiresAt is when it ends, RFC 3339, at most 366 days from now; in 90 days if missing.
	ExpiresAt string `json:"expires_at,omitempty"`
	// Preview tells what would be approved, and keeps nothing.
	Preview bool `json:"preview,omitempty"`
}

// TrustRuleItem is a rule of trust.
type TrustRuleItem struct {
	ID            string  `json:"id"`
	SourceID      string  `json:"source_id"`
	Source        *string `json:"source_title"`
	InstitutionID *string `json:"institution_id"`
	Institution   *string `json:"institution_name"`
	PublisherName *string `json:"publisher_name"`
	Reason        string  `json:"reason"`
	By            string  `json:"by"`
	CreatedAt     string  `json:"created_at"`
	ExpiresAt     string  `json:"expires_at"`
	RevokedAt     *string `json:"revoked_at"`
	InForce       bool    `json:"in_force"`
}

// TrustRulesPage lists the rules of trust.
type TrustRulesPage struct {
	Items []TrustRuleItem `json:"items"`
}

// TrustRuleResult is a new rule with what it approved of what waited.
type TrustRuleResult struct {
	Rule   TrustRuleItem `json:"rule"`
	Result BulkResult    `json:"result"`
	// Left is how many more it covers that one request could not approve.
	Left int `json:"left"`
}

// NewTrustRule is a rule of trust as moderators see it, with the names of its source and
// institution.
func NewTrustRule(t *catalog.TrustRule, source, institution string, at time.Time) TrustRuleItem {
	return TrustRuleItem{ID: t.ID, SourceID: t.SourceID, Source: null(source), InstitutionID: null(t.InstitutionID), Institution: null(institution), PublisherName: null(t.PublisherName),
		Reason: t.Reason, By: t.Name, CreatedAt: t.CreatedAt.UTC().Format(time.RFC3339), ExpiresAt: t.ExpiresAt.UTC().Format(time.RFC3339),
		RevokedAt: stamp(t.RevokedAt), InForce: t.InForce(at)}
}

// InstitutionAmendment is what moderators may change of an institution.
type InstitutionAmendment struct {
	// Aliases are its other names, in the place of those before; missing keeps them.
	Aliases *[]string `json:"aliases,omitempty"`
	// Parent is the key or id of what it is a part of; missing keeps it, "" takes it away.
	Parent *string `json:"parent,omitempty"`
	Reason string  `json:"reason"`
}

// QueueAssignment says who has taken a candidate.
type QueueAssignment struct {
	To string `json:"to"`
	At string `json:"at"`
}

// Place completes the moderators' view of a pending entry with what only the queue knows.
func (c *QueueCandidate) Place(e *catalog.Entry, source string, a *catalog.Assignment, now time.Time) {
	since := WaitsSince(e)
	c.Version, c.Source, c.WaitingSince = e.Revision, null(source), since.UTC().Format(time.RFC3339)
	c.WaitingDays = int(max(0, now.Sub(since)) / (24 * time.Hour))
	c.Overdue = c.WaitingDays >= OverdueDays
	if a != nil {
		c.Assigned = &QueueAssignment{To: a.Holder, At: a.At.UTC().Format(time.RFC3339)}
	}
}

// OverdueDays is after how many days a candidate has waited too long.
const OverdueDays = 14

// WaitsSince is when an entry began to wait for a moderator.
func WaitsSince(e *catalog.Entry) time.Time {
	if e.RemovedAt.After(e.CreatedAt) {
		return e.RemovedAt
	}
	return e.CreatedAt
}
