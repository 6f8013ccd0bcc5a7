package discovery

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/codelist"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/wire"
)

// vocabulary is a closed list of words that becomes a component.
type vocabulary struct {
	typ               reflect.Type
	name, description string
	words             []any
}

func (v *vocabulary) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: v.words, Description: v.description}
}

// closed describes the vocabulary T; name is its Go name unless a struct of
// the same name exists.
func closed[T ~string](name, description string, words ...T) vocabulary {
	v := vocabulary{typ: reflect.TypeFor[T](), name: name, description: description}
	for _, w := range words {
		v.words = append(v.words, string(w))
	}
	return v
}

// vocabularies lists the closed vocabularies of the answers.
func vocabularies() []vocabulary {
	return []vocabulary{
		closed("EntryType", "Kind of an entry.", catalog.EntryTypes()...),
		closed("Status", "Life-cycle state; it governs whether an entry is served.", catalog.Statuses()...),
		closed("VerificationState", "Verdict of the last transport checks. It asserts status code and content type only, "+
			"and vouches for no schema, number or licence.", catalog.VerificationStates()...),
		closed("FreeAccessClass", "What a reader pays or needs to use the source.", catalog.FreeAccessClasses()...),
		closed("AuthType", "Authentication that the source uses.", catalog.AuthTypes()...),
		closed("InstitutionType", "Kind of a public institution.", catalog.InstitutionTypes()...),
		closed("GeographicScope", "How far the remit of the publishing body reaches.",
			catalog.ScopeLocal, catalog.ScopeNational, catalog.ScopeEuropean, catalog.ScopeUnknown),
		closed("AccessRights", "Who may have the data, as the publisher states it (EU access-right table).", catalog.AccessRightsValues()...),
		closed("RelationKind", "How an entry belongs to another thing.", catalog.RelationKinds()...),
		closed("AccessLevel", "`direct`: a machine can fetch it now; `documented`: it needs a key or a step that a person takes; "+
			"`reference_only`: there is nothing to fetch.", catalog.LevelDirect, catalog.LevelDocumented, catalog.LevelReferenceOnly),
		closed("CapabilityTier", "`live` when access is direct and the entry verified.", catalog.TierLive, catalog.TierReference),
		closed("MaturityLevel", "Rung of the maturity ladder, lowest first; a rung is reached only when every rung below it is met.", catalog.Maturities()...),
		closed("MQATier", "Band of mqa_score: excellent from 80, good from 60, fair from 40, poor above 0, unranked at 0.", catalog.MQATiers()...),
		closed("Basis", "Where the value of a field comes from.", catalog.Bases()...),
		closed("OfficialnessBasis", "What the officialness of an entry rests on.",
			catalog.OfficialNot, catalog.OfficialProven, catalog.OfficialInherited),
		closed("SignalKind", "One proof of officialness.", catalog.SignalDomain, catalog.SignalBacklink, catalog.SignalGithub,
			catalog.SignalReciprocal, catalog.SignalPolicy),
		closed("AdmissionRule", "Why an entry is public.", catalog.AdmittedByRule, catalog.AdmittedBySource, catalog.AdmittedByModerator),
		closed("HarvestState", "Where a harvest stands: `running`; `complete`, read to its end; `partial`, broken off after some records; `failed`, before any; "+
			"`unchanged`, as the source says; `quarantined`, complete, but the listing is empty or lost more than a fifth and waits for a person.", catalog.RunStates()...),
		closed("ErrorClass", "Why a probe failed.", catalog.ErrorClasses()...),
		closed("CodeKind", "What a code stands for.", codelist.Kinds()...),
		closed("AskedOutcome", "Where a name leads: `moved` is a former slug, `merged` a duplicate that became part of the entry.", wire.AskedOutcomes()...),
		closed("HealthStatus", "State of the service or of a component. A service is `degraded` while a component is `down` and it answers all the same; "+
			"a component that it does without is `off`.", wire.HealthStatuses()...),
		closed("SubmissionState", "Where a submission stands: `RECEIVED`, `CHECKING` by the automatic checks, `QUARANTINED` for a moderator, then `APPROVED`, "+
			"`REJECTED` or `DUPLICATE`.", catalog.SubmissionStates()...),
		closed("DecisionKind", "What a moderator decided about a candidate; `reopened` takes another decision back.", catalog.DecisionKinds()...),
		closed("ClaimMethod", "How a claim is proved: a TXT record, a file under /.well-known/, a link with rel=me on the official page, or the code of a mail.", catalog.ClaimMethods()...),
		closed("ClaimState", "Where a claim stands.", catalog.ClaimStates()...),
		closed("StatementKind", "What an owner says of an entry.", catalog.StatementKinds()...),
		closed("StatementState", "`shown` beside the entry; `open` until a moderator decides, then `accepted` or `declined`; `withdrawn` by its owner; `ended` with its claim.", catalog.StatementStates()...),
		closed("IncidentCause", "What failed: a source, a host that is not reached, or several sources of a host together.", catalog.IncidentCauses()...),
		closed("ReportCategory", "What kind of problem a report tells of.", catalog.ReportCategories()...),
		closed("ReportState", "Where a report of a problem stands.", catalog.ReportStates()...),
		closed("JobState", "Where queued work stands.", catalog.JobStates()...),
		closed("Role", "What a token may do; an administrator may do all that a moderator may.", catalog.Roles()...),
		closed("EventKind", "What happened.", catalog.EventKinds()...),
		closed("WatchFrequency", "How often a watch sends mail.", catalog.Frequencies()...),
		closed("Outcome", "Result of one scoring rule.", score.Met, score.NotMet, score.Unknown),
	}
}
