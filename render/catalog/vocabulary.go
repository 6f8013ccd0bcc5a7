package catalog

import (
	"slices"
	"strings"
)

// The closed vocabularies of "Resources and their fields" in the
// specification, completed by decisions §3 to §6.
type (
	// EntryType is the kind of an entry.
	EntryType string
	// Status governs whether an entry is served publicly.
	Status string
	// VerificationState is the verdict of the transport checks.
	VerificationState string
	// FreeAccessClass says what a reader pays or needs to use the source.
	FreeAccessClass string
	// AuthType is the authentication that the described source uses.
	AuthType string
	// InstitutionType is the kind of a public institution.
	InstitutionType string
	// GeographicScope is how far the publishing body's remit reaches.
	GeographicScope string
	// AccessLevel says whether a machine can fetch the source now.
	AccessLevel string
	// CapabilityTier is "live" for what a machine can use at this moment.
	CapabilityTier string
	// Maturity is a rung of the maturity ladder.
	Maturity string
	// MQATier is the band of the metadata quality score.
	MQATier string
	// Basis says where the value of a field comes from.
	Basis string
	// OfficialnessBasis says what the officialness of an entry rests on.
	OfficialnessBasis string
	// Right is the answer to one question about a licence.
	Right string
	// EventKind names what happened.
	EventKind string
	// SignalKind names one proof of officialness.
	SignalKind string
	// ErrorClass groups the reasons why a check failed.
	ErrorClass string
	// JobState is where a job stands.
	JobState string
	// AdmissionRule says why an entry is public.
	AdmissionRule string
)

// Entry types.
const (
	TypeAPI       EntryType = "API"
	TypeDataset   EntryType = "DATASET"
	TypeMCPServer EntryType = "MCP_SERVER"
)

// Entry status.
const (
	StatusActive     Status = "ACTIVE"
	StatusPending    Status = "PENDING_REVIEW"
	StatusDeprecated Status = "DEPRECATED"
	StatusRemoved    Status = "REMOVED"
)

// Verification states.
const (
	StateVerified   VerificationState = "VERIFIED"
	StateStale      VerificationState = "STALE"
	StateFailing    VerificationState = "FAILING"
	StateUnverified VerificationState = "UNVERIFIED"
)

// Free access classes.
const (
	AccessFreeNoAuth FreeAccessClass = "FREE_NO_AUTH"
	AccessFreeKey    FreeAccessClass = "FREE_KEY_REQUIRED"
	AccessFreeTrial  FreeAccessClass = "FREE_TRIAL"
	AccessFreeOSSEdu FreeAccessClass = "FREE_OSS_EDU"
	AccessNotFree    FreeAccessClass = "NOT_FREE"
	AccessUnknown    FreeAccessClass = "UNKNOWN"
)

// Authentication types.
const (
	AuthNone    AuthType = "NONE"
	AuthAPIKey  AuthType = "API_KEY"
	AuthOAuth   AuthType = "OAUTH"
	AuthBasic   AuthType = "BASIC"
	AuthBearer  AuthType = "BEARER"
	AuthCustom  AuthType = "CUSTOM"
	AuthUnknown AuthType = "UNKNOWN"
)

// Institution types (decisions §3).
const (
	InstGovernment    InstitutionType = "GOVERNMENT"
	InstRegion        InstitutionType = "REGION"
	InstMunicipality  InstitutionType = "MUNICIPALITY"
	InstStatistics    InstitutionType = "STATISTICS_OFFICE"
	InstRegulator     InstitutionType = "REGULATOR"
	InstAgency        InstitutionType = "AGENCY"
	InstPublicBody    InstitutionType = "PUBLIC_BODY"
	InstInternational InstitutionType = "INTERNATIONAL"
	// InstAcademia, InstCompany and InstNonProfit publish in public catalogues
	// without being part of the public sector.
	InstAcademia  InstitutionType = "ACADEMIA"
	InstCompany   InstitutionType = "COMPANY"
	InstNonProfit InstitutionType = "NON_PROFIT"
)

// Geographic scopes.
const (
	ScopeLocal    GeographicScope = "LOCAL"
	ScopeNational GeographicScope = "NATIONAL"
	ScopeEuropean GeographicScope = "EUROPEAN"
	ScopeUnknown  GeographicScope = "UNKNOWN"
)

