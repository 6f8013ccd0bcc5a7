package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/catalog"
)

// Tags of what is not for everyone.
const (
	TagModeration     = "moderation"
	TagAdministration = "administration"
)

func entryID() Param {
	return Param{Name: "id", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}
}

func cursorParam() Param {
	return Param{Name: "cursor", In: "query", Kind: KindString, Description: "Where the list goes on: taken from `next`."}
}

func limitParam() Param {
	return Param{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MaxLimit, Default: DefaultLimit, Description: "Items per page."}
}

// QueueParams are those of the moderation queue.
func QueueParams() []Param {
	return []Param{
		{Name: "kind", In: "query", Kind: KindString, Enum: []string{"candidates", "reports"}, Description: "Only what is of this kind; both when missing."},
		{Name: "sort", In: "query", Kind: KindString, Enum: QueueSorts(), Default: QueueSorts()[0], Description: "Order of the candidates: those that wait longest first, the newest first, the best or the least proved first, or by name or publisher."},
		{Name: "group", In: "query", Kind: KindString, Enum: QueueGroups(), Description: "Count the candidates by what they share: their source, their publisher, or the proofs that held."},
		{Name: "source", In: "query", Kind: KindString, Description: "Only candidates of this source, by its id or key.", Example: exampleID},
		{Name: "publisher", In: "query", Kind: KindString, Description: "Only candidates of this publisher, by the id of the institution or the name as the source writes it."},
		{Name: "signals", In: "query", Kind: KindString, Description: "Only candidates of which just these proofs held, in this order with commas between; `none` for those without one.", Example: "domain_verification,policy_presence"},
		{Name: "type", In: "query", Kind: KindString, Enum: words(catalog.EntryTypes()), Description: "Only candidates of this type."},
		{Name: "country", In: "query", Kind: KindString, Pattern: "^[A-Z]{2}$", Means: "a country code of two capitals such as GR", Description: "Only candidates of this country.", Example: "GR"},
		{Name: "assigned", In: "query", Kind: KindString, Description: "Only candidates that this moderator has taken, by name; `me` and `nobody` are understood.", Example: "me"},
		{Name: "officialness_min", In: "query", Kind: KindInteger, Min: 0, Max: 100, Description: "Only candidates proved at least so much."},
		{Name: "waiting_days", In: "query", Kind: KindInteger, Min: 0, Max: 3660, Description: "Only candidates that have waited so many days."},
		{Name: "q", In: "query", Kind: KindString, Description: "Only candidates with these letters in name, address or publisher; case does not matter."},
		cursorParam(), limitParam(),
	}
}

// QueueSorts are the orders of the queue, the usual one first.
func QueueSorts() []string {
	return []string{"oldest", "newest", "officialness", "doubtful", "name", "publisher"}
}

// QueueGroups are what candidates are grouped by.
func QueueGroups() []string { return []string{"source", "publisher", "signals"} }

// AdminListParams are those of a list that goes on by a cursor.
func AdminListParams() []Param { return []Param{cursorParam(), limitParam()} }

// AuditParams are those of the audit log.
func AuditParams() []Param {
	return append(AdminListParams(), Param{Name: "subject", In: "query", Kind: KindString, Description: "Only changes of this thing, by its id."})
}

// DecisionListParams are those of the list of moderators' decisions.
func DecisionListParams() []Param {
	return append(AdminListParams(), Param{Name: "batch", In: "query", Kind: KindString, Format: "uuid", Description: "Only the decisions of this request; all of them."})
}

// JobParams are those of the list of jobs.
func JobParams() []Param {
	return append(AdminListParams(),
		Param{Name: "kind", In: "query", Kind: KindString, Description: "Only jobs of this kind.", Example: catalog.JobVerification},
		Param{Name: "state", In: "query", Kind: KindString, Enum: words(catalog.JobStates()), Description: "Only jobs in this state."})
}

// AdminInstitutionParams are those of the list of institutions.
func AdminInstitutionParams() []Param {
	return append(AdminListParams(), Param{Name: "q", In: "query", Kind: KindString,
		Description: "Only institutions with these letters in key, id, names, identifiers or official domains; case does not matter.", Example: "statistics"})
}

