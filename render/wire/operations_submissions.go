package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/catalog"
)

// TagSubmissions are the ways in which readers take part.
const TagSubmissions = "submissions"

// IdempotencyKey is the header by which a client may send a request again
// without having its effect twice.
func IdempotencyKey() Param {
	return Param{Name: "Idempotency-Key", In: "header", Kind: KindString, Pattern: "^[ -~]{0,127}[!-~][ -~]{0,127}$", Means: "1 to 255 printable ASCII characters, not only spaces", Example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
		Description: "Up to 255 printable characters that the client chooses for this request. The same key with the same body gives the first answer again; " +
			"with another body it is a 422. Keys are remembered for a week."}
}

func submissionID() Param {
	return Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Submission id.", Example: exampleID}
}

// SubmissionListParams are those of the public list of submissions.
func SubmissionListParams() []Param {
	return []Param{
		{Name: "status", In: "query", Kind: KindString, Enum: words(catalog.SubmissionStates()), Description: "Only submissions in this state."},
		{Name: "cursor", In: "query", Kind: KindString, Description: "Where the list goes on: taken from `next`."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MaxLimit, Default: DefaultLimit, Description: "Submissions per page."},
	}
}

// submissionOperations describe how sources are proposed and problems reported.
func submissionOperations() []Operation {
	ops := []Operation{
		{ID: "createSubmission", Method: "POST", Path: "/api/v1/submissions", Summary: "Propose a source",
			Description: "Proposes an API, dataset or MCP server for the register. The address is checked by itself; `status_url` tells what came of it. " +
				"An address that the register shows is a 409 that names the entry; one that waits for its check or for a decision is a 409 that names nothing.",
			Params: []Param{IdempotencyKey()}, Body: reflect.TypeFor[SubmissionRequest](), Status: 201,
			Response: reflect.TypeFor[SubmissionReceipt](), Problems: []int{400, 409, 413, 415, 422, 429, 503}},
		{ID: "getSubmission", Path: "/api/v1/submissions/{id}", Summary: "What came of a submission",
			Description: "The state of a submission and all states before it, each with its time and the class of its reason. Until it is approved and its entry is public, " +
				"what was proposed and the reasons in words are shown at the status address of the submitter alone.",
			Params: []Param{submissionID()}, Response: reflect.TypeFor[SubmissionStatus](), Problems: []int{404, 422, 429}},
		{ID: "getOwnSubmission", Path: RouteSubmissionStatus + "{token}", Summary: "What came of one's own submission",
			Description: "All that can be said of a submission to who has its `status_url`: what was proposed, each state with its reason, and the entry.",
			Params:      []Param{tokenParam("Token of the `status_url` that the submitter got.")}, Response: reflect.TypeFor[SubmissionStatus](), Problems: []int{404, 422, 429}},
		{ID: "listSubmissions", Path: "/api/v1/submissions", Summary: "All submissions",
			Description: "The submissions, newest first: state, class of the reason and times. Name and address are null until a submission is approved and its entry is public.",
			Params:      SubmissionListParams(), Response: reflect.TypeFor[SubmissionsPage](), Problems: []int{400, 422, 429}},
		{ID: "reportEntry", Method: "POST", Path: "/api/v1/entries/{idOrSlug}/reports", Summary: "Report a problem with an entry",
			Description: "Tells the moderators that something about an entry is wrong. It is public when a moderator accepts it, or a moderator or the entry's owner answers; then personal data are withheld in it. " +
				"What is reported of personal data, and the address of mail, are never public.",
			Params: []Param{{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}, IdempotencyKey()},
			Body:   reflect.TypeFor[ReportRequest](), Status: 201, Response: reflect.TypeFor[ReportReceipt](),
			Problems: []int{400, 404, 409, 410, 413, 415, 422, 429, 503}},
		{ID: "getEntryReports", Path: "/api/v1/entries/{idOrSlug}/reports", Summary: "What readers report of an entry",
			Description: "The public reports on an entry, newest first, with what moderators and its owner answered, and how many are not decided.",
			Params:      []Param{{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}},
			Response:    reflect.TypeFor[EntryReports](), Problems: []int{404, 410, 422, 429}},
		{ID: "listReports", Path: RouteReports, Summary: "All public reports", Description: "The reports that were accepted or answered, newest first.",
			Params: ReportsParams(), Response: reflect.TypeFor[ReportsPage](), Problems: []int{400, 422, 429}},
		{ID: "getReportsFeed", Path: RouteReportsFeed, Summary: "Public reports as a feed", Description: "The latest 50 reports that were accepted or answered, with the answers, as JSON Feed 1.1.",
			Response: reflect.TypeFor[ReportsFeed](), Problems: []int{422, 429}},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media, ops[i].Cache = TagSubmissions, MediaJSON, CacheNever
	}
	return ops
}
