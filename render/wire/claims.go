package wire

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TagClaims are what owners prove and say.
const TagClaims = "claims"

// RouteClaims is where claims lie.
const RouteClaims = "/api/v1/claims"

// ClaimRequest claims an institution or a source.
type ClaimRequest struct {
	// Institution or Source is the key or id of what is claimed.
	Institution string              `json:"institution,omitempty"`
	Source      string              `json:"source,omitempty"`
	Method      catalog.ClaimMethod `json:"method"`
	Domain      string              `json:"domain"`
	// Email is the address for a proof by mail, Lang the interface language of that mail.
	Email string `json:"email,omitempty"`
	Lang  string `json:"lang,omitempty"`
}

// ClaimReceipt is a new claim with the owner's secret, which is shown once.
type ClaimReceipt struct {
	Claim  Claim  `json:"claim"`
	Secret string `json:"secret"`
	// Place is where the proof is looked for, Proof what it must be; null for one by mail.
	Place *string `json:"place"`
	Proof *string `json:"proof"`
}

// Claim is a claim as everybody may see it.
type Claim struct {
	ID          string              `json:"id"`
	Institution *string             `json:"institution_id"`
	Source      *string             `json:"source_id"`
	Method      catalog.ClaimMethod `json:"method"`
	Domain      string              `json:"domain"`
	State       catalog.ClaimState  `json:"state"`
	Reason      *string             `json:"reason"`
	CreatedAt   string              `json:"created_at"`
	VerifiedAt  *string             `json:"verified_at"`
	CheckedAt   *string             `json:"checked_at"`
	EndedAt     *string             `json:"ended_at"`
}

// ClaimOptions are what can be claimed, and how.
type ClaimOptions struct {
	Items []ClaimOption `json:"items"`
	// Methods are those that this register looks for.
	Methods []catalog.ClaimMethod `json:"methods"`
}

// ClaimOption is an institution or a source that can be claimed.
type ClaimOption struct {
	Institution *string `json:"institution_id"`
	Source      *string `json:"source_id"`
	Name        string  `json:"name"`
	// Page is the official page that the register knows.
	Page *string `json:"official_page"`
	// Domains are those that prove it; without one a moderator has to add one first.
	Domains []string `json:"domains"`
}

// OwnedClaim is a claim as its owner sees it.
type OwnedClaim struct {
	Claim Claim  `json:"claim"`
	Name  string `json:"name"`
	// Place is where the proof is looked for, Proof what it must be; null for one by mail.
	Place *string `json:"place"`
	Proof *string `json:"proof"`
}

// ClaimsPage is a page of claims.
type ClaimsPage struct {
	Items []Claim `json:"items"`
	Next  *string `json:"next"`
}

// ClaimCode confirms a claim by the code of its mail.
type ClaimCode struct {
	Code string `json:"code"`
}

// StatementRequest is what an owner says of an entry.
type StatementRequest struct {
	// Entry is an id or slug.
	Entry string                `json:"entry"`
	Kind  catalog.StatementKind `json:"kind"`
	Field string                `json:"field,omitempty"`
	Text  string                `json:"text,omitempty"`
	URL   string                `json:"url,omitempty"`
	// From and Until are RFC 3339.
	From  string `json:"from,omitempty"`
	Until string `json:"until,omitempty"`
}

// OwnerStatement is what the owner of a claimed source says of an entry.
type OwnerStatement struct {
	ID        string                 `json:"id"`
	ClaimID   string                 `json:"claim_id"`
	EntryID   string                 `json:"entry_id"`
	Kind      catalog.StatementKind  `json:"kind"`
	Field     *string                `json:"field"`
	Text      *string                `json:"text"`
	URL       *string                `json:"url"`
	From      *string                `json:"from"`
	Until     *string                `json:"until"`
	State     catalog.StatementState `json:"state"`
	Reason    *string                `json:"reason"`
	CreatedAt string                 `json:"created_at"`
	DecidedAt *string                `json:"decided_at"`
}

// OwnerStatements are those about one entry, or those that wait for a moderator.
type OwnerStatements struct {
	Items []OwnerStatement `json:"items"`
}

// AdminStatement is a statement with what a moderator compares it with.
type AdminStatement struct {
	OwnerStatement
	Claim Claim `json:"claim"`
	// Entry is what it is about, null where that is gone.
	Entry *StatementEntry `json:"entry"`
	// RegisterSays is the value of the field, or the address that is probed, as the register has
	// it; null where it has none.
	RegisterSays json.RawMessage `json:"register_says"`
}