// Statuses of errors of what needs a token.
var (
	problemsAdminRead   = []int{400, 401, 403, 422, 429}
	problemsAdminOne    = []int{401, 403, 404, 422, 429}
	problemsAdminChange = []int{400, 401, 403, 404, 409, 413, 415, 422, 429}
	problemsAdminDecide = []int{400, 401, 403, 404, 409, 412, 413, 415, 422, 429}
)

// adminOperations describe moderation and administration.
func adminOperations() []Operation {
	ops := append(moderationOperations(), entryAdminOperations()...)
	ops = append(ops, registerAdminOperations()...)
	ops = append(ops, jobOperations()...)
	for i := range ops {
		ops[i].Path, ops[i].Media, ops[i].Cache = "/api/v1/admin"+ops[i].Path, MediaJSON, CacheNever
		if ops[i].Role == "" {
			ops[i].Role = catalog.RoleAdmin
		}
		if ops[i].Tag == "" {
			ops[i].Tag = TagAdministration
		}
	}
	return ops
}

// moderationOperations decide on what was proposed, found and reported.
func moderationOperations() []Operation {
	candidate := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Submission id, or the id of a candidate of the queue.", Example: exampleID}
	report := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Report id.", Example: exampleID}
	version := Param{Name: "If-Match", In: "header", Kind: KindString, Pattern: `^"?[0-9]{1,19}"?$`, Means: "the version that the queue showed, such as 4711", Description: "Version of the candidate as the queue showed it; one that has changed is a 412.", Example: "4711"}
	kept := func(of string) Param {
		return Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Id of the " + of + ".", Example: exampleID}
	}
	ops := []Operation{
		{ID: "adminQueue", Path: "/queue", Summary: "What waits for a moderator",
			Description: "Sources that were found or proposed and are not proved enough, each with the evidence beside it, and the problems that readers reported.",
			Params:      QueueParams(), Response: reflect.TypeFor[QueuePage](), Problems: problemsAdminRead},
		{ID: "adminSubmissions", Path: "/submissions", Summary: "Submissions with all that was sent",
			Description: "The submissions, newest first, with the contact and notes of the submitter and what the checks found.",
			Params:      SubmissionListParams(), Response: reflect.TypeFor[AdminSubmissionsPage](), Problems: problemsAdminRead},
		{ID: "approveSubmission", Method: "POST", Path: "/submissions/{id}/approve", Summary: "Approve a candidate",
			Description: "Makes a candidate public, with the reason, and with edits if there are any. What is not waiting for a moderator is a 409.",
			Params:      []Param{candidate, version}, Body: reflect.TypeFor[DecisionRequest](), Response: reflect.TypeFor[EntryChange](), Problems: problemsAdminDecide},
		{ID: "rejectSubmission", Method: "POST", Path: "/submissions/{id}/reject", Summary: "Reject a submission or a candidate",
			Description: "Ends a submission or removes a candidate that waits for a moderator; it does not come back with a later harvest.",
			Params:      []Param{candidate, version}, Body: reflect.TypeFor[ReasonRequest](), Response: reflect.TypeFor[RejectionReceipt](), Problems: problemsAdminDecide},
		{ID: "reopenSubmission", Method: "POST", Path: "/submissions/{id}/reopen", Summary: "Take a decision back",
			Description: "Takes the last decision of a moderator on a candidate back: it waits again. That is a decision of its own. A candidate that has changed since is a 409.",
			Params:      []Param{candidate}, Body: reflect.TypeFor[ReasonRequest](), Response: reflect.TypeFor[BulkRow](), Problems: problemsAdminChange},
		{ID: "bulkSubmissions", Method: "POST", Path: "/submissions/bulk", Summary: "Decide on many candidates",
			Description: "Approves, rejects, merges, reopens, assigns or releases up to 600 candidates with one reason, in one transaction; the answer has a row for each. " +
				"A row that cannot be done is refused by itself, as a request for it alone would be, and changes nothing. With `preview` nothing is changed. " +
				"Each item counts against the minute's writes.",
			Params: []Param{IdempotencyKey()}, Body: reflect.TypeFor[BulkRequest](), Response: reflect.TypeFor[BulkResult](), Problems: problemsAdminChange},
		{ID: "adminDecisions", Path: "/decisions", Summary: "What moderators decided", Description: "The decisions on candidates, newest first, or those of one request.",
			Params: DecisionListParams(), Response: reflect.TypeFor[DecisionsList](), Problems: problemsAdminRead},
		{ID: "adminReasons", Path: "/reasons", Summary: "Saved reasons", Description: "The reasons that moderators use again, by their text.",
			Response: reflect.TypeFor[SavedReasonsPage](), Problems: problemsAdminRead},
		{ID: "saveReason", Method: "POST", Path: "/reasons", Status: 201, Summary: "Save a reason", Description: "Keeps a reason for all moderators. The same text again is kept once.",
			Body: reflect.TypeFor[SavedReasonRequest](), Response: reflect.TypeFor[SavedReasonItem](), Problems: problemsAdminChange},
		{ID: "forgetReason", Method: "DELETE", Path: "/reasons/{id}", Summary: "Forget a reason", Description: "Takes a reason from the list; decisions keep theirs.",
			Params: []Param{kept("reason")}, Response: reflect.TypeFor[SavedReasonsPage](), Problems: problemsAdminOne},
		{ID: "amendInstitution", Method: "PATCH", Path: "/institutions/{key}", Summary: "Change other names and the parent of an institution",
			Description: "Sets the other names of an institution and what it is a part of; what is left out stays. Later harvests find it by its names.",
			Params:      []Param{{Name: "key", In: "path", Kind: KindString, Description: "Key or id of the institution.", Example: "gr-elstat"}}, Body: reflect.TypeFor[InstitutionAmendment](), Response: reflect.TypeFor[AdminInstitution](), Problems: problemsAdminChange},
		{ID: "adminTrustRules", Path: "/trust-rules", Summary: "Rules of trust", Description: "By which rules candidates of a publisher from a source are approved without a moderator, those that ended too.",
			Response: reflect.TypeFor[TrustRulesPage](), Problems: problemsAdminRead},
		{ID: "addTrustRule", Method: "POST", Path: "/trust-rules", Summary: "Trust a publisher's records of a source",
			Description: "Approves what waits of this publisher from this source, up to 600 at once, and what later harvests find, until the rule ends. What the rules of officialness refuse stays refused, and so does what a moderator reopened. " +
				"With `preview` nothing is kept, and the answer says what would be approved.",
			Body: reflect.TypeFor[TrustRuleRequest](), Response: reflect.TypeFor[TrustRuleResult](), Problems: problemsAdminChange},
		{ID: "endTrustRule", Method: "POST", Path: "/trust-rules/{id}/end", Summary: "End a rule of trust", Description: "Ends a rule at once. What it approved stays.",
			Params: []Param{kept("rule")}, Body: reflect.TypeFor[ReasonRequest](), Response: reflect.TypeFor[TrustRuleItem](), Problems: problemsAdminChange},
		{ID: "adminDuplicates", Path: "/duplicates", Summary: "Entries that may be one thing",
			Description: "The pairs of entries of different catalogues with some evidence that they are the same and not enough to merge them, those that were found last first; at most 100 of them.",
			Response:    reflect.TypeFor[DuplicatesPage](), Problems: problemsAdminRead},
		{ID: "decideDuplicate", Method: "POST", Path: "/entries/{id}/duplicate", Summary: "Decide on a possible duplicate",
			Description: "Merges the newer of two entries that may be one thing into the older, or says that they are two, which is not asked again. A pair that was not proposed is a 409.",
			Params:      []Param{entryID()}, Body: reflect.TypeFor[DuplicateDecision](), Response: reflect.TypeFor[EntryChange](), Problems: problemsAdminChange},
		{ID: "unmergeEntry", Method: "POST", Path: "/entries/{id}/unmerge", Summary: "Take a merger back",
			Description: "Makes an entry of its own again of one that became part of another. It is not merged again by a harvest. An entry that was not merged is a 409.",
			Params:      []Param{entryID()}, Body: reflect.TypeFor[ReasonRequest](), Response: reflect.TypeFor[EntryChange](), Problems: problemsAdminChange},
		{ID: "decideReport", Method: "POST", Path: "/reports/{id}/decide", Summary: "Decide on a report",
			Description: "Accepts a report, so that readers see it, or closes it as resolved or dismissed. With `answer` it is public and readers are told that; with `hide` it is not, whoever answered.", Params: []Param{report},
			Body: reflect.TypeFor[ReportDecision](), Response: reflect.TypeFor[ReportChange](), Problems: problemsAdminChange},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Role = TagModeration, catalog.RoleModerator
	}
	return ops
}

