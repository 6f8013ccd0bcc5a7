package snapshot

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Observed is what the checks of the last 30 days say about the register's own
// work. It lies beside the snapshot, as the harvest log does.
type Observed struct {
	// Cadence is how often the register means to check an entry.
	Cadence time.Duration
	// Days is on how many UTC days checks were made.
	Days int
	// Changes counts the changes of a verdict, Failing those to FAILING that a
	// later check followed, FalseFailing those that the very next check ended.
	Changes, Failing, FalseFailing int
	// Delivered counts the values that publishers delivered to listed entries,
	// Traced those whose source the register names.
	Delivered, Traced int
	// Hosts are those of the timetable.
	Hosts []Host
}

// Host is a host that entries are checked on.
type Host struct {
	catalog.ProbeHost
	// Cadence is how often each of its entries can be checked.
	Cadence time.Duration
}
