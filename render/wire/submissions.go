package wire

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// SubmissionRequest proposes a source for the register. Only the address is
// needed; all else helps the checks and is proved by nothing.
type SubmissionRequest struct {
	URL         string            `json:"url"`
	Name        string            `json:"name,omitempty"`
	Type        catalog.EntryType `json:"type,omitempty"`
	CountryCode string            `json:"country_code,omitempty"`
	Description string            `json:"description,omitempty"`
	DocsURL     string            `json:"docs_url,omitempty"`
	Institution string            `json:"institution,omitempty"`
	// ContactEmail and Notes are for moderators only.
	ContactEmail string `json:"contact_email,omitempty"`
	Notes        string `json:"notes,omitempty"`
}

// SubmissionReceipt is the answer to a submission. Only who has StatusURL sees
// what was proposed, until it is approved.
type SubmissionReceipt struct {
	ID        string                  `json:"id"`
	Status    catalog.SubmissionState `json:"status"`
	StatusURL string                  `json:"status_url"`
}

// SubmissionItem is one submission of the public list.
type SubmissionItem struct {
	ID          string                  `json:"id"`
	Status      catalog.SubmissionState `json:"status"`
	ReasonClass *catalog.ReasonClass    `json:"reason_class"`
	// Name and URL are nil for those who may not see what was proposed.
	Name      *string `json:"name"`
	URL       *string `json:"url"`
	CreatedAt string  `json:"created_at"`
	UpdatedAt string  `json:"updated_at"`
}

// SubmissionsPage is a page of the public list, newest first.
type SubmissionsPage struct {
	Items []SubmissionItem `json:"items"`
	// Next is the path of the next page, nil on the last one.
	Next *string `json:"next"`
}

// SubmissionStatus is where one submission stands, and how it came there.
type SubmissionStatus struct {
	SubmissionItem
	Type   *string          `json:"type"`
	Reason *string          `json:"reason"`
	Steps  []SubmissionStep `json:"steps"`
	// Entry is the public entry that it became or is a duplicate of.
	Entry *EntryLink `json:"entry"`
}

// SubmissionStep is one state that a submission went through.
type SubmissionStep struct {
	Status      catalog.SubmissionState `json:"status"`
	ReasonClass *catalog.ReasonClass    `json:"reason_class"`
	Reason      *string                 `json:"reason"`
	At          string                  `json:"at"`
}

// EntryLink names an entry and says where it is.
type EntryLink struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	Href string `json:"href"`
}

// NewSubmissionItem is the view of a submission for those who may see what was
// proposed, or who may not (open is false).
func NewSubmissionItem(s *catalog.Submission, open bool) SubmissionItem {
	out := SubmissionItem{ID: s.ID, Status: s.State, ReasonClass: class(s.ReasonClass()),
		CreatedAt: s.CreatedAt.UTC().Format(time.RFC3339), UpdatedAt: s.UpdatedAt.UTC().Format(time.RFC3339)}
	if open {
		out.Name, out.URL = null(s.Name), null(s.URL)
	}
	return out
}

// NewSubmissionStatus is the view of a submission with its history; e is its
// entry when that is public, else nil.
func NewSubmissionStatus(s *catalog.Submission, e *EntryLink, open bool) SubmissionStatus {
	out := SubmissionStatus{SubmissionItem: NewSubmissionItem(s, open), Steps: []SubmissionStep{}}
	if open {
		out.Type, out.Reason, out.Entry = null(string(s.Type)), null(s.Reason()), e
	}
	for _, step := range s.Steps {
		shown := SubmissionStep{Status: step.State, ReasonClass: class(step.Class), At: step.At.UTC().Format(time.RFC3339)}
		if open {
			shown.Reason = null(step.Reason)
		}
		out.Steps = append(out.Steps, shown)
	}
	return out
}

func class(c catalog.ReasonClass) *catalog.ReasonClass {
	if c == "" {
		return nil
	}
	return &c
}

// SubmissionPath is the path of what everybody sees of a submission.
func SubmissionPath(id string) string { return "/api/v1/submissions/" + id }

// RouteSubmissionStatus begins the status addresses of submitters, RouteSuggestion
// their pages; a token follows.
const (
	RouteSubmissionStatus = "/api/v1/submissions/status/"
	RouteSuggestion       = "/submission/status/"
)
