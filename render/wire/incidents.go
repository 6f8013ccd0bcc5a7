package wire

import (
	"reflect"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Routes of what is told of outages.
const (
	RouteIncidents = "/api/v1/incidents"
	RouteHost      = "/api/v1/hosts/"
	// RouteMaintenance is the calendar of announced maintenance (RFC 5545).
	RouteMaintenance = "/api/v1/feeds/maintenance.ics"
	RouteOutages     = "/api/v1/feeds/outages.rss"
	MediaCalendar    = "text/calendar"
)

// HostIncidentsRoute is where the incidents of a host lie, HostOutagesRoute its feed,
// EntryOutagesRoute that of an entry.
func HostIncidentsRoute(host string) string { return RouteHost + host + "/incidents" }
func HostOutagesRoute(host string) string   { return "/api/v1/feeds/host/" + host + "/outages.rss" }
func EntryOutagesRoute(id string) string    { return "/api/v1/feeds/entry/" + id + "/outages.rss" }
func EntryMaintenanceRoute(id string) string {
	return "/api/v1/feeds/entry/" + id + "/maintenance.ics"
}

// HostOutagesPage is the page of the outages of a host; the host is not its last segment, for there `.md` of
// Moldova would be an extension.
func HostOutagesPage(host string) string { return "/hosts/" + host + "/outages" }

// IncidentsShown is how many incidents the list of all, and that of a host, show in a published file.
const IncidentsShown = 200

// Incident is a time in which a source or a whole host did not answer.
type Incident struct {
	ID string `json:"id"`
	// EntryID is null for a whole host.
	EntryID *string               `json:"entry_id"`
	Host    string                `json:"host"`
	Cause   catalog.IncidentCause `json:"cause"`
	// Began is the first failed check, OpenedAt the one that made it an incident, EndedAt the one
	// that was answered, null while it lasts.
	Began    string  `json:"began_at"`
	OpenedAt string  `json:"opened_at"`
	EndedAt  *string `json:"ended_at"`
	// Seconds lie between its beginning and its end, null while it lasts.
	Seconds *int64 `json:"duration_seconds"`
	// Planned tells that it lies within maintenance that was announced before.
	Planned bool `json:"planned"`
	// Unresolved tells that it ended because the source is not checked any more.
	Unresolved bool            `json:"unresolved"`
	Failures   int             `json:"failed_checks"`
	Sources    *int            `json:"sources"`
	Evidence   []IncidentCheck `json:"evidence"`
}

// IncidentCheck is a check that an incident rests on.
type IncidentCheck struct {
	At         string  `json:"at"`
	EntryID    string  `json:"entry_id"`
	URL        string  `json:"url"`
	Up         bool    `json:"up"`
	HTTPStatus *int    `json:"http_status"`
	ErrorClass *string `json:"error_class"`
	Error      *string `json:"error"`
}

// Maintenance is a time of maintenance that an owner announced.
type Maintenance struct {
	StatementID string  `json:"statement_id"`
	EntryID     string  `json:"entry_id"`
	From        string  `json:"from"`
	Until       string  `json:"until"`
	Text        *string `json:"text"`
	URL         *string `json:"url"`
}

// EntryIncidents is the answer of incidents: the latest first.
type EntryIncidents struct {
	EntryID     string        `json:"entry_id"`
	Open        int           `json:"open"`
	Items       []Incident    `json:"items"`
	Maintenance []Maintenance `json:"maintenance"`
}

// IncidentsPage is a page of incidents, the latest first.
type IncidentsPage struct {
	Items       []Incident    `json:"items"`
	Maintenance []Maintenance `json:"maintenance"`
	// Next is the path of the next page, null on the last one.
	Next *string `json:"next"`
}

// HostIncidents are the incidents of a host and of its sources, the latest first.
type HostIncidents struct {
	Host  string     `json:"host"`
	Open  int        `json:"open"`
	Items []Incident `json:"items"`
}

// NewIncident is the public shape of an incident; windows are those of its entry.
func NewIncident(i *catalog.Incident, windows []catalog.Window) Incident {
	out := Incident{ID: i.ID, EntryID: null(i.EntryID), Host: i.Host, Cause: i.Cause, Began: utc(i.From), OpenedAt: utc(i.OpenedAt), EndedAt: stamp(i.Until),
		Planned: i.Planned(windows), Unresolved: i.Unresolved, Failures: i.Failures, Sources: number(i.Sources), Evidence: []IncidentCheck{}}
	if !i.Open() {
		seconds := int64(i.Until.Sub(i.From) / time.Second)
		out.Seconds = &seconds
	}
	for k := range i.Evidence {
		c := &i.Evidence[k]
		out.Evidence = append(out.Evidence, IncidentCheck{utc(c.At), c.EntryID, c.URL, c.Up, number(c.HTTPStatus), null(string(c.Class)), null(c.Error)})
	}
	return out
}

func utc(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// NewMaintenance is the public shape of a window.
func NewMaintenance(entryID string, w *catalog.Window) Maintenance {
	return Maintenance{w.StatementID, entryID, utc(w.From), utc(w.Until), null(w.Text), null(w.URL)}
}

// NewEntryIncidents lists the incidents of an entry.
func NewEntryIncidents(s *snapshot.Scored) EntryIncidents {
	return EntryIncidentsOf(s.Row.Entry.ID, s.Row.Incidents, catalog.Windows(s.Row.Said))
}

// EntryIncidentsOf lists incidents, which are given oldest first.
func EntryIncidentsOf(id string, list []catalog.Incident, windows []catalog.Window) EntryIncidents {
	out := EntryIncidents{EntryID: id, Items: []Incident{}, Maintenance: []Maintenance{}}
	for _, i := range slices.Backward(list) {
		if i.Open() {
			out.Open++
		}
		out.Items = append(out.Items, NewIncident(&i, windows))
	}
	for _, w := range slices.Backward(windows) {
		out.Maintenance = append(out.Maintenance, NewMaintenance(id, &w))
	}
	return out
}

// IncidentsAt is the latest change among what NewEntryIncidents shows: at first, that the entry is public.
func IncidentsAt(s *snapshot.Scored) time.Time {
	latest := s.Row.Entry.PublishedAt
	for i := range s.Row.Incidents {
		latest = maxTime(latest, s.Row.Incidents[i].OpenedAt, s.Row.Incidents[i].Until)
	}
	for i := range s.Row.Said {
		latest = maxTime(latest, s.Row.Said[i].CreatedAt, s.Row.Said[i].DecidedAt)
	}
	return latest.UTC().Truncate(time.Second)
}

func maxTime(latest time.Time, list ...time.Time) time.Time {
	for _, t := range list {
		if t.After(latest) {
			latest = t
		}
	}
	return latest
}

// NewIncidentsPage lists incidents of a snapshot, at most so many.
func NewIncidentsPage(o *snapshot.Outages, limit int) IncidentsPage {
	out := IncidentsPage{Items: []Incident{}, Maintenance: []Maintenance{}}
	for i := range o.Incidents[:min(len(o.Incidents), limit)] {
		x := &o.Incidents[i]
		out.Items = append(out.Items, NewIncident(x, o.Windows(x.EntryID)))
	}
	for i := range o.Announced {
		a := &o.Announced[i]
		out.Maintenance = append(out.Maintenance, NewMaintenance(a.EntryID, &a.Window))
	}
	return out
}

// NewHostIncidents lists those of a host.
func NewHostIncidents(o *snapshot.Outages, host string) HostIncidents {
	out := HostIncidents{Host: host, Items: []Incident{}}
	for _, i := range o.OfHost(host) {
		x := &o.Incidents[i]
		if x.Open() {
			out.Open++
		}
		if len(out.Items) < IncidentsShown {
			out.Items = append(out.Items, NewIncident(x, o.Windows(x.EntryID)))
		}
	}
	return out
}

// IncidentsParams choose among incidents.
func IncidentsParams() []Param {
	return []Param{
		{Name: "entry", In: "query", Kind: KindString, Description: "Id or slug of an entry.", Example: exampleSlug},
		{Name: "host", In: "query", Kind: KindString, Description: "Host in lower case, with its port unless that is the one of the scheme; its sources' incidents are among them.", Example: "data.example.gov"},
		{Name: "open", In: "query", Kind: KindBoolean, Description: "Only those that last."},
		{Name: "since", In: "query", Kind: KindString, Format: "date-time", Description: "Only those that last or ended at this instant or later.", Example: "2026-01-01T00:00:00Z"},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: IncidentsShown, Default: 50, Description: "Incidents of the page, at most."},
		{Name: "cursor", In: "query", Kind: KindString, Description: "Where to go on: follow `next`."},
	}
}

// incidentOperations tell when sources and hosts did not answer.
func incidentOperations() []Operation {
	host := Param{Name: "host", In: "path", Kind: KindString, Description: "Host in lower case, with its port unless that is the one of the scheme.", Example: "data.example.gov"}
	ops := []Operation{
		{ID: "listIncidents", Path: RouteIncidents, Summary: "When sources and hosts did not answer", Tag: TagEntries, Media: MediaJSON,
			Description: "The incidents of sources and of whole hosts, the latest first, and the maintenance that owners announced. Without parameters the published file answers, with the latest 200.",
			Params:      IncidentsParams(), Response: reflect.TypeFor[IncidentsPage](), Problems: problemsPaged},
		{ID: "getHostIncidents", Path: RouteHost + "{host}/incidents", Summary: "When a host did not answer", Tag: TagEntries, Media: MediaJSON,
			Description: "The latest 200 incidents of a host, whose name is in ASCII (RFC 5891), and of its sources; `open` counts all. 404 for a host that had none.",
			Params:      []Param{host}, Response: reflect.TypeFor[HostIncidents](), Problems: problemsEntry},
		{ID: "getOutagesFeed", Path: RouteOutages, Summary: "Outages as a feed", Tag: TagEntries, Media: MediaRSS, Description: "The latest 50 outages of sources and hosts as RSS 2.0."},
		{ID: "getHostOutagesFeed", Path: "/api/v1/feeds/host/{host}/outages.rss", Summary: "Outages of a host as a feed", Tag: TagEntries, Media: MediaRSS, Params: []Param{host},
			Description: "The latest 50 outages of a host and of its sources as RSS 2.0. 404 for a host that had none."},
		{ID: "getEntryOutagesFeed", Path: "/api/v1/feeds/entry/{id}/outages.rss", Summary: "Outages of an entry as a feed", Tag: TagEntry, Media: MediaRSS, Params: []Param{idParam()},
			Description: "The latest 50 outages of a source as RSS 2.0. 404 for a source that had none; `/api/v1/feeds/entry/{id}.atom` tells of the first one, too."},
		{ID: "getMaintenance", Path: RouteMaintenance, Summary: "Announced maintenance as a calendar", Tag: TagEntries, Media: MediaCalendar,
			Description: "The maintenance that owners announced, of the last 31 days and to come, as iCalendar (RFC 5545)."},
		{ID: "getEntryMaintenance", Path: "/api/v1/feeds/entry/{id}/maintenance.ics", Summary: "Announced maintenance of an entry as a calendar", Tag: TagEntry, Media: MediaCalendar, Params: []Param{idParam()},
			Description: "The maintenance that the owner of a source announced as iCalendar (RFC 5545). 404 where none was announced."},
	}
	for i := range ops {
		op := &ops[i]
		op.Static, op.Sealed, op.Cache = true, op.Response != nil, CacheRevalidate
		if op.Problems == nil {
			op.Problems = problemsEntry
		}
	}
	return ops
}