// StatementEntry is the entry of a statement.
type StatementEntry struct {
	ID   string            `json:"id"`
	Slug string            `json:"slug"`
	Name string            `json:"name"`
	Type catalog.EntryType `json:"type"`
}

// StatementsPage is a page of what owners say.
type StatementsPage struct {
	Items []AdminStatement `json:"items"`
	Next  *string          `json:"next"`
}

// StatedParams choose statements by their state.
func StatedParams() []Param {
	return append(AdminListParams(), Param{Name: "state", In: "query", Kind: KindString, Enum: words(catalog.StatementStates()), Default: string(catalog.StatementOpen), Description: "Only statements of this state."})
}

// StatementDecision decides on what an owner disputes.
type StatementDecision struct {
	State  catalog.StatementState `json:"state"`
	Reason string                 `json:"reason"`
}

// OwnerProbe asks for a check of an entry.
type OwnerProbe struct {
	Entry string `json:"entry"`
}

// DigestRequest asks for an owner's digest by mail.
type DigestRequest struct {
	Email string `json:"email"`
	// Frequency is daily or weekly.
	Frequency catalog.Frequency `json:"frequency,omitempty"`
	// Lang is an interface language.
	Lang string `json:"lang,omitempty"`
}

// Recheck is what was queued so that what an owner mended is seen.
type Recheck struct {
	// Probe and Harvest are the jobs, null where one was queued just now already.
	Probe   *string `json:"probe"`
	Harvest *string `json:"harvest"`
	// StatusURL tells what the entry still lacks.
	StatusURL string `json:"status_url"`
}

// AskedChecks are the latest checks of an entry that its owner asked for, null where none was asked for lately.
type AskedChecks struct {
	Probe   *AskedProbe   `json:"probe"`
	Harvest *AskedHarvest `json:"harvest"`
}

// AskedJob is how work stands that an owner asked for.
type AskedJob struct {
	Job   string           `json:"job"`
	State catalog.JobState `json:"state"`
	// AskedAt is when it was asked for, FinishedAt when it ended.
	AskedAt    string  `json:"asked_at"`
	FinishedAt *string `json:"finished_at"`
	// Error says what went wrong.
	Error *string `json:"error"`
}

// AskedProbe is a check of an entry.
type AskedProbe struct {
	AskedJob
	// Found are the findings so far, oldest first.
	Found []ProbeFinding `json:"found"`
}

// ProbeFinding is what one probe found.
type ProbeFinding struct {
	At string `json:"at"`
	// Up tells whether the source answered as it should.
	Up    bool    `json:"up"`
	Error *string `json:"error"`
	// AgainAt is when a failure is confirmed by a second probe, before which it does not count.
	AgainAt *string `json:"again_at"`
}

// AskedHarvest is a reading of the catalogue that lists an entry.
type AskedHarvest struct {
	AskedJob
	// Records is how many were read so far.
	Records int `json:"records"`
	// Waits tells that the catalogue is being read already, and is read again after that.
	Waits bool `json:"waits"`
}

// NewAskedJob is the public shape of a job that an owner asked for.
func NewAskedJob(j *catalog.Job) AskedJob {
	return AskedJob{Job: j.ID, State: j.State, AskedAt: j.CreatedAt.UTC().Format(time.RFC3339), FinishedAt: stamp(j.FinishedAt), Error: null(j.LastError)}
}

// NewProbeFinding is the public shape of a finding.
func NewProbeFinding(f *catalog.ProbeFinding) ProbeFinding {
	return ProbeFinding{At: f.At.UTC().Format(time.RFC3339), Up: f.Up, Error: null(f.Error), AgainAt: stamp(f.AgainAt)}
}

// NewClaim is a claim as everybody may see it.
func NewClaim(c *catalog.Claim) Claim {
	out := Claim{ID: c.ID, Method: c.Method, Domain: c.Domain, State: c.State, Reason: null(c.Reason), CreatedAt: c.CreatedAt.UTC().Format(time.RFC3339),
		VerifiedAt: stamp(c.VerifiedAt), CheckedAt: stamp(c.CheckedAt), EndedAt: stamp(c.EndedAt)}
	if c.Source {
		out.Source = null(c.SubjectID)
	} else {
		out.Institution = null(c.SubjectID)
	}
	return out
}

// NewOwnerStatement is the public shape of a statement.
func NewOwnerStatement(s *catalog.Statement) OwnerStatement {
	return OwnerStatement{ID: s.ID, ClaimID: s.ClaimID, EntryID: s.EntryID, Kind: s.Kind, Field: null(s.Field), Text: null(s.Text), URL: null(s.URL), From: stamp(s.From), Until: stamp(s.Until),
		State: s.State, Reason: null(s.Reason), CreatedAt: s.CreatedAt.UTC().Format(time.RFC3339), DecidedAt: stamp(s.DecidedAt)}
}

