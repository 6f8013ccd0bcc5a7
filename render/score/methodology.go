package score

import (
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// AxisText explains one axis.
type AxisText struct {
	ID     AxisID
	Label  string
	Weight int
	// Meaning says what is measured, Unknown when the axis is unknown or
	// neutral, "" when it never is.
	Meaning, Unknown string
}

// axisTexts belong to axes.
var axisTexts = map[AxisID][2]string{
	AxisOfficialness: {"The sum of the proofs that a public body stands behind the source.",
		"Unknown for a public-sector entry whose proofs were never tried; 50, neutral, for an entry that is not public-sector."},
	AxisAvailability: {"The share of the checks of the last 30 days that succeeded, in steps.", "Unknown for an entry that was not checked in the last 30 days."},
	AxisMetadata:     {"The share of the recommended fields that are there.", ""},
	AxisLicence:      {"How clear and open the licence is.", ""},
	AxisAgent:        {"How much a program can do with the source without a person.", ""},
}

// Axes lists the axes in their published order.
func Axes() []AxisText {
	out := make([]AxisText, len(axes))
	for i, a := range axes {
		out[i] = AxisText{a.id, a.label, a.weight, axisTexts[a.id][0], axisTexts[a.id][1]}
	}
	return out
}

// TypePoints is what a rule brings to its axis for one entry type, of 100.
type TypePoints struct {
	Type   catalog.EntryType
	Points Tenths
}

// Level is one outcome of a rule that has several.
type Level struct {
	Points  Tenths
	Meaning string
}

// Explained is one rule of the methodology.
type Explained struct {
	ID   string
	Axis AxisID
	// Points are the most that the rule brings, by entry type; a type that is
	// missing is not judged by it.
	Points []TypePoints
	// Levels are the outcomes of a rule that is not just met or not, best
	// first.
	Levels  []Level
	Meaning string
	Advice  string
	// Condition says when the rule is met, in the members of published JSON.
	Condition string
	// Field is the published field that decides, Source the standard that
	// names it.
	Field, Source string
}

// Methodology lists every rule in the order of the axes. It is made of the
// tables that entries are judged by.
func Methodology() []Explained {
	var out []Explained
	for _, s := range signalRules {
		out = append(out, Explained{ID: s.id, Axis: AxisOfficialness, Points: all(Tenths(10 * s.points)),
			Meaning: s.meaning, Field: "signals", Source: "this register, proofs of officialness"})
	}
	out = append(out, Explained{ID: ruleAvailability, Axis: AxisAvailability, Points: all(1000), Levels: availabilityLevels(), Meaning: meaningAvailability,
		Field: "checks", Source: "this register, checks"})
	for _, axis := range []AxisID{AxisMetadata, AxisLicence, AxisAgent} {
		if axis == AxisLicence {
			out = append(out, Explained{ID: ruleLicence, Axis: AxisLicence, Points: all(1000), Levels: slices.Clone(licenceLevels),
				Meaning: meaningLicence, Advice: "Name a standard open licence by its identifier or URL.", Field: "license", Source: "DCAT-AP 3.0.1, dct:license"})
		}
		for i := range rules {
			if r := &rules[i]; r.Axis == axis {
				out = append(out, Explained{ID: r.ID, Axis: axis, Points: pointsOf(r), Meaning: r.Meaning, Advice: r.Advice, Field: r.Field, Source: r.Source})
			}
		}
	}
	for i := range out {
		out[i].Condition = conditionOf(out[i].ID)
	}
	return out
}

func all(points Tenths) []TypePoints {
	var out []TypePoints
	for _, t := range catalog.EntryTypes() {
		out = append(out, TypePoints{t, points})
	}
	return out
}

// pointsOf is what a checklist rule brings; those of metadata completeness
// share their axis.
func pointsOf(r *Rule) []TypePoints {
	var out []TypePoints
	for _, t := range catalog.EntryTypes() {
		if !r.applies(t) {
			continue
		}
		points := Tenths(10 * r.Points)
		if r.Axis == AxisMetadata {
			n := 0
			for i := range rules {
				if rules[i].Axis == AxisMetadata && rules[i].applies(t) {
					n++
				}
			}
			points = share(1, n)
		}
		out = append(out, TypePoints{t, points})
	}
	return out
}

// MachineFormats lists the file types that count as machine-readable, sorted.
func MachineFormats() []string { return slices.Sorted(maps.Keys(machineFormats)) }

// LadderText lists the rungs of the maturity ladder, lowest first; what
// depends on an entry is empty.
func LadderText() []Rung {
	out := make([]Rung, len(ladderText))
	for i, t := range ladderText {
		out[i] = Rung{Level: t.level, Index: i + 1, Label: t.label, Meaning: t.meaning, Criterion: t.criterion, Coverage: i >= coverageFrom}
	}
	return out
}
