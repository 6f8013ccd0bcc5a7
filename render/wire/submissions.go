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

// SubmissionReceipt is the answer to a submission.
type SubmissionReceipt struct {
	ID        string                  `json:"id"`
	Status    catalog.SubmissionState `json:"status"`
	StatusURL string                  `json:"status_url"`
}

// SubmissionItem is one submission of the public list.
type SubmissionItem struct {
	ID        string                  `json:"id"`
	Status    catalog.SubmissionState `json:"status"`
	Name      *string                 `json:"name"`
	URL       string                  `json:"url"`
	CreatedAt string                  `json:"created_at"`
	UpdatedAt string                  `json:"updated_at"`
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
	Status catalog.SubmissionState `json:"status"`
	Reason *string                 `json:"reason"`
	At     string                  `json:"at"`
}

// EntryLink names an entry and says where it is.
type EntryLink struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	Href string `json:"href"`
}

// ReportRequest says that something about an entry is wrong.
type ReportRequest struct {
	// Field is the member that is wrong; it is left out for the entry as a
	// whole.
	Field        string `json:"field,omitempty"`
	Message      string `json:"message"`
	ContactEmail string `json:"contact_email,omitempty"`
}

// ReportReceipt is the answer to a report.
type ReportReceipt struct {
	ID      string              `json:"id"`
	Status  catalog.ReportState `json:"status"`
	EntryID string              `json:"entry_id"`
}

// NewSubmissionItem is the public view of a submission: nothing personal.
func NewSubmissionItem(s *catalog.Submission) SubmissionItem {
	return SubmissionItem{ID: s.ID, Status: s.State, Name: null(s.Name), URL: s.URL,
		CreatedAt: s.CreatedAt.UTC().Format(time.RFC3339), UpdatedAt: s.UpdatedAt.UTC().Format(time.RFC3339)}
}

// NewSubmissionStatus is the public view of a submission with its history; e
// is its entry when that is public, else nil.
func NewSubmissionStatus(s *catalog.Submission, e *EntryLink) SubmissionStatus {
	out := SubmissionStatus{SubmissionItem: NewSubmissionItem(s), Type: null(string(s.Type)), Reason: null(s.Reason()),
		Steps: []SubmissionStep{}, Entry: e}
	for _, step := range s.Steps {
		out.Steps = append(out.Steps, SubmissionStep{step.State, null(step.Reason), step.At.UTC().Format(time.RFC3339)})
	}
	return out
}

// SubmissionPath is the path of a submission's status.
func SubmissionPath(id string) string { return "/api/v1/submissions/" + id }
