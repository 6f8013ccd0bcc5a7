package discovery

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// references are members whose Go type is wider than what they hold.
var references = map[string]string{
	"Ref.type": "EntryType", "Ref.verification_state": "VerificationState", "Ref.mqa_tier": "MQATier",
	"QualityScore.mqa_tier": "MQATier", "LatestCheck.last_error_class": "ErrorClass", "Check.error_class": "ErrorClass",
}

// uuids are the members, besides "…_id", that hold the id of an entry or of a
// part of one.
var uuids = []string{
	"Entry.id", "Item.id", "Record.id", "Institution.id", "APIDetails.id", "DatasetDetails.id", "MCPDetails.id", "LatestCheck.id",
	"SourceItem.id", "SourcePage.id", "RunSummary.id", "HarvestRun.id", "DataProfile.id", "Ref.id", "Tombstone.id", "Tombstone.successor", "Problem.successor",
}

// foreign are ids of other registers, in their own notation.
var foreign = []string{"license_id", "dataset_id", "run_id", "snapshot_id"}

// signed are the numbers that may be less than nothing.
var signed = []string{"bbox[]", "SeriesPoint.v"}

var addresses = []string{"url", "landing_page", "eu_uri"}

var relative = []string{"runs_href", "href", "self", "first", "prev", "next", "last", "instance", "entries_href"}

var instants = []string{"at", "as_of", "temporal_start", "temporal_end"}

// patterns are texts of one form.
var patterns = map[string]string{
	"country_code": "^[A-Z]{2}$", "sha256": "^[0-9a-f]{64}$", "answer_sha256": "^[0-9a-f]{64}$",
	"extraction_confidence": `^[01]\.[0-9]{2}$`, "popularity_score": `^[0-9]+\.[0-9]{4}$`, "maintenance_score": `^[01]\.[0-9]{4}$`,
}

// percents are the numbers from 0 to 100 whose name does not end in "_score".
var percents = []string{"official_confidence", "proof_confidence", "officialness", "availability", "metadata_completeness",
	"licence_clarity", "agent_readiness", "uptime_percent", "Average.mean", "Axis.value", "ScoreInput.value", "Freshness.value"}

// narrow sets format, pattern and bounds by the name of a member.
func narrow(owner, name string, s *jsonschema.Schema) {
	full := owner + "." + name
	if target := references[full]; target != "" {
		s.Ref, s.Type = refTo(target).Ref, ""
		return
	}
	is := func(list []string) bool { return slices.Contains(list, name) || slices.Contains(list, full) }
	switch s.Type {
	case "string":
		s.Pattern = patterns[name]
		switch {
		case strings.HasSuffix(name, "_at") || is(instants):
			s.Format = "date-time"
		case name == "day":
			s.Format = "date"
		case strings.HasSuffix(name, "_url") || is(addresses):
			s.Format = "uri"
		case is(relative) || full == "Problem.type":
			s.Format = "uri-reference"
		case is(uuids) || strings.HasSuffix(name, "_id") && !is(foreign):
			s.Format = "uuid"
		case name == "email":
			s.Format = "email"
		}
	case "integer", "number":
		if is(signed) {
			return
		}
		s.Minimum = bound(0)
		switch {
		case name == "maturity_index" || name == "level_index":
			s.Minimum, s.Maximum = bound(1), bound(7)
		case strings.HasSuffix(name, "_score") || is(percents):
			s.Maximum = bound(100)
		case name == "confidence":
			s.Maximum = bound(1)
		}
	}
}

func bound(f float64) *float64 { return &f }
