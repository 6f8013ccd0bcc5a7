package feed

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	ical "github.com/arran4/golang-ical"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// outages emits the feeds of outages of all, of each host and of each source that had one, and the
// calendars of maintenance.
func outages(c *snapshot.Catalog, emit func(artifact.File) error) error {
	o, register := c.Outages, clean(c.Site.Name)
	w := outageWriter{site: c.Site, asOf: c.Day, emit: emit, windows: o.Windows, named: func(id string) (name, slug string) {
		if at := c.ByID(id); at >= 0 {
			l := &c.Lines[at]
			return oneLine(cmp.Or(l.Name, l.Slug)), l.Slug
		}
		return "", ""
	}}
	err := w.feed(wire.RouteOutages, "/outages", "Outages in "+register, "When sources of the register did not answer.", o.Incidents)
	for _, host := range o.Hosts() {
		if err == nil {
			err = w.feed(wire.HostOutagesRoute(host), wire.HostOutagesPage(host), "Outages of "+host, "When "+host+" and its sources did not answer.", o.Those(o.OfHost(host)))
		}
	}
	if err != nil {
		return err
	}
	return w.calendar(wire.RouteMaintenance, "Maintenance in "+register, o.Announced)
}

// Entry makes the feed of the outages of a source that had one, and the calendar of its maintenance.
func Entry(s *snapshot.Scored) (files []artifact.File, err error) {
	e := s.Entry()
	name := oneLine(cmp.Or(e.Name, e.Slug))
	windows := catalog.Windows(s.Row.Said)
	w := outageWriter{site: s.Site, asOf: s.Day, windows: func(string) []catalog.Window { return windows }, named: func(string) (string, string) { return name, e.Slug },
		emit: func(f artifact.File) error { files = append(files, f); return nil }}
	if list := slices.Clone(s.Row.Incidents); len(list) > 0 {
		slices.Reverse(list)
		err = w.feed(wire.EntryOutagesRoute(e.ID), entryRoute(e.Slug)+"#outages", "Outages of "+name, "When this source did not answer.", list)
	}
	var announced []snapshot.Announced
	for _, x := range s.Row.Said {
		for _, window := range catalog.Windows([]catalog.Said{x}) {
			announced = append(announced, snapshot.Announced{EntryID: e.ID, Window: window, SaidAt: x.CreatedAt})
		}
	}
	if err == nil && len(announced) > 0 {
		err = w.calendar(wire.EntryMaintenanceRoute(e.ID), "Maintenance of "+name, announced)
	}
	return files, err
}

// outageWriter writes feeds of outages and calendars of maintenance.
type outageWriter struct {
	site    snapshot.Site
	asOf    time.Time
	emit    func(artifact.File) error
	windows func(entryID string) []catalog.Window
	// named gives the name and the slug of an entry, "" for none.
	named func(entryID string) (name, slug string)
}

// feed emits the latest incidents, which are given newest first, as RSS: when each began, and when it ended.
func (w *outageWriter) feed(route, about, title, text string, list []catalog.Incident) error {
	ch := channel{site: w.site, route: route, title: title, text: text, about: about, asOf: w.asOf}
	for i := range list[:min(len(list), latestMax)] {
		if x := &list[i]; !x.Open() {
			ch.items = append(ch.items, w.item(x, true))
		}
		ch.items = append(ch.items, w.item(&list[i], false))
	}
	slices.SortStableFunc(ch.items, func(a, b item) int { return b.updated.Compare(a.updated) })
	ch.items = ch.items[:min(len(ch.items), latestMax)]
	f, err := rssForm.file(&ch)
	if err == nil {
		err = w.emit(f)
	}
	return err
}

// item tells that an incident began, or that it ended.
func (w *outageWriter) item(x *catalog.Incident, ended bool) item {
	it := item{id: "urn:uuid:" + x.ID, about: "/outages", tags: []string{string(x.Cause)}, updated: x.OpenedAt.UTC()}
	name := x.Host
	if host := snapshot.HostName(x.Host); host != "" {
		it.about = wire.HostOutagesPage(host)
	}
	if x.EntryID != "" {
		title, slug := w.named(x.EntryID)
		name, it.about = title, entryRoute(slug)+"#outages"
	}
	it.title, it.summary = "Does not answer: "+name, "Since "+moment(x.From)+"."
	if ended {
		it.title, it.updated, it.id = "Answered again: "+name, x.Until.UTC(), it.id+x.Until.UTC().Format("#ended-20060102T150405Z")
		it.summary = "From " + moment(x.From) + " to " + moment(x.Until) + "."
		if x.Unresolved {
			it.title = "Not checked any more: " + name
		}
	}
	it.published = it.updated
	if x.Planned(w.windows(x.EntryID)) {
		it.summary += " Its owner had announced maintenance for this time."
		it.tags = append(it.tags, "planned")
	}
	var html document
	html.paragraphs(it.summary, "en")
	for k := range x.Evidence {
		if c := &x.Evidence[k]; ended || !c.Up {
			html.paragraphs(checkText(c), "en")
		}
	}
	it.html = string(html)
	return it
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// checkText says in words what a check saw.
func checkText(c *catalog.IncidentCheck) string {
	saw := "answered"
	switch {
	case !c.Up && c.Error != "":
		saw = oneLine(c.Error)
	case !c.Up:
		saw = "failed"
	case c.HTTPStatus > 0:
		saw = fmt.Sprintf("answered with status %d", c.HTTPStatus)
	}
	return moment(c.At) + ": " + saw
}

// calendar emits maintenance as iCalendar. The instant of an event's stamp is that of the
// announcement, so that the same announcements make the same bytes.
func (w *outageWriter) calendar(route, title string, list []snapshot.Announced) error {
	cal := ical.NewCalendarFor("Assay")
	cal.SetName(title)
	cal.SetXWRCalName(title)
	if len(list) == 0 {
		// A calendar has one component at least (RFC 5545, 3.4).
		zone := ical.NewTimezone("Etc/UTC")
		standard := zone.AddStandard()
		standard.AddProperty(ical.ComponentPropertyDtStart, "19700101T000000")
		standard.AddProperty(ical.ComponentProperty(ical.PropertyTzoffsetfrom), "+0000")
		standard.AddProperty(ical.ComponentProperty(ical.PropertyTzoffsetto), "+0000")
		cal.Components = append(cal.Components, zone)
	}
	for i := range list {
		a := &list[i]
		name, slug := w.named(a.EntryID)
		e := cal.AddEvent("urn:uuid:" + a.StatementID)
		e.SetDtStampTime(a.SaidAt.UTC())
		e.SetStartAt(a.From.UTC())
		e.SetEndAt(a.Until.UTC())
		e.SetSummary("Maintenance: " + name)
		if text := oneLine(a.Text); text != "" {
			e.SetDescription(text)
		}
		e.SetURL(w.site.BaseURL + entryRoute(slug))
		e.SetTimeTransparency(ical.TransparencyTransparent)
	}
	var b bytes.Buffer
	// Lines end in CRLF (RFC 5545, 3.1), on every system.
	if err := cal.SerializeTo(&b, ical.WithNewLineWindows); err != nil {
		return fmt.Errorf("calendar %s: %w", route, err)
	}
	return w.emit(artifact.File{Route: route, Type: artifact.Calendar, Class: Class, Body: b.Bytes()})
}
