package desk

import "encoding/json"

// Signal is a proof of officialness.
type Signal struct {
	Kind        string `json:"kind"`
	Held        bool   `json:"held"`
	EvidenceURL string `json:"evidence_url"`
	Detail      string `json:"detail"`
}

// EntryLink names an entry.
type EntryLink struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	Href string `json:"href"`
}

// StateCount counts what is in a state.
type StateCount struct {
	State string `json:"state"`
	Count int    `json:"count"`
}

// Queue is what waits, with what is decided with.
type Queue struct {
	Total          Waiting     `json:"total"`
	Candidates     []Candidate `json:"candidates"`
	Reports        []Report    `json:"reports"`
	NextCandidates string      `json:"next_candidates"`
	NextReports    string      `json:"next_reports"`
	Groups         []Group     `json:"groups"`
	Matching       int         `json:"matching"`
	Overdue        int         `json:"overdue"`
	// Reasons are those that are saved.
	Reasons []SavedReason `json:"-"`
	// Batch is how many decisions were just made, -1 for none; Undo tells that they can be taken back.
	Batch int  `json:"-"`
	Undo  bool `json:"-"`
	// Back is the query of the page, so that it is shown again after a decision. Links lead
	// to the groups by their keys.
	Back  string            `json:"-"`
	Links map[string]string `json:"-"`
	// Sorts, Grouping and Types are what can be chosen.
	Sorts    []string `json:"-"`
	Grouping []string `json:"-"`
	Types    []string `json:"-"`
}

// Next is where the lists go on.
func (q *Queue) Next() map[string]string {
	return map[string]string{"candidates": q.NextCandidates, "reports": q.NextReports}
}

// Waiting counts what waits.
type Waiting struct {
	Candidates int `json:"candidates"`
	Reports    int `json:"reports"`
}

