// Package score holds the rules by which the register judges an entry: facts
// become findings, findings become axes, axes become scores. One table
// (rules.go) names every rule, its weight and its meaning; the answers of
// quality-score, the provenance texts and the methodology page are made from
// the same table.
//
// All arithmetic is done in whole tenths of a point on the values that are
// published, so that a stranger who recomputes a score from the published
// axes gets the same digits (decisions §5, "Quality"). "Unknown" is an outcome
// of its own: it counts nothing and says so.
package score

import "time"

// RubricVersion names this set of rules and weights; it changes whenever the
// same facts could yield another score.
const RubricVersion = "1.2"

// RubricAt is since when that version holds.
var RubricAt = time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
