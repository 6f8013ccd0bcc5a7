package score

import (
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// ProvenThreshold is the confidence from which officialness counts as proven
// for the item itself (specification, "Limits").
const ProvenThreshold = 80

// signalPrefix begins the ids of the rules of officialness.
const signalPrefix = "officialness."

// signalRules weigh the proof signals (decisions §5, "Officialness").
var signalRules = []struct {
	kind    catalog.SignalKind
	id      string
	points  int
	phrase  string
	meaning string
}{
	{catalog.SignalDomain, signalPrefix + string(catalog.SignalDomain), 40, "its host is under an official domain of the institution", "The host of the source lies under one of the institution's official domains."},
	{catalog.SignalBacklink, signalPrefix + string(catalog.SignalBacklink), 25, "a known portal lists it", "A known official portal lists the source."},
	{catalog.SignalGithub, signalPrefix + string(catalog.SignalGithub), 20, "its repository belongs to the institution's GitHub organisation", "The source's repository belongs to a GitHub organisation of the institution."},
	{catalog.SignalReciprocal, signalPrefix + string(catalog.SignalReciprocal), 10, "the institution's own site links to it", "A page of the institution links back to the source."},
	{catalog.SignalPolicy, signalPrefix + string(catalog.SignalPolicy), 5, "it publishes a terms or privacy policy", "The source publishes terms of use or a privacy policy."},
}

// held returns the signal of a kind that held, nil when none did.
func held(signals []catalog.Signal, kind catalog.SignalKind) *catalog.Signal {
	for i := range signals {
		if s := &signals[i]; s.Kind == kind && s.Held {
			return s
		}
	}
	return nil
}

func tried(signals []catalog.Signal, kind catalog.SignalKind) bool {
	for i := range signals {
		if signals[i].Kind == kind {
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
		if held(signals, r.kind) != nil {
			total += r.points
		}
	}
	return total
}

// Proof says in one sentence which signals held, or "" when none was tried.
func Proof(signals []catalog.Signal) string { return proof(signals, heldPhrases(signals)) }

func proof(signals []catalog.Signal, parts []string) string {
	if len(signals) == 0 {
		return ""
	}
	if len(parts) > 0 {
		return "Proved because " + enumerate(parts) + "."
	}
	return "No proof signal held."
}

// proofSummary says why the source qualified (specification, "Entry"). Signals
// that reach the threshold prove it; below that the summary names who vouches
// for it instead. A third party's source is never called proved.
func proofSummary(in *Input, basis catalog.OfficialnessBasis) string {
	e := in.entry()
	parts := heldPhrases(e.Signals)
	own := proof(e.Signals, parts)
	if len(parts) > 0 && basis != catalog.OfficialProven {
		own = strconv.Itoa(Confidence(e.Signals)) + " of 100 by its own proofs: " + enumerate(parts) + "."
	}
	moderated := e.Admission != nil && e.Admission.Rule == catalog.AdmittedByModerator
	switch {
	case basis == catalog.OfficialProven:
		return own
	case e.ThirdParty && moderated:
		return "Run by someone other than a public body, so not official; a moderator admitted it."
	case e.ThirdParty:
		return "Run by someone other than a public body, so not official."
	case moderated:
		return strings.TrimSpace("A moderator admitted it. " + capital(own))
	case in.vouched():
		return strings.TrimSpace("An official catalogue lists it and vouches for it. " + capital(own))
	}
	return capital(own)
}

// heldPhrases name the signals that held, in the order of the rules.
func heldPhrases(signals []catalog.Signal) []string {
	var parts []string
	for _, r := range signalRules {
		if held(signals, r.kind) != nil {
			parts = append(parts, r.phrase)
		}
	}
	return parts
}

func enumerate(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// capital begins a sentence; those here begin in ASCII.
func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
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
