package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Defaults of the timetable (decisions §5, "Verification").
const (
	DefaultCadence = 6 * time.Hour
	DefaultConfirm = 30 * time.Second
	// patienceShare is the part of the cadence for which no entry of a host may
	// have been reached, in confirmed probes, before the host as a whole is
	// declared down: an hour of six. Until then each failure counts against its
	// entry, which is checked once in that time.
	patienceShare = 6
)

// NextSlot is when an entry is due after an instant. Each entry has a moment of
// its own within the cadence, which follows from its id, so that the checks of
// a host, and of the register, are spread evenly and stay where they are.
func NextSlot(entryID string, cadence time.Duration, after time.Time) time.Time {
	h := sha256.Sum256([]byte(entryID))
	phase := time.Duration(binary.BigEndian.Uint64(h[:8]) % uint64(cadence)).Truncate(time.Millisecond)
	start := after.Truncate(cadence).Add(phase)
	for !start.After(after) {
		start = start.Add(cadence)
	}
	for start.Add(-cadence).After(after) {
		start = start.Add(-cadence)
	}
	return start.UTC()
}

// RealCadence is how often the entries of a host can be checked: the cadence,
// or longer where its queue does not fit, since a host is asked for one entry
// at a time with a gap.
func RealCadence(h *catalog.ProbeHost, cadence, gap time.Duration) time.Duration {
	return max(cadence, time.Duration(h.Entries)*gap)
}
