package score

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// ProvenThreshold is the confidence from which officialness counts as proven
// for the item itself (specification, "Limits").
const ProvenThreshold = 80

// signalRules weigh the proof signals (decisions §5, "Officialness").
var signalRules = []struct {
	kind    catalog.SignalKind
	points  int
	phrase  string
	meaning string
}{
	{catalog.SignalDomain, 40, "its host is under an official domain of the institution", "The host of the source lies under one of the institution's official domains."},
	{catalog.SignalBacklink, 25, "a known portal lists it", "A known official portal lists the source."},
	{catalog.SignalGithub, 20, "its repository belongs to the institution's GitHub organisation", "The source's repository belongs to a GitHub organisation of the institution."},
	{catalog.SignalReciprocal, 10, "the institution's own site links to it", "A page of the institution links back to the source."},
	{catalog.SignalPolicy, 5, "it publishes a terms or privacy policy", "The source publishes terms of use or a privacy policy."},
}

func held(signals []catalog.Signal, kind catalog.SignalKind) (catalog.Signal, bool) {
	for _, s := range signals {
		if s.Kind == kind && s.Held {
			return s, true
		}
	}
	return catalog.Signal{}, false
}

func tried(signals []catalog.Signal, kind catalog.SignalKind) bool {
	for _, s := range signals {
		if s.Kind == kind {
			return true
		}
	}
	return false
}

// Confidence is the officialness of a set of proof signals, 0 to 100. A signal
// that was recorded twice counts once.
func Confidence(signals []catalog.Signal) int {
	total := 0
	for _, r := range signalRules {
		if _, ok := held(signals, r.kind); ok {
			total += r.points
		}
	}
	return total
}

// Proof says in one sentence which signals held, or "" when none was tried.
func Proof(signals []catalog.Signal) string {
	if len(signals) == 0 {
		return ""
	}
	var parts []string
	for _, r := range signalRules {
		if _, ok := held(signals, r.kind); ok {
			parts = append(parts, r.phrase)
		}
	}
	switch n := len(parts); n {
	case 0:
		return "No proof signal held."
	case 1:
		return "Proved because " + parts[0] + "."
	default:
		return "Proved because " + strings.Join(parts[:n-1], ", ") + " and " + parts[n-1] + "."
	}
}

// Basis says what the officialness of an entry rests on (specification, "Rules
// for computed fields" 10).
func Basis(public bool, confidence *int, institutionID string) catalog.OfficialnessBasis {
	switch {
	case !public:
		return catalog.OfficialNot
	case confidence != nil && *confidence >= ProvenThreshold && institutionID != "":
		return catalog.OfficialProven
	default:
		return catalog.OfficialInherited
	}
}
