package wire

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// Methodology is the answer of methodology: every rule and formula by which
// entries are judged, so that a stranger can recompute each score.
type Methodology struct {
	RubricVersion string `json:"rubric_version"`
	// Rounding says how axes and totals are rounded.
	Rounding string             `json:"rounding"`
	Axes     []MethodAxis       `json:"axes"`
	Rules    []MethodRule       `json:"rules"`
	Formulas []Formula          `json:"formulas"`
	Tiers    []MethodTier       `json:"mqa_tiers"`
	States   []MethodState      `json:"verification_points"`
	Fresh    MethodFreshness    `json:"freshness"`
	Popular  MethodPopularity   `json:"popularity"`
	Ladder   []MethodRung       `json:"maturity"`
	Proof    MethodOfficialness `json:"officialness"`
	// WindowDays is how many days of checks availability and latencies rest on.
	WindowDays int `json:"window_days"`
	// MachineFormats are the formats that count as machine-readable.
	MachineFormats []string `json:"machine_formats"`
}

// MethodAxis explains one quality axis. Unknown says when it has no value, or
// a neutral one; null is never.
type MethodAxis struct {
	ID      string  `json:"id"`
	Label   string  `json:"label"`
	Weight  int     `json:"weight"`
	Meaning string  `json:"meaning"`
	Unknown *string `json:"unknown"`
}

// MethodRule is one rule of the rubric.
type MethodRule struct {
	ID   string `json:"id"`
	Axis string `json:"axis"`
	// Points are the most that the rule brings to its axis, by entry type; a
	// type that is missing is not judged by it.
	Points []MethodPoints `json:"points"`
	// Levels are the outcomes of a rule that is not just met or not.
	Levels  []MethodLevel `json:"levels"`
	Meaning string        `json:"meaning"`
	Advice  *string       `json:"advice"`
	// Condition says when it is met, in the members of published JSON.
	Condition string `json:"condition"`
	Field     string `json:"field"`
	Source    string `json:"source"`
}

// MethodPoints is what a rule brings for one entry type.
type MethodPoints struct {
	Type   catalog.EntryType `json:"type"`
	Points float64           `json:"points"`
}

// MethodLevel is one outcome of a rule that has several.
type MethodLevel struct {
	Points  float64 `json:"points"`
	Meaning string  `json:"meaning"`
}

// MethodTier is one band of mqa_score; below the last one is unranked.
type MethodTier struct {
	Tier catalog.MQATier `json:"tier"`
	From float64         `json:"from"`
}

// MethodState is what a verification state counts in trust_score.
type MethodState struct {
	State  catalog.VerificationState `json:"state"`
	Points float64                   `json:"points"`
}

// MethodFreshness says how freshness and maintenance_score are made.
type MethodFreshness struct {
	HalfLifeDays int `json:"half_life_days"`
	// AgeSteps are the ages, in days, that an age is rounded down to.
	AgeSteps []int  `json:"age_steps_days"`
	Rule     string `json:"rule"`
}

// MethodPopularity says how popularity and popularity_score are made.
type MethodPopularity struct {
	WindowDays int    `json:"window_days"`
	FullAt     int    `json:"full_at"`
	Rule       string `json:"rule"`
}

// MethodOfficialness says when an item counts as proved.
type MethodOfficialness struct {
	ProvenThreshold int    `json:"proven_threshold"`
	Rule            string `json:"rule"`
}

// MethodRung is one rung of the maturity ladder.
type MethodRung struct {
	Level            catalog.Maturity `json:"level"`
	LevelIndex       int              `json:"level_index"`
	Label            string           `json:"label"`
	Meaning          string           `json:"meaning"`
	Criterion        string           `json:"criterion"`
	CountsAsCoverage bool             `json:"counts_as_coverage"`
}

// NewMethodology explains the rubric from the tables that entries are judged by.
func NewMethodology() Methodology {
	m := Methodology{RubricVersion: score.RubricVersion, WindowDays: score.WindowDays, MachineFormats: score.MachineFormats(),
		Rounding: "Axes and totals are rounded half up to one decimal; metadata_completeness is 100 * rules met / rules that judge the type, availability is the greatest points among the levels of its rule that are not more than 100 * checks that succeeded / checks; the other axes are sums of points; totals are the sum of weight * input / the sum of the weights, computed from the published axes, what is unknown counts 0; official is an entry whose is_public_sector is true; what is null, an empty text or an empty list is not there; maintenance_score is rounded half up to four decimals and freshness made from it.",
		Formulas: newFormulas(score.Formulas()), Rules: []MethodRule{},
		Fresh: MethodFreshness{score.HalfLifeDays, score.AgeSteps(), "maintenance_score is 0.5 to the power of (age / half_life_days), 0 when no date is stated; freshness is 100 times that; the age is the greatest of age_steps_days that is not more than the whole days from the UTC day of source_modified_at to the day of the snapshot, and a day to come counts as that day; it counts in steps, the same for all, so that a ranking moves when something has changed and not with each day that passes; freshness.since of quality-score is the day on which that step was reached, so it is the age in full"},
		Popular: MethodPopularity{score.PopularityDays, score.PopularityFull, "popularity_score is log10(1 + uses) / log10(1 + full_at), at most 1, where uses are confirmed watches, answers cited and requests " +
			"forwarded by the proxy in the window_days before the day; popularity is 100 times that; it is 0 and not used for official data; in a register that has counted no uses it is unknown, and its term is left out of the formula"},
		Proof: MethodOfficialness{score.ProvenThreshold, "official_confidence is the sum of the proofs that held; from proven_threshold on, with a known institution, the item itself is proved"}}
	for _, a := range score.Axes() {
		m.Axes = append(m.Axes, MethodAxis{string(a.ID), a.Label, a.Weight, a.Meaning, null(a.Unknown)})
	}
	for _, r := range score.Methodology() {
		m.Rules = append(m.Rules, newMethodRule(&r))
	}
	for _, b := range score.Bands() {
		m.Tiers = append(m.Tiers, MethodTier{b.Tier, b.From.Float()})
	}
	for _, s := range catalog.VerificationStates() {
		m.States = append(m.States, MethodState{s, score.VerificationPoints(s).Float()})
	}
	for _, r := range score.LadderText() {
		m.Ladder = append(m.Ladder, MethodRung{r.Level, r.Index, r.Label, r.Meaning, r.Criterion, r.Coverage})
	}
	return m
}

func newMethodRule(r *score.Explained) MethodRule {
	out := MethodRule{ID: r.ID, Axis: string(r.Axis), Points: []MethodPoints{}, Levels: []MethodLevel{}, Meaning: r.Meaning,
		Advice: null(r.Advice), Condition: r.Condition, Field: r.Field, Source: r.Source}
	for _, p := range r.Points {
		out.Points = append(out.Points, MethodPoints{p.Type, p.Points.Float()})
	}
	for _, l := range r.Levels {
		out.Levels = append(out.Levels, MethodLevel{l.Points.Float(), l.Meaning})
	}
	return out
}
