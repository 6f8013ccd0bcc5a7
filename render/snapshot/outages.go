package snapshot

import (
	"slices"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// What a snapshot holds of incidents: the latest of all sources, and the days for which
// maintenance stays in calendars after it was over.
const (
	IncidentsKept   = 5000
	MaintenanceDays = 31
)

// Announced is maintenance of an entry.
type Announced struct {
	EntryID string
	catalog.Window
	// SaidAt is when it was announced.
	SaidAt time.Time
}

// Outages are the latest incidents of visible entries and of hosts, newest first, and the
// maintenance that owners announced, by its beginning. They lie beside the snapshot.
type Outages struct {
	Incidents []catalog.Incident
	Announced []Announced

	once    sync.Once
	hosts   map[string][]int
	windows map[string][]catalog.Window
}

// Shown are those of the entries that a catalog shows, and of hosts.
func (o *Outages) Shown(c *Catalog) *Outages {
	gone := func(id string) bool { return id != "" && c.ByID(id) < 0 }
	return &Outages{Incidents: slices.DeleteFunc(slices.Clone(o.Incidents), func(i catalog.Incident) bool { return gone(i.EntryID) }),
		Announced: slices.DeleteFunc(slices.Clone(o.Announced), func(a Announced) bool { return gone(a.EntryID) })}
}

func (o *Outages) index() {
	o.once.Do(func() {
		o.hosts, o.windows = map[string][]int{}, map[string][]catalog.Window{}
		for i := range o.Incidents {
			x := &o.Incidents[i]
			if name := HostName(x.Host); name != "" {
				o.hosts[name] = append(o.hosts[name], i)
			}
		}
		for i := range o.Announced {
			a := &o.Announced[i]
			o.windows[a.EntryID] = append(o.windows[a.EntryID], a.Window)
		}
	})
}

// OfHost are the places of the incidents of a host, by its name (HostName), and of its sources, newest first.
func (o *Outages) OfHost(host string) []int { o.index(); return o.hosts[host] }

// Those are the incidents at the places.
func (o *Outages) Those(places []int) []catalog.Incident {
	list := make([]catalog.Incident, len(places))
	for k, i := range places {
		list[k] = o.Incidents[i]
	}
	return list
}

// Windows are the announced windows of an entry.
func (o *Outages) Windows(id string) []catalog.Window { o.index(); return o.windows[id] }

// Hosts are the names of the hosts that had an incident, in their order; one without a name has no page.
func (o *Outages) Hosts() []string {
	o.index()
	list := make([]string, 0, len(o.hosts))
	for h := range o.hosts {
		list = append(list, h)
	}
	slices.Sort(list)
	return list
}
