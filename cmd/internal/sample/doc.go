// Package sample is the register that `assay demo` shows: real official
// sources, described in our own words, with traces of checks and records of
// evidence written by hand so that every state of the product can be seen. No
// verdict is typed in: the records are replayed through the same code that
// harvests, judges and verifies live sources.
package sample

import "time"

// Instant is the moment at which the sample register stands still. Its traces
// end there.
var Instant = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

// Traces are slots of six hours over thirty days.
const (
	slots    = 120
	slotTime = 6 * time.Hour
)

// slotAt is the beginning of a slot.
func slotAt(i int) time.Time { return Instant.Add(-time.Duration(slots-i) * slotTime) }