// Access levels and capability tiers (decisions §5, "Access").
const (
	LevelDirect        AccessLevel    = "direct"
	LevelDocumented    AccessLevel    = "documented"
	LevelReferenceOnly AccessLevel    = "reference_only"
	TierLive           CapabilityTier = "live"
	TierReference      CapabilityTier = "reference"
)

// Rungs of the maturity ladder, lowest first.
const (
	MaturityDiscovered   Maturity = "discovered"
	MaturityVerified     Maturity = "verified"
	MaturityProfiled     Maturity = "profiled"
	MaturityExecutable   Maturity = "executable"
	MaturityJoinable     Maturity = "joinable"
	MaturityReproducible Maturity = "reproducible"
	MaturityGuaranteed   Maturity = "guaranteed"
)

// Bands of mqa_score.
const (
	TierExcellent MQATier = "excellent"
	TierGood      MQATier = "good"
	TierFair      MQATier = "fair"
	TierPoor      MQATier = "poor"
	TierUnranked  MQATier = "unranked"
)

// Provenance bases (decisions §3).
const (
	BasisPublisher    Basis = "publisher_stated"
	BasisInherited    Basis = "catalog_inherited"
	BasisObserved     Basis = "platform_observed"
	BasisComputed     Basis = "platform_computed"
	BasisCurator      Basis = "curator_edited"
	BasisTranslated   Basis = "machine_translated"
	BasisNotDelivered Basis = "not_delivered"
)

// Bases of officialness (specification, "Rules for computed fields" 10).
const (
	OfficialNot       OfficialnessBasis = "not_official"
	OfficialProven    OfficialnessBasis = "per_item_proven"
	OfficialInherited OfficialnessBasis = "catalog_inherited"
)

// Rights.
const (
	RightYes     Right = "yes"
	RightNo      Right = "no"
	RightUnknown Right = "unknown"
)

// Event kinds (decisions §6).
const (
	EventCreated     EventKind = "entry.created"
	EventUpdated     EventKind = "entry.updated"
	EventVerified    EventKind = "entry.verified"
	EventFailing     EventKind = "entry.failing"
	EventStale       EventKind = "entry.stale"
	EventDeprecated  EventKind = "entry.deprecated"
	EventReactivated EventKind = "entry.reactivated"
	EventRemoved     EventKind = "entry.removed"
	EventMerged      EventKind = "entry.merged"
	EventUnmerged    EventKind = "entry.unmerged"
	// EventReopened: a moderator's decision was taken back, and the entry waits again.
	EventReopened           EventKind = "entry.reopened"
	EventScoreChanged       EventKind = "entry.score_changed"
	EventSchemaChanged      EventKind = "entry.schema_changed"
	EventSubmissionReceived EventKind = "submission.received"
	EventSubmissionApproved EventKind = "submission.approved"
	EventSubmissionRejected EventKind = "submission.rejected"
	EventSubmissionReopened EventKind = "submission.reopened"
	// EventCandidateDecided tells of a decision on what a harvest found and nobody proposed.
	EventCandidateDecided EventKind = "candidate.decided"
	// EventClaimVerified and EventClaimEnded tell that an institution or a source has an owner,
	// or has it no longer.
	EventClaimVerified EventKind = "claim.verified"
	EventClaimEnded    EventKind = "claim.ended"
	EventCatalogBuilt  EventKind = "catalog.built"
	// The events of a whole host (decisions §5) belong to no entry.
	EventHostFailing   EventKind = "host.failing"
	EventHostRecovered EventKind = "host.recovered"
)

// Proof signals of officialness (decisions §5).
const (
	SignalDomain     SignalKind = "domain_verification"
	SignalBacklink   SignalKind = "portal_backlink"
	SignalGithub     SignalKind = "github_organisation"
	SignalReciprocal SignalKind = "reciprocal_link"
	SignalPolicy     SignalKind = "policy_presence"
)

// Error classes of checks.
const (
	ErrorDNS         ErrorClass = "dns"
	ErrorTLS         ErrorClass = "tls"
	ErrorConnect     ErrorClass = "connect"
	ErrorTimeout     ErrorClass = "timeout"
	ErrorHTTP        ErrorClass = "http"
	ErrorContentType ErrorClass = "content_type"
	ErrorGeoBlocked  ErrorClass = "geo_blocked"
	ErrorRateLimited ErrorClass = "rate_limited"
	ErrorAuthWall    ErrorClass = "auth_wall"
)

