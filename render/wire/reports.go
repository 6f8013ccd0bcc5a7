package wire

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/redact"
)

// RouteReports is the list of public reports.
const RouteReports = "/api/v1/reports"

// RouteReportsFeed is the same as a feed.
const RouteReportsFeed = RouteReports + "/feed"

// ReportsFeed is a feed in the form of JSON Feed 1.1 of the public reports, newest first.
type ReportsFeed struct {
	Version     string            `json:"version"`
	Title       string            `json:"title"`
	HomePageURL string            `json:"home_page_url"`
	FeedURL     string            `json:"feed_url"`
	Items       []ReportsFeedItem `json:"items"`
}

// ReportsFeedItem is a report; another state or answer changes its text, not its id.
type ReportsFeedItem struct {
	ID            string   `json:"id"`
	URL           string   `json:"url"`
	Title         string   `json:"title"`
	ContentText   string   `json:"content_text"`
	DatePublished string   `json:"date_published"`
	Tags          []string `json:"tags"`
}

// ReportRequest says that something about an entry is wrong.
type ReportRequest struct {
	// Category is what kind of problem it is; `other` where it is left out.
	Category catalog.ReportCategory `json:"category,omitempty"`
	// Field is the member that is wrong; it is left out for the entry as a
	// whole.
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
	// Evidence is an address or a text that shows it.
	Evidence     string `json:"evidence,omitempty"`
	ContactEmail string `json:"contact_email,omitempty"`
}

// ReportReceipt is the answer to a report.
type ReportReceipt struct {
	ID      string              `json:"id"`
	Status  catalog.ReportState `json:"status"`
	EntryID string              `json:"entry_id"`
}

// ReportAnswer is what a moderator or an owner answered to a report.
type ReportAnswer struct {
	// By is moderator or owner; ClaimID is the owner's claim.
	By      string  `json:"by"`
	ClaimID *string `json:"claim_id"`
	Text    string  `json:"text"`
	At      string  `json:"at"`
}

// PublicReport is a report as readers see it, once it was accepted or answered. Personal data are
// withheld in it and in its answers, and all that the reader wrote where it is about personal data.
type PublicReport struct {
	ID        string                 `json:"id"`
	EntryID   string                 `json:"entry_id"`
	Status    catalog.ReportState    `json:"status"`
	Category  catalog.ReportCategory `json:"category"`
	Field     *string                `json:"field"`
	Message   *string                `json:"message"`
	Evidence  *string                `json:"evidence"`
	Reason    *string                `json:"reason"`
	Answers   []ReportAnswer         `json:"answers"`
	CreatedAt string                 `json:"created_at"`
	DecidedAt *string                `json:"decided_at"`
}

// EntryReports are the public reports on an entry, newest first.
type EntryReports struct {
	EntryID string `json:"entry_id"`
	// Open is how many of them are not decided.
	Open  int            `json:"open"`
	Items []PublicReport `json:"items"`
}

// ReportsPage is a page of all public reports, newest first.
type ReportsPage struct {
	Items []PublicReport `json:"items"`
	Next  *string        `json:"next"`
}

// OwnerReport is a report as the owner of the entry sees it, public or not.
type OwnerReport struct {
	PublicReport
	// Public tells whether readers see it; an answer makes it so.
	Public bool `json:"public"`
}

// OwnerReports are the reports on an entry that its owner may answer, newest first.
type OwnerReports struct {
	Items []OwnerReport `json:"items"`
}

// ReportAnswerRequest answers a report.
type ReportAnswerRequest struct {
	Answer string `json:"answer"`
}

// newAnswers are the answers to a report as they were given.
func newAnswers(r *catalog.Report) []ReportAnswer {
	out := []ReportAnswer{}
	for _, a := range r.Answers {
		by := "moderator"
		if a.ClaimID != "" {
			by = "owner"
		}
		out = append(out, ReportAnswer{By: by, ClaimID: null(a.ClaimID), Text: a.Text, At: a.At.UTC().Format(time.RFC3339)})
	}
	return out
}

// NewPublicReport is what readers see of a report.
func NewPublicReport(r *catalog.Report) PublicReport {
	out := PublicReport{ID: r.ID, EntryID: r.EntryID, Status: r.State, Category: r.Kind(), Field: null(r.Field), Reason: null(r.Reason),
		Answers: newAnswers(r), CreatedAt: r.CreatedAt.UTC().Format(time.RFC3339), DecidedAt: stamp(r.DecidedAt)}
	for i := range out.Answers {
		out.Answers[i].Text = redact.Said(out.Answers[i].Text)
	}
	if r.Quotable() {
		out.Message, out.Evidence = null(redact.Said(r.Message)), null(redact.Said(r.Evidence))
	}
	return out
}

// NewEntryReports lists the public ones of the reports on an entry, newest first; they are given
// oldest first.
func NewEntryReports(entryID string, list []catalog.Report) EntryReports {
	out := EntryReports{EntryID: entryID, Items: []PublicReport{}}
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].Public() {
			continue
		}
		if list[i].Undecided() {
			out.Open++
		}
		out.Items = append(out.Items, NewPublicReport(&list[i]))
	}
	return out
}

// ReportsParams choose among the public reports.
func ReportsParams() []Param {
	return []Param{
		{Name: "category", In: "query", Kind: KindString, Enum: words(catalog.ReportCategories()), Description: "Kind of the problem."},
		{Name: "status", In: "query", Kind: KindString, Enum: words(catalog.ReportStates()), Description: "Where the report stands."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: 100, Default: 50, Description: "Reports of the page, at most; a filter may leave fewer."},
		{Name: "cursor", In: "query", Kind: KindString, Description: "Where to go on: follow `next`."},
	}
}

// ClaimReportsParams name the entry whose reports its owner reads.
func ClaimReportsParams() []Param {
	return []Param{{Name: "entry", In: "query", Kind: KindString, Required: true, Description: "Entry id or slug.", Example: exampleSlug}}
}