// Group are candidates with something in common.
type Group struct {
	By    string `json:"by"`
	Key   string `json:"key"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// SavedReason is a reason that is used again and again.
type SavedReason struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Candidate is an entry that waits for a moderator.
type Candidate struct {
	ID            string      `json:"id"`
	Type          string      `json:"type"`
	Name          string      `json:"name"`
	Description   string      `json:"description"`
	URL           string      `json:"url"`
	CountryCode   string      `json:"country_code"`
	InstitutionID string      `json:"institution_id"`
	PublisherName string      `json:"publisher_name"`
	SourceID      string      `json:"source_id"`
	Source        string      `json:"source_title"`
	Reason        string      `json:"reason"`
	Officialness  int         `json:"officialness"`
	Evidence      []Signal    `json:"evidence"`
	Similar       []EntryLink `json:"similar"`
	Submission    *Submission `json:"submission"`
	Version       int64       `json:"version"`
	Assigned      *Assigned   `json:"assigned"`
	WaitingDays   int         `json:"waiting_days"`
	Overdue       bool        `json:"overdue"`
}

// Assigned is who has taken a candidate.
type Assigned struct {
	To string `json:"to"`
}

// Report is what a reader says is wrong with an entry.
type Report struct {
	ID           string    `json:"id"`
	Entry        EntryLink `json:"entry"`
	Field        string    `json:"field"`
	Message      string    `json:"message"`
	ContactEmail string    `json:"contact_email"`
	Category     string    `json:"category"`
	Status       string    `json:"status"`
	Evidence     string    `json:"evidence"`
	Answers      []Answer  `json:"answers"`
}

// Answer is what a moderator or an owner said of a report.
type Answer struct {
	By   string `json:"by"`
	Text string `json:"text"`
}

// Submission is a suggestion of a reader.
type Submission struct {
	ID           string   `json:"id"`
	Status       string   `json:"status"`
	Name         string   `json:"name"`
	URL          string   `json:"url"`
	ContactEmail string   `json:"contact_email"`
	Notes        string   `json:"notes"`
	Reason       string   `json:"reason"`
	Officialness int      `json:"officialness"`
	Findings     []string `json:"findings"`
	UpdatedAt    string   `json:"updated_at"`
	RedactedAt   string   `json:"redacted_at"`
}

// Submissions are the suggestions.
type Submissions struct {
	Items []Submission `json:"items"`
	After string       `json:"next"`
}

// Next is where the list goes on.
func (x *Submissions) Next() map[string]string { return map[string]string{"items": x.After} }

// Decisions are those of moderators, with the reasons that are saved.
type Decisions struct {
	Items   []Decision    `json:"items"`
	After   string        `json:"next"`
	Reasons []SavedReason `json:"-"`
}

// Next is where the list goes on.
func (x *Decisions) Next() map[string]string { return map[string]string{"items": x.After} }

// Decision is one of a moderator.
type Decision struct {
	Kind       string     `json:"kind"`
	Entry      *EntryLink `json:"entry"`
	Submission string     `json:"submission"`
	By         string     `json:"by"`
	Reason     string     `json:"reason"`
	At         string     `json:"at"`
	UndoneAt   string     `json:"undone_at"`
}

// about is the entry, else the suggestion, that a decision is about; name is for people.
func (d *Decision) about() (id, name string) {
	if d.Entry != nil {
		return d.Entry.ID, d.Entry.Name
	}
	return d.Submission, d.Submission
}

// Trust are the rules of trust, with what a new one begins with.
type Trust struct {
	Items []TrustRule `json:"items"`
	Form  Form        `json:"-"`
}

// TrustRule lets what a publisher lists in a source pass.
type TrustRule struct {
	ID            string `json:"id"`
	Source        string `json:"source_title"`
	Institution   string `json:"institution_name"`
	PublisherName string `json:"publisher_name"`
	Reason        string `json:"reason"`
	By            string `json:"by"`
	ExpiresAt     string `json:"expires_at"`
	InForce       bool   `json:"in_force"`
}

// Duplicates are pairs of entries that may be one.
type Duplicates struct {
	Total int    `json:"total"`
	Items []Pair `json:"items"`
}

// Pair is a newer entry, and the older one of which it may be a duplicate.
type Pair struct {
	Entry Alike `json:"entry"`
	Of    Alike `json:"of"`
}

// Alike is an entry of a pair.
type Alike struct {
	EntryLink
	Publisher   string   `json:"publisher_name"`
	URL         string   `json:"primary_source_url"`
	Identifiers []string `json:"identifiers"`
	UpstreamRef string   `json:"upstream_ref"`
	Source      string   `json:"source_title"`
	Portal      bool     `json:"source_portal"`
}

// Job is work that is queued, under way or done.
type Job struct {
	ID          string          `json:"id"`
	Kind        string          `json:"kind"`
	State       string          `json:"state"`
	RunAt       string          `json:"run_at"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"max_attempts"`
	LastError   string          `json:"last_error"`
	Progress    json.RawMessage `json:"progress"`
	FinishedAt  string          `json:"finished_at"`
}

// Jobs are the jobs.
type Jobs struct {
	Items []Job  `json:"items"`
	After string `json:"next"`
}

// Next is where the list goes on.
func (x *Jobs) Next() map[string]string { return map[string]string{"items": x.After} }

// AuditItem is something that was done.
type AuditItem struct {
	At      string `json:"at"`
	Name    string `json:"name"`
	Action  string `json:"action"`
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Audit is the log of what was done.
type Audit struct {
	Items []AuditItem `json:"items"`
	After string      `json:"next"`
}

// Next is where the list goes on.
func (x *Audit) Next() map[string]string { return map[string]string{"items": x.After} }

// Tokens are the tokens of callers.
type Tokens struct {
	Items []Token `json:"items"`
}

// Token is one of a caller.
type Token struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Role      string `json:"role"`
	CreatedAt string `json:"created_at"`
	RevokedAt string `json:"revoked_at"`
	Logins    int    `json:"logins"`
}