// entryAdminOperations change an entry.
func entryAdminOperations() []Operation {
	change := func(id, method, path, summary, description string, body reflect.Type) Operation {
		return Operation{ID: id, Method: method, Path: "/entries/{id}" + path, Summary: summary, Description: description,
			Params: []Param{entryID()}, Body: body, Response: reflect.TypeFor[EntryChange](), Problems: problemsAdminChange}
	}
	return []Operation{
		{ID: "adminEntry", Path: "/entries/{id}", Summary: "An entry as it is stored",
			Description: "The entry as it was harvested, the edits and targets that lie over it, and who changed it, whether it is public or not.",
			Params:      []Param{entryID()}, Response: reflect.TypeFor[AdminEntry](), Problems: problemsAdminOne},
		change("editEntry", "PATCH", "", "Edit an entry", "Lays values over harvested ones, or takes such edits back. A later harvest does not overwrite them; provenance lists them.",
			reflect.TypeFor[EditRequest]()),
		change("deprecateEntry", "POST", "/deprecate", "Deprecate an entry",
			"Marks an active entry as deprecated, with the reason, and with a successor and a date of its end if they are known.", reflect.TypeFor[DeprecateRequest]()),
		change("reactivateEntry", "POST", "/reactivate", "Reactivate an entry", "Makes a deprecated entry active again.", reflect.TypeFor[ReasonRequest]()),
		change("removeEntry", "POST", "/remove", "Remove an entry", "Takes an entry out of the register for good. Its address answers 410; nothing is deleted.", reflect.TypeFor[RemoveRequest]()),
		change("mergeEntry", "POST", "/merge", "Merge a duplicate", "Makes an entry part of an older one; its addresses redirect there.", reflect.TypeFor[MergeRequest]()),
		change("setTarget", "PUT", "/target", "Set a reliability target", "Sets the share of successful checks that the publisher promises; one for each window of days.", reflect.TypeFor[TargetRequest]()),
	}
}

