package wire

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// AdminStats is the register in numbers, as administrators see it.
type AdminStats struct {
	Entries     []StateCount `json:"entries"`
	Submissions []StateCount `json:"submissions"`
	Jobs        []StateCount `json:"jobs"`
	// Candidates wait for a moderator, OpenReports are not decided.
	Candidates   int    `json:"candidates"`
	OpenReports  int    `json:"open_reports"`
	Institutions int    `json:"institutions"`
	Sources      int    `json:"sources"`
	LastEvent    int64  `json:"last_event"`
	Snapshot     string `json:"snapshot"`
}

// StateCount counts the things in one state.
type StateCount struct {
	State string `json:"state"`
	Count int    `json:"count"`
}

// QueuePage is what waits for a moderator.
type QueuePage struct {
	// Total counts what waits.
	Total      QueueTotal       `json:"total"`
	Candidates []QueueCandidate `json:"candidates"`
	Reports    []QueueReport    `json:"reports"`
	// Next are the paths of the further pages, null where there is none.
	NextCandidates *string `json:"next_candidates"`
	NextReports    *string `json:"next_reports"`
	// Groups are those of the candidates that the filters let pass, the largest first, when
	// `group` asks for them; Matching counts these candidates, Overdue those that have waited
	// too long.
	Groups   []QueueGroup `json:"groups"`
	Matching int          `json:"matching"`
	Overdue  int          `json:"overdue"`
}

// QueueTotal counts what waits for a moderator.
type QueueTotal struct {
	Candidates int `json:"candidates"`
	Reports    int `json:"reports"`
}

// QueueCandidate is a source that waits for a moderator, with the evidence.
type QueueCandidate struct {
	ID            string            `json:"id"`
	Type          catalog.EntryType `json:"type"`
	Name          string            `json:"name"`
	Description   *string           `json:"description"`
	URL           *string           `json:"url"`
	CountryCode   *string           `json:"country_code"`
	InstitutionID *string           `json:"institution_id"`
	PublisherName *string           `json:"publisher_name"`
	SourceID      *string           `json:"source_id"`
	// Reason is why it waits, Officialness its confidence, 0 to 100.
	Reason       *string  `json:"reason"`
	Officialness int      `json:"officialness"`
	Proof        string   `json:"proof_summary"`
	Evidence     []Signal `json:"evidence"`
	// Similar are the entries with the same address.
	Similar    []EntryLink      `json:"similar"`
	Submission *AdminSubmission `json:"submission"`
	CreatedAt  string           `json:"created_at"`
	// Version is what a decision may name, to be refused when the candidate has changed.
	Version int64 `json:"version"`
	// Source is the title of the source that lists it.
	Source *string `json:"source_title"`
	// Assigned is who has taken it.
	Assigned *QueueAssignment `json:"assigned"`
	// WaitingDays are the whole days since WaitingSince; Overdue tells of 14 and more.
	WaitingSince string `json:"waiting_since"`
	WaitingDays  int    `json:"waiting_days"`
	Overdue      bool   `json:"overdue"`
}

// AdminSubmission is a submission as moderators see it.
type AdminSubmission struct {
	SubmissionItem
	Type         *string          `json:"type"`
	CountryCode  *string          `json:"country_code"`
	Description  *string          `json:"description"`
	DocsURL      *string          `json:"docs_url"`
	Institution  *string          `json:"institution"`
	ContactEmail *string          `json:"contact_email"`
	Notes        *string          `json:"notes"`
	Reason       *string          `json:"reason"`
	Steps        []SubmissionStep `json:"steps"`
	EntryID      *string          `json:"entry_id"`
	Officialness int              `json:"officialness"`
	Evidence     []Signal         `json:"evidence"`
	Findings     []string         `json:"findings"`
	// RedactedAt is when what was proposed was taken out, nil if it was not.
	RedactedAt *string `json:"redacted_at"`
}

// AdminSubmissionsPage is a page of submissions as moderators see them.
type AdminSubmissionsPage struct {
	Items []AdminSubmission `json:"items"`
	Next  *string           `json:"next"`
}

// QueueReport is a report that waits, or was accepted and waits to be mended.
type QueueReport struct {
	ID    string    `json:"id"`
	Entry EntryLink `json:"entry"`
	// Status is OPEN or ACCEPTED.
	Status       catalog.ReportState    `json:"status"`
	Category     catalog.ReportCategory `json:"category"`
	Field        *string                `json:"field"`
	Message      string                 `json:"message"`
	Evidence     *string                `json:"evidence"`
	ContactEmail *string                `json:"contact_email"`
	Answers      []ReportAnswer         `json:"answers"`
	CreatedAt    string                 `json:"created_at"`
}

