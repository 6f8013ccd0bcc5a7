package wire

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// RouteRules is where the rules stand as data.
const RouteRules = "/api/v1/rules.json"

// Rules are the rules of scores as data: what Methodology says in words, for a program that
// makes the scores again (render/recompute, site/assets/recompute.lib.js).
type Rules struct {
	// Version is that of this form, 1.
	Version       int                `json:"version"`
	RubricVersion string             `json:"rubric_version"`
	Axes          []RuleAxis         `json:"axes"`
	Formulas      []Formula          `json:"formulas"`
	Tiers         []MethodTier       `json:"tiers"`
	Verification  map[string]float64 `json:"verification"`
	HalfLifeDays  int                `json:"half_life_days"`
	AgeStepsDays  []int              `json:"age_steps_days"`
	FullAt        int                `json:"full_at"`
	// Lists are those that conditions name.
	Lists map[string][]string `json:"lists"`
}

// RuleAxis is one axis: how its rules make it.
type RuleAxis struct {
	ID      string `json:"id"`
	Combine string `json:"combine"`
	// Neutral is the value of an entry for which the member NeutralUnless is not true; an
	// axis for which Known does not hold is unknown.
	Neutral       *float64    `json:"neutral,omitempty"`
	NeutralUnless string      `json:"neutral_unless,omitempty"`
	Known         *score.When `json:"known,omitempty"`
	Rules         []RuleData  `json:"rules"`
}

// RuleData is one rule: its points by type, and when it is met.
type RuleData struct {
	ID     string             `json:"id"`
	Points map[string]float64 `json:"points"`
	When   *score.When        `json:"when,omitempty"`
	Levels []LevelData        `json:"levels,omitempty"`
}

// LevelData is an outcome of a rule; without a condition, that of the share of checks
// which reaches its points.
type LevelData struct {
	Points float64     `json:"points"`
	When   *score.When `json:"when,omitempty"`
}

// NewRules are the rules from the tables that entries are judged by.
func NewRules() Rules {
	r := Rules{Version: 1, RubricVersion: score.RubricVersion, Formulas: newFormulas(score.Formulas()), Verification: map[string]float64{},
		HalfLifeDays: score.HalfLifeDays, AgeStepsDays: score.AgeSteps(), FullAt: score.PopularityFull, Lists: map[string][]string{"machine_formats": score.MachineFormats()}}
	for _, b := range score.Bands() {
		r.Tiers = append(r.Tiers, MethodTier{b.Tier, b.From.Float()})
	}
	for _, s := range catalog.VerificationStates() {
		r.Verification[string(s)] = score.VerificationPoints(s).Float()
	}
	all := score.Methodology()
	for _, a := range score.Axes() {
		axis := RuleAxis{ID: string(a.ID), Combine: score.CombineOf(a.ID)}
		if a.ID == score.AxisOfficialness {
			neutral := float64(score.Neutral)
			axis.Neutral, axis.NeutralUnless, axis.Known = &neutral, "is_public_sector", &score.When{There: "signals"}
		}
		for i := range all {
			if all[i].Axis == a.ID {
				axis.Rules = append(axis.Rules, newRuleData(&all[i]))
			}
		}
		r.Axes = append(r.Axes, axis)
	}
	return r
}

func newRuleData(e *score.Explained) RuleData {
	d := RuleData{ID: e.ID, Points: map[string]float64{}, When: score.WhenOf(e.ID)}
	for _, p := range e.Points {
		d.Points[string(p.Type)] = p.Points.Float()
	}
	whens := score.LevelsWhen(e.ID)
	for i, l := range e.Levels {
		level := LevelData{Points: l.Points.Float()}
		if i < len(whens) {
			level.When = &whens[i]
		}
		d.Levels = append(d.Levels, level)
	}
	return d
}