// registerAdminOperations keep the tables of the register.
func registerAdminOperations() []Operation {
	key := func(of string) Param {
		return Param{Name: "key", In: "path", Kind: KindString, Description: "Key of the " + of + ": lower-case letters and digits, in words joined by hyphens.", Example: "gr-elstat"}
	}
	token := Param{Name: "id", In: "path", Kind: KindString, Description: "Token id.", Example: "qy3b5k7zt2o4xw6a"}
	candidate := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Id of a submission or of a candidate.", Example: exampleID}
	return []Operation{
		{ID: "redactSubmission", Method: "POST", Path: "/submissions/{id}/redact", Summary: "Redact a submission",
			Description: "Takes the texts and addresses of a submission, and of a candidate that was rejected, out of the store. State and times stay. " +
				"While it waits, contact and notes go and the rest stays; an entry that is public stays as it is.",
			Params: []Param{candidate}, Body: reflect.TypeFor[ReasonRequest](), Response: reflect.TypeFor[Redaction](), Problems: problemsAdminChange},
		{ID: "adminStats", Path: "/stats", Summary: "The register in numbers", Description: "Entries, submissions and jobs by state, and what waits for a decision.",
			Response: reflect.TypeFor[AdminStats](), Problems: problemsAdminRead},
		{ID: "adminInstitutions", Path: "/institutions", Summary: "All institutions", Description: "The register of institutions with their official domains, by id.",
			Params: AdminInstitutionParams(), Response: reflect.TypeFor[AdminInstitutionsPage](), Problems: problemsAdminRead},
		{ID: "putInstitution", Method: "PUT", Path: "/institutions/{key}", Summary: "Add or change an institution",
			Description: "Writes an institution whole. From then on the tables that ship with the product no longer change it.", Params: []Param{key("institution")},
			Body: reflect.TypeFor[InstitutionRequest](), Response: reflect.TypeFor[AdminInstitution](), Problems: problemsAdminChange},
		{ID: "adminSources", Path: "/sources", Summary: "All sources", Description: "The sources of the register with their settings.",
			Response: reflect.TypeFor[AdminSourcesPage](), Problems: problemsAdminRead},
		{ID: "putSource", Method: "PUT", Path: "/sources/{key}", Summary: "Add or change a source",
			Description: "Writes a source whole. One that a configuration file describes is a 409.", Params: []Param{key("source")},
			Body: reflect.TypeFor[SourceRequest](), Response: reflect.TypeFor[AdminSource](), Problems: problemsAdminChange},
		{ID: "adminPublishers", Path: "/sources/{key}/publishers", Summary: "Which institution was taken for each publisher",
			Description: "What the last harvests of a source decided about its publishers, and why, those of most records first. A source that was not harvested has none.",
			Params:      append([]Param{key("source")}, DecisionParams()...), Response: reflect.TypeFor[DecisionsPage](), Problems: []int{400, 401, 403, 404, 422, 429}},
		{ID: "adminTokens", Path: "/tokens", Summary: "Who may administer the register", Description: "The tokens that were given out, without their secrets.",
			Response: reflect.TypeFor[TokensPage](), Problems: problemsAdminRead},
		{ID: "revokeToken", Method: "DELETE", Path: "/tokens/{id}", Summary: "Revoke a token", Description: "Ends the right of a token and its logins within seconds.",
			Params: []Param{token}, Response: reflect.TypeFor[TokenItem](), Problems: []int{401, 403, 404, 409, 422, 429}},
		{ID: "adminAudit", Path: "/audit", Summary: "Who changed what", Description: "The changes that people made, newest first.",
			Params: AuditParams(), Response: reflect.TypeFor[AuditPage](), Problems: problemsAdminRead},
	}
}

