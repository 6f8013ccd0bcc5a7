package score

import (
	"strconv"

	"github.com/assay-register/assay/render/catalog"
)

// Rung is one step of the maturity ladder for one entry.
type Rung struct {
	Level     catalog.Maturity
	Index     int
	Label     string
	Meaning   string
	Criterion string
	// Evidence is what decided the rung, in words.
	Evidence string
	// Coverage tells that entries on this rung count as coverage.
	Coverage bool
	// Met is the rung's own criterion, Reached that of all rungs up to it.
	Met, Reached bool
}

// Ladder is the maturity reading of an entry.
type Ladder struct {
	Rungs [7]Rung
	// Level is the highest rung reached.
	Level Rung
	// BlockedBy is the first rung that is not met, "" on the top.
	BlockedBy catalog.Maturity
}

// ladderText explains the rungs (specification, "Maturity ladder"): rungs 4 to
// 7 count as coverage.
var ladderText = [7]struct {
	level                     catalog.Maturity
	label, meaning, criterion string
}{
	{catalog.MaturityDiscovered, "Discovered", "The register knows that the source exists.", "Always met."},
	{catalog.MaturityVerified, "Verified", "The source answered its last check.", "verification_state is VERIFIED."},
	{catalog.MaturityProfiled, "Profiled", "The fields of its data are known.", "A data profile exists with field_count above 0."},
	{catalog.MaturityExecutable, "Executable", "A machine can use it now, without a step by a person.", "capability_tier is live."},
	{catalog.MaturityJoinable, "Joinable", "It can be joined with other sources by a canonical identifier.", "A field is linked to a canonical identifier and sampled values match its format."},
	{catalog.MaturityReproducible, "Reproducible", "What it answered once can be shown again.", "At least one retained evidence manifest exists."},
	{catalog.MaturityGuaranteed, "Guaranteed", "Someone answers for its reliability.", "An active reliability target exists."},
}

// coverageFrom is the place of the first rung that counts as coverage.
const coverageFrom = 3

func ladder(in *Input, r *Result) Ladder {
	var l Ladder
	reached := true
	for i, t := range ladderText {
		ok, evidence := rungFacts(in, r, i)
		reached = reached && ok
		l.Rungs[i] = Rung{Level: t.level, Index: i + 1, Label: t.label, Meaning: t.meaning, Criterion: t.criterion,
			Evidence: evidence, Coverage: i >= coverageFrom, Met: ok, Reached: reached}
		if reached {
			l.Level = l.Rungs[i]
		} else if l.BlockedBy == "" {
			l.BlockedBy = t.level
		}
	}
	return l
}

func rungFacts(in *Input, r *Result, i int) (bool, string) {
	switch ladderText[i].level {
	case catalog.MaturityVerified:
		return r.State == catalog.StateVerified, "verification_state is " + string(r.State)
	case catalog.MaturityProfiled:
		n := 0
		if in.Row.Profile != nil {
			n = len(in.Row.Profile.Fields)
		}
		return n > 0, "field_count is " + strconv.Itoa(n)
	case catalog.MaturityExecutable:
		return r.Capability == catalog.TierLive, "capability_tier is " + string(r.Capability)
	case catalog.MaturityJoinable:
		return joinable(in.Row.Profile)
	case catalog.MaturityReproducible:
		n := 0
		for _, e := range in.Row.Evidence {
			if e.Kept {
				n++
			}
		}
		return n > 0, strconv.Itoa(n) + " retained manifests"
	case catalog.MaturityGuaranteed:
		if len(r.Budgets) == 0 {
			return false, "no active reliability target"
		}
		return true, r.Budgets[0].String()
	default:
		return true, "the entry exists"
	}
}

func joinable(p *catalog.Profile) (bool, string) {
	if p != nil {
		for _, f := range p.Fields {
			if f.Concept != "" && f.Matches {
				return true, "field " + f.Name + " holds " + f.Concept
			}
		}
	}
	return false, "no field is linked to a canonical identifier"
}