func claimed(name, text string) Param {
	return Param{Name: name, In: "query", Kind: KindString, Description: text}
}

// claimOperations describe how owners prove what is theirs, and what they can say then.
func claimOperations() []Operation {
	id := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Claim id.", Example: exampleID}
	statement := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Statement id.", Example: exampleID}
	write, owner := []int{400, 409, 413, 415, 422, 429}, []int{400, 401, 404, 409, 413, 415, 422, 429}
	const secret = " Send the owner's secret as bearer token."
	ops := []Operation{
		{ID: "createClaim", Method: "POST", Path: RouteClaims, Status: 201, Summary: "Claim an institution or a source",
			Description: "Begins a claim. The answer says what proof is looked for, and has the owner's secret, which is shown only now. The domain must be an official one of the institution.",
			Body:        reflect.TypeFor[ClaimRequest](), Response: reflect.TypeFor[ClaimReceipt](), Problems: write},
		{ID: "listClaimOptions", Path: RouteClaims + "/options", Summary: "What can be claimed", Description: "The institution or source that is named, or those of an entry, with the domains that prove it and the methods that this register looks for.",
			Params:   []Param{claimed("institution", "Institution, by key or id."), claimed("source", "Source, by key or id."), claimed("entry", "Entry, by slug or id.")},
			Response: reflect.TypeFor[ClaimOptions](), Problems: []int{404, 422, 429}},
		{ID: "getOwnedClaim", Path: RouteClaims + "/{id}/owner", Summary: "A claim of one's own", Description: "What is claimed, and what proof is looked for." + secret,
			Params: []Param{id}, Response: reflect.TypeFor[OwnedClaim](), Problems: []int{401, 404, 409, 422, 429}},
		{ID: "withdrawStatement", Method: "DELETE", Path: RouteClaims + "/{id}/statements/{statement}", Summary: "Take something back", Description: "Withdraws what the owner said of an entry. It stays in the list, as withdrawn." + secret,
			Params: []Param{id, {Name: "statement", In: "path", Kind: KindString, Format: "uuid", Description: "Statement id.", Example: exampleID}}, Response: reflect.TypeFor[OwnerStatement](), Problems: []int{401, 404, 409, 422, 429}},
		{ID: "getClaim", Path: RouteClaims + "/{id}", Summary: "A claim", Description: "Where a claim stands, and what the last look at its proof saw.",
			Params: []Param{id}, Response: reflect.TypeFor[Claim](), Problems: []int{404, 422, 429}},
		{ID: "checkClaim", Method: "POST", Path: RouteClaims + "/{id}/check", Summary: "Look at the proof now",
			Description: "Looks at the proof. It counts when it is seen twice, ten minutes apart." + secret, Params: []Param{id}, Response: reflect.TypeFor[Claim](), Problems: owner},
		{ID: "confirmClaim", Method: "POST", Path: RouteClaims + "/{id}/confirm", Summary: "Confirm by the code of the mail",
			Description: "Proves a claim by mail. Five wrong codes end it." + secret, Params: []Param{id}, Body: reflect.TypeFor[ClaimCode](), Response: reflect.TypeFor[Claim](), Problems: owner},
		{ID: "endClaim", Method: "DELETE", Path: RouteClaims + "/{id}", Summary: "Give a claim up", Description: "Ends a claim." + secret, Params: []Param{id}, Response: reflect.TypeFor[Claim](), Problems: []int{401, 404, 409, 422, 429}},
		{ID: "stateClaim", Method: "POST", Path: RouteClaims + "/{id}/statements", Status: 201, Summary: "Say something of an entry",
			Description: "Confirms or disputes what the register says of an entry of the owner's, or adds a contact, documentation, a maintenance window, an end, or an address to probe. " +
				"It is shown beside the entry and changes no verdict; what would touch one waits for a moderator." + secret,
			Params: []Param{id}, Body: reflect.TypeFor[StatementRequest](), Response: reflect.TypeFor[OwnerStatement](), Problems: owner},
		{ID: "probeClaim", Method: "POST", Path: RouteClaims + "/{id}/probe", Status: 202, Summary: "Ask for a check now",
			Description: "Queues a check of one entry of the owner's, at most one in ten minutes." + secret, Params: []Param{id}, Body: reflect.TypeFor[OwnerProbe](), Response: reflect.TypeFor[JobReceipt](), Problems: owner},
		{ID: "getEntryStatements", Path: "/api/v1/entries/{idOrSlug}/statements", Summary: "What its owner says", Description: "What the owner of an entry says beside what the register says, and what moderators decided on it.",
			Params: []Param{{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}}, Response: reflect.TypeFor[OwnerStatements](), Problems: []int{404, 410, 422, 429}},
		{ID: "claimReports", Path: RouteClaims + "/{id}/reports", Summary: "What readers report of an owner's entry",
			Description: "The reports on one entry of the owner's, public or not, newest first, without who sent them." + secret,
			Params:      append([]Param{id}, ClaimReportsParams()...), Response: reflect.TypeFor[OwnerReports](), Problems: []int{401, 404, 409, 422, 429}},
		{ID: "answerReport", Method: "POST", Path: RouteClaims + "/{id}/reports/{report}/answer", Summary: "Answer a report",
			Description: "Answers a report on an entry of the owner's, in public. A moderator decides whether it is done." + secret,
			Params:      []Param{id, {Name: "report", In: "path", Kind: KindString, Format: "uuid", Description: "Report id.", Example: exampleID}}, Body: reflect.TypeFor[ReportAnswerRequest](), Response: reflect.TypeFor[OwnerReport](), Problems: owner},
		{ID: "recheckClaim", Method: "POST", Path: RouteClaims + "/{id}/recheck", Status: 202, Summary: "Check again what was mended",
			Description: "Queues that the catalogue which lists an entry of the owner's is read again, and the entry probed: at most once in ten minutes for an entry, once an hour for a catalogue of the owner's and once a day for one that lists what others publish. " +
				"What changed is in the answers as soon as it is read." + secret,
			Params: []Param{id}, Body: reflect.TypeFor[OwnerProbe](), Response: reflect.TypeFor[Recheck](), Problems: owner},
		{ID: "getAskedChecks", Path: RouteClaims + "/{id}/checks", Summary: "How the checks stand that an owner asked for",
			Description: "The latest check of one entry of the owner's, and the latest reading of its catalogue, that were asked for: what was found so far, what is found a second time before it counts, and what it waits for." + secret,
			Params:      append([]Param{id}, ClaimReportsParams()...), Response: reflect.TypeFor[AskedChecks](), Problems: []int{401, 404, 409, 422, 429}},
		{ID: "askDigest", Method: "POST", Path: RouteClaims + "/{id}/digest", Status: 202, Summary: "Ask for a digest by mail",
			Description: "Asks for mail about what happens to the owner's entries, what can be mended and what readers report: at most one on a UTC day for each address, however many claims it follows, and only when there is something new. " +
				"The address confirms it by a link, as with a watch; it is changed and ended like one, and ends with the claim." + secret,
			Params: []Param{id}, Body: reflect.TypeFor[DigestRequest](), Response: reflect.TypeFor[WatchReceipt](), Problems: owner},
		{ID: "adminClaims", Path: "/api/v1/admin/claims", Role: catalog.RoleModerator, Summary: "All claims", Description: "The claims by id.",
			Params: AdminListParams(), Response: reflect.TypeFor[ClaimsPage](), Problems: problemsAdminRead},
		{ID: "revokeClaim", Method: "POST", Path: "/api/v1/admin/claims/{id}/revoke", Role: catalog.RoleModerator, Summary: "Revoke a claim", Description: "Ends a claim at once. What its owner said stays, marked by it.",
			Params: []Param{id}, Body: reflect.TypeFor[ReasonRequest](), Response: reflect.TypeFor[Claim](), Problems: problemsAdminChange},
		{ID: "adminStatements", Path: "/api/v1/admin/statements", Role: catalog.RoleModerator, Summary: "What owners say", Description: "Statements of one state by id, with the claim, the entry and what the register says: those that wait for a moderator, unless another state is asked for.",
			Params: StatedParams(), Response: reflect.TypeFor[StatementsPage](), Problems: problemsAdminRead},
		{ID: "decideStatement", Method: "POST", Path: "/api/v1/admin/statements/{id}/decide", Role: catalog.RoleModerator, Summary: "Decide on what an owner disputes",
			Description: "Accepts or declines a statement. What the register says is then changed by an edit, or stays.", Params: []Param{statement}, Body: reflect.TypeFor[StatementDecision](), Response: reflect.TypeFor[OwnerStatement](), Problems: problemsAdminChange},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media, ops[i].Cache = TagClaims, MediaJSON, CacheNever
	}
	return ops
}