// jobOperations show and steer queued work.
func jobOperations() []Operation {
	job := Param{Name: "id", In: "path", Kind: KindString, Description: "Job id.", Example: exampleID}
	return []Operation{
		{ID: "adminJobs", Path: "/jobs", Summary: "Queued work", Description: "Jobs by creation, oldest first, each with its progress.",
			Params: JobParams(), Response: reflect.TypeFor[JobsPage](), Problems: problemsAdminRead},
		{ID: "adminJob", Path: "/jobs/{id}", Summary: "One job", Description: "A job with the progress that its worker reports.",
			Params: []Param{job}, Response: reflect.TypeFor[JobItem](), Problems: problemsAdminOne},
		{ID: "cancelJob", Method: "DELETE", Path: "/jobs/{id}", Summary: "Cancel a job", Description: "Ends a job that is queued or running; its worker stops when it next reports.",
			Params: []Param{job}, Response: reflect.TypeFor[JobItem](), Problems: []int{401, 403, 404, 409, 422, 429}},
		{ID: "triggerDiscovery", Method: "POST", Path: "/trigger/discovery", Summary: "Harvest sources", Status: 202,
			Description: "Queues a harvest of the named sources, or of all that are due. The same one twice is a 409 while it is queued or running.",
			Body:        reflect.TypeFor[DiscoveryRequest](), Response: reflect.TypeFor[JobReceipt](), Problems: problemsAdminChange},
		{ID: "triggerVerification", Method: "POST", Path: "/trigger/verification", Summary: "Verify entries", Status: 202,
			Description: "Queues checks of the named entries, of all, or of those that are due.",
			Body:        reflect.TypeFor[VerificationRequest](), Response: reflect.TypeFor[JobReceipt](), Problems: problemsAdminChange},
	}
}
