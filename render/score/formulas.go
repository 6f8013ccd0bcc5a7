package score

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// Inputs of the formulas besides the axes.
const (
	InputVerification = "verification"
	InputFreshness    = "freshness"
	InputPopularity   = "popularity"
)

// HalfLifeDays is after how many days without a change by the publisher
// freshness halves (decisions §5).
const HalfLifeDays = 180

// Term is one weighted input of a total: an axis or one of the inputs above.
type Term struct {
	Input  string
	Weight int
}

// Formula says how a total is made of published values: the sum of weight
// times value, divided by the sum of the weights, rounded half up to 0.1. What
// is unknown counts 0.
type Formula struct {
	// Score is mqa_score, trust_score or ranking_score.
	Score string
	// For says which entries it is for, "" for all.
	For   string
	Terms []Term
}

// The formulas (specification, "Rules for computed fields" 3, 4 and 6;
// decisions §5, "Quality"). Where popularity is unknown, its weight is shared out
// among the others in proportion: the term is left out.
var (
	mqa = Formula{"mqa_score", "", []Term{{string(AxisOfficialness), 25}, {string(AxisAvailability), 25},
		{string(AxisMetadata), 20}, {string(AxisLicence), 15}, {string(AxisAgent), 15}}}
	trust = Formula{"trust_score", "", []Term{{string(AxisOfficialness), 25}, {InputVerification, 25},
		{string(AxisMetadata), 20}, {string(AxisLicence), 15}, {string(AxisAgent), 15}}}
	rankingOfficial = Formula{"ranking_score", "official", []Term{{string(AxisOfficialness), 35}, {string(AxisAvailability), 25},
		{InputFreshness, 15}, {string(AxisMetadata), 15}, {string(AxisAgent), 10}}}
	rankingOther = Formula{"ranking_score", "not official", []Term{{string(AxisAvailability), 30},
		{InputPopularity, 25}, {InputFreshness, 20}, {string(AxisMetadata), 15}, {string(AxisAgent), 10}}}
)

// Formulas lists every formula.
func Formulas() []Formula { return []Formula{mqa, trust, rankingOfficial, rankingOther} }

// FormulasOf lists the formulas by which an entry was judged.
func FormulasOf(r *Result) []Formula { return []Formula{mqa, trust, *rankingOf(r)} }

// rankingUnknown is rankingOther where popularity is unknown.
var rankingUnknown = rankingOther.without(InputPopularity)

func rankingOf(r *Result) *Formula {
	switch {
	case r.PublicSector:
		return &rankingOfficial
	case r.PopularityKnown:
		return &rankingOther
	}
	return &rankingUnknown
}

func (f Formula) without(input string) Formula {
	f.Terms = slices.DeleteFunc(slices.Clone(f.Terms), func(t Term) bool { return t.Input == input })
	return f
}

func (f *Formula) total(value func(input string) Tenths) Tenths {
	sum, weights := 0, 0
	for _, t := range f.Terms {
		sum += t.Weight * int(value(t.Input))
		weights += t.Weight
	}
	return Tenths((2*sum + weights) / (2 * weights))
}

// Band is one tier of mqa_score with the least score that reaches it.
type Band struct {
	Tier catalog.MQATier
	From Tenths
}

// bands are the tiers, best first; 0 is unranked (specification, "Rules for
// computed fields" 7).
var bands = []Band{{catalog.TierExcellent, 800}, {catalog.TierGood, 600}, {catalog.TierFair, 400}, {catalog.TierPoor, 1}}

// Bands lists the tiers above unranked, best first.
func Bands() []Band { return append([]Band(nil), bands...) }

// verificationPoints stand in trust_score where availability stands in
// mqa_score (decisions §5).
var verificationPoints = map[catalog.VerificationState]Tenths{
	catalog.StateVerified: 1000, catalog.StateStale: 500, catalog.StateUnverified: 250, catalog.StateFailing: 0,
}

// VerificationPoints is what a verification state counts in trust_score.
func VerificationPoints(s catalog.VerificationState) Tenths { return verificationPoints[s] }
