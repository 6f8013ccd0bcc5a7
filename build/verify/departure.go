package verify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// departure is that failing sources of a host left it.
type departure struct {
	// at is when the last of them left.
	at time.Time
	// planned is how many of them the timetable still has.
	planned int
}

// departures are those by host.
type departures map[string]departure

func (d departures) add(host string, at time.Time, planned int) {
	d[host] = departure{later(at, d[host].at), d[host].planned + planned}
}

// relieve ends the incidents of hosts of which several sources failed together and too few do that are
// left: where nothing else changes, no check would look at them again. None begins so, for that takes a check.
func (d departures) relieve(ctx context.Context, tx catalog.Tx) error {
	for _, host := range slices.Sorted(maps.Keys(d)) {
		open, err := tx.Incidents().OpenOn(ctx, host)
		if err != nil {
			return err
		}
		whole, sources := split(open)
		if whole == nil || whole.Cause != catalog.CauseSeveral {
			continue
		}
		entries, err := entriesOn(ctx, tx, host)
		if err != nil {
			return err
		}
		if len(sources) >= quorum(entries-d[host].planned) {
			continue
		}
		whole.Until = later(d[host].at, whole.OpenedAt)
		if err := tx.Incidents().Put(ctx, *whole); err != nil {
			return err
		}
	}
	return nil
}

// entriesOn is how many entries the timetable has on a host.
func entriesOn(ctx context.Context, tx catalog.Tx, host string) (n int, err error) {
	err = tx.Probes().Hosts(ctx, func(h *catalog.ProbeHost) error {
		if h.Host == host {
			n = h.Entries
		}
		return nil
	})
	return n, err
}