// DecisionRequest approves or rejects a candidate.
type DecisionRequest struct {
	// Reason is public and goes into the audit log.
	Reason string `json:"reason"`
	// Edits are overrides that are set with the approval: fields and values.
	Edits map[string]json.RawMessage `json:"edits,omitempty"`
}

// ReportDecision accepts or closes a report.
type ReportDecision struct {
	Status catalog.ReportState `json:"status"`
	Reason string              `json:"reason"`
	// Answer is what readers are told; with it the report is public.
	Answer string `json:"answer,omitempty"`
	// Hide keeps a report from readers, whoever answered.
	Hide bool `json:"hide,omitempty"`
}

// EditRequest edits an entry by overrides.
type EditRequest struct {
	// Set maps fields to their new values, Revoke lists fields whose overrides
	// are taken back.
	Set    map[string]json.RawMessage `json:"set,omitempty"`
	Revoke []string                   `json:"revoke,omitempty"`
	Reason string                     `json:"reason"`
}

// DeprecateRequest deprecates an entry.
type DeprecateRequest struct {
	Reason string `json:"reason"`
	// Successor is the id or slug of the entry to use instead.
	Successor string `json:"successor,omitempty"`
	// SunsetAt is when the source will stop, RFC 3339.
	SunsetAt string `json:"sunset_at,omitempty"`
}

// ReasonRequest asks for something that needs nothing but a reason.
type ReasonRequest struct {
	Reason string `json:"reason"`
}

// RemoveRequest removes an entry.
type RemoveRequest struct {
	Reason    string `json:"reason"`
	Successor string `json:"successor,omitempty"`
}

// MergeRequest makes an entry a duplicate of an older one.
type MergeRequest struct {
	// Into is the id or slug of the older entry.
	Into   string `json:"into"`
	Reason string `json:"reason"`
}

// DuplicatesPage lists the pairs of entries that may be one thing.
type DuplicatesPage struct {
	Total int         `json:"total"`
	Items []Duplicate `json:"items"`
}

// Duplicate is a pair of entries that may be one thing.
type Duplicate struct {
	// Entry is the newer one, Of the older, of which it may be a duplicate.
	Entry DuplicateEntry `json:"entry"`
	Of    DuplicateEntry `json:"of"`
}

// DuplicateEntry is one of the two, with what they are compared by.
type DuplicateEntry struct {
	EntryLink
	Publisher   *string  `json:"publisher_name"`
	URL         *string  `json:"primary_source_url"`
	Identifiers []string `json:"identifiers"`
	UpstreamRef *string  `json:"upstream_ref"`
	// Source is the title of the catalogue that lists the entry, Portal tells that it
	// lists what others publish.
	Source *string `json:"source_title"`
	Portal bool    `json:"source_portal"`
}

// NewDuplicateEntry is an entry of a pair; s is its source, nil for none, href is where its
// page is.
func NewDuplicateEntry(e *catalog.Entry, s *catalog.Source, href string) DuplicateEntry {
	d := DuplicateEntry{EntryLink: EntryLink{e.ID, e.Slug, e.Name, href}, Publisher: null(e.PublisherName), URL: null(e.PrimarySourceURL),
		Identifiers: list(e.Identifiers), UpstreamRef: null(e.UpstreamRef)}
	if s != nil {
		d.Source, d.Portal = null(cmp.Or(s.Title, s.Key, s.URL)), s.Portal
	}
	return d
}

// DuplicateDecision says whether two entries are the same.
type DuplicateDecision struct {
	// Of is the id or slug of the other entry.
	Of string `json:"of"`
	// Same merges the newer of the two into the older; else they are never
	// proposed again.
	Same   bool   `json:"same"`
	Reason string `json:"reason"`
}

// TargetRequest sets a reliability target of an entry.
type TargetRequest struct {
	// Availability is the promised share of successful checks in percent.
	Availability float64 `json:"availability"`
	WindowDays   int     `json:"window_days"`
	Active       bool    `json:"active"`
	Reason       string  `json:"reason"`
}

// AdminEntry is an entry as administrators see it: as it was harvested, with
// what lies over it.
type AdminEntry struct {
	// Entry is the stored document, before overrides.
	Entry     json.RawMessage `json:"entry"`
	Overrides []AdminOverride `json:"overrides"`
	Targets   []AdminTarget   `json:"targets"`
	Audit     []AuditItem     `json:"audit"`
}

// AdminOverride is a curator's edit, in force or revoked.
type AdminOverride struct {
	ID        string          `json:"id"`
	Field     string          `json:"field"`
	Value     json.RawMessage `json:"value"`
	By        string          `json:"by"`
	Reason    string          `json:"reason"`
	CreatedAt string          `json:"created_at"`
	RevokedAt *string         `json:"revoked_at"`
	RevokedBy *string         `json:"revoked_by"`
}

