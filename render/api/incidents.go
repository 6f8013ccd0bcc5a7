package api

import (
	"fmt"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// incidents renders the list of all outages, and that of each host that had one.
func incidents(c *snapshot.Catalog, emit Emit) error {
	put := func(route string, body any, at time.Time) error {
		f, err := sealed(route, artifact.ClassCatalog, body, at)
		if err == nil {
			err = emit(f)
		}
		if err != nil {
			return fmt.Errorf("page %s: %w", route, err)
		}
		return nil
	}
	o := c.Outages
	for _, host := range o.Hosts() {
		if err := put(wire.HostIncidentsRoute(host), wire.NewHostIncidents(o, host), outagesAt(c, o.OfHost(host))); err != nil {
			return err
		}
	}
	all := make([]int, len(o.Incidents))
	for i := range all {
		all[i] = i
	}
	at := outagesAt(c, all)
	for i := range o.Announced {
		if said := o.Announced[i].SaidAt; said.After(at) {
			at = said
		}
	}
	return put(wire.RouteIncidents, wire.NewIncidentsPage(o, wire.IncidentsShown), at)
}

// outagesAt is the latest change among incidents, the day of the snapshot where there is none.
func outagesAt(c *snapshot.Catalog, places []int) time.Time {
	latest := time.Time{}
	for _, i := range places {
		x := &c.Outages.Incidents[i]
		for _, t := range []time.Time{x.OpenedAt, x.Until} {
			if t.After(latest) {
				latest = t
			}
		}
	}
	if latest.IsZero() {
		latest = c.Day
	}
	return latest.UTC().Truncate(time.Second)
}