// Job states.
const (
	JobQueued    JobState = "queued"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Admission rules (decisions §5: what is public always has one of the three).
const (
	AdmittedByRule      AdmissionRule = "officialness_rule"
	AdmittedBySource    AdmissionRule = "official_source"
	AdmittedByModerator AdmissionRule = "moderator"
)

// EntryTypes lists the entry types in their documented order.
func EntryTypes() []EntryType { return []EntryType{TypeAPI, TypeDataset, TypeMCPServer} }

// Statuses lists the entry states in their documented order.
func Statuses() []Status {
	return []Status{StatusActive, StatusPending, StatusDeprecated, StatusRemoved}
}

// VerificationStates lists the verification states in their documented order.
func VerificationStates() []VerificationState {
	return []VerificationState{StateVerified, StateStale, StateFailing, StateUnverified}
}

// FreeAccessClasses lists the access classes in their documented order.
func FreeAccessClasses() []FreeAccessClass {
	return []FreeAccessClass{AccessFreeNoAuth, AccessFreeKey, AccessFreeTrial, AccessFreeOSSEdu, AccessNotFree, AccessUnknown}
}

// AuthTypes lists the authentication types in their documented order.
func AuthTypes() []AuthType {
	return []AuthType{AuthNone, AuthAPIKey, AuthOAuth, AuthBasic, AuthBearer, AuthCustom, AuthUnknown}
}

// InstitutionTypes lists the institution types in their documented order.
func InstitutionTypes() []InstitutionType {
	return []InstitutionType{InstGovernment, InstRegion, InstMunicipality, InstStatistics,
		InstRegulator, InstAgency, InstPublicBody, InstInternational, InstAcademia, InstCompany, InstNonProfit}
}

// Maturities lists the rungs of the maturity ladder, lowest first; a rung's
// maturity_index is its position counted from one.
func Maturities() []Maturity {
	return []Maturity{MaturityDiscovered, MaturityVerified, MaturityProfiled, MaturityExecutable,
		MaturityJoinable, MaturityReproducible, MaturityGuaranteed}
}

// MQATiers lists the bands of mqa_score, best first.
func MQATiers() []MQATier {
	return []MQATier{TierExcellent, TierGood, TierFair, TierPoor, TierUnranked}
}

// Bases lists the provenance bases in their documented order.
func Bases() []Basis {
	return []Basis{BasisPublisher, BasisInherited, BasisObserved, BasisComputed, BasisCurator, BasisTranslated, BasisNotDelivered}
}

// EventKinds lists the event kinds in their documented order.
func EventKinds() []EventKind {
	return []EventKind{EventCreated, EventUpdated, EventVerified, EventFailing, EventStale, EventDeprecated,
		EventReactivated, EventRemoved, EventMerged, EventUnmerged, EventReopened, EventScoreChanged, EventSchemaChanged,
		EventSubmissionReceived, EventSubmissionApproved, EventSubmissionRejected, EventSubmissionReopened, EventCandidateDecided, EventClaimVerified, EventClaimEnded, EventCatalogBuilt,
		EventHostFailing, EventHostRecovered}
}

// ErrorClasses lists the classes of failed checks.
func ErrorClasses() []ErrorClass {
	return []ErrorClass{ErrorDNS, ErrorTLS, ErrorConnect, ErrorTimeout, ErrorHTTP, ErrorContentType,
		ErrorGeoBlocked, ErrorRateLimited, ErrorAuthWall}
}

// JobStates lists the states of a job.
func JobStates() []JobState {
	return []JobState{JobQueued, JobRunning, JobDone, JobFailed, JobCancelled}
}

// OneOf checks that value is a word of a closed vocabulary. The error names
// the field and the known words.
func OneOf[T ~string](field string, value T, words []T) error {
	if slices.Contains(words, value) {
		return nil
	}
	return &FieldError{Field: field, Value: string(value), Remedy: "use one of " + joinWords(words)}
}

func joinWords[T ~string](words []T) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = string(w)
	}
	return strings.Join(parts, ", ")
}