// AdminTarget is a reliability target.
type AdminTarget struct {
	ID           string  `json:"id"`
	Availability float64 `json:"availability"`
	WindowDays   int     `json:"window_days"`
	Active       bool    `json:"active"`
	By           string  `json:"by"`
	Reason       string  `json:"reason"`
	UpdatedAt    string  `json:"updated_at"`
}

// EntryChange is the answer to a change of an entry.
type EntryChange struct {
	ID          string         `json:"id"`
	Slug        string         `json:"slug"`
	Status      catalog.Status `json:"status"`
	Reason      *string        `json:"reason"`
	PublishedAt *string        `json:"published_at"`
	// Revision is the number of the event that the change wrote.
	Revision int64  `json:"revision"`
	Href     string `json:"href"`
}

// ReportChange is the answer to the decision on a report.
type ReportChange struct {
	ID     string              `json:"id"`
	Status catalog.ReportState `json:"status"`
}

// newSignals lists the proofs of a candidate.
func newSignals(signals []catalog.Signal) []Signal {
	list := []Signal{}
	for _, s := range signals {
		list = append(list, Signal{s.Kind, s.Held, null(s.EvidenceURL), null(s.Detail), stamp(s.ObservedAt)})
	}
	return list
}

// NewAdminSubmission is the moderators' view of a submission.
func NewAdminSubmission(s *catalog.Submission) AdminSubmission {
	findings := s.Findings
	if findings == nil {
		findings = []string{}
	}
	return AdminSubmission{SubmissionItem: NewSubmissionItem(s, true), Type: null(string(s.Type)), CountryCode: null(s.CountryCode),
		Description: null(s.Description), DocsURL: null(s.DocsURL), Institution: null(s.Institution), ContactEmail: null(s.ContactEmail),
		Notes: null(s.Notes), Reason: null(s.Reason()), Steps: NewSubmissionStatus(s, nil, true).Steps, EntryID: null(s.EntryID),
		Officialness: s.Officialness, Evidence: newSignals(s.Signals), Findings: findings, RedactedAt: stamp(s.RedactedAt)}
}

// NewQueueCandidate is the moderators' view of a pending entry.
func NewQueueCandidate(e *catalog.Entry, similar []EntryLink, s *catalog.Submission) QueueCandidate {
	c := QueueCandidate{ID: e.ID, Type: e.Type, Name: e.Name, Description: null(e.Description), URL: null(e.PrimarySourceURL),
		CountryCode: null(e.CountryCode), InstitutionID: null(e.InstitutionID), PublisherName: null(e.PublisherName), SourceID: null(e.SourceID),
		Reason: null(e.StatusReason), Officialness: score.Confidence(e.Signals), Proof: score.Proof(e.Signals), Evidence: newSignals(e.Signals),
		Similar: similar, CreatedAt: e.CreatedAt.UTC().Format(time.RFC3339)}
	if c.Similar == nil {
		c.Similar = []EntryLink{}
	}
	if s != nil {
		view := NewAdminSubmission(s)
		c.Submission = &view
	}
	return c
}

// NewEntryChange is the answer to a change of an entry; href leads to it.
func NewEntryChange(e *catalog.Entry, href string) EntryChange {
	return EntryChange{ID: e.ID, Slug: e.Slug, Status: e.Status, Reason: null(e.StatusReason), PublishedAt: stamp(e.PublishedAt), Revision: e.Revision, Href: href}
}

// NewAdminOverride is the administrators' view of an override.
func NewAdminOverride(o *catalog.Override) AdminOverride {
	return AdminOverride{ID: o.ID, Field: o.Field, Value: o.Value, By: o.By, Reason: o.Reason, CreatedAt: o.CreatedAt.UTC().Format(time.RFC3339),
		RevokedAt: stamp(o.RevokedAt), RevokedBy: null(o.RevokedBy)}
}

// NewAdminTarget is the administrators' view of a target.
func NewAdminTarget(t *catalog.Target) AdminTarget {
	return AdminTarget{ID: t.ID, Availability: t.Availability, WindowDays: t.WindowDays, Active: t.Active, By: t.By, Reason: t.Reason,
		UpdatedAt: t.UpdatedAt.UTC().Format(time.RFC3339)}
}

// RejectionReceipt is the answer to a rejection: what was rejected.
type RejectionReceipt struct {
	// Submission and Entry are what was ended; either may be null.
	Submission *string `json:"submission"`
	Entry      *string `json:"entry"`
}

// NewQueueReport is the moderators' view of a report.
func NewQueueReport(r *catalog.Report, entry EntryLink) QueueReport {
	return QueueReport{ID: r.ID, Entry: entry, Status: r.State, Category: r.Kind(), Field: null(r.Field), Message: r.Message, Evidence: null(r.Evidence),
		ContactEmail: null(r.ContactEmail), Answers: newAnswers(r),
		CreatedAt: r.CreatedAt.UTC().Format(time.RFC3339)}
}
