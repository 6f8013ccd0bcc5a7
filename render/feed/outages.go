package feed

import (
	"bytes"
	"cmp"
	"fmt"
	"time"

	ical "github.com/arran4/golang-ical"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Calendar is the media type of a calendar (RFC 5545, 8.1).
const Calendar = "text/calendar; charset=utf-8"

// outages emits the feeds of outages of all, of each host and of each source that had one, and the
// calendars of maintenance.
func outages(c *snapshot.Catalog, emit func(artifact.File) error) error {
	w := outageWriter{c, emit}
	o, register := c.Outages, clean(c.Site.Name)
	all := make([]int, len(o.Incidents))
	for i := range all {
		all[i] = i
	}
	err := w.feed(wire.RouteOutages, "/outages", "Outages in "+register, "When sources of the register did not answer.", all)
	for _, host := range o.Hosts() {
		if err == nil {
			err = w.feed(wire.HostOutagesRoute(host), "/outages/host/"+host, "Outages of "+host, "When "+host+" and its sources did not answer.", o.OfHost(host))
		}
	}
	byEntry := map[string][]snapshot.Announced{}
	for _, a := range o.Announced {
		byEntry[a.EntryID] = append(byEntry[a.EntryID], a)
	}
	for _, id := range o.Entries() {
		l := &c.Lines[c.ByID(id)]
		if list := o.OfEntry(id); err == nil && len(list) > 0 {
			err = w.feed(wire.EntryOutagesRoute(id), "/outages/source/"+l.Slug, "Outages of "+oneLine(cmp.Or(l.Name, l.Slug)), "When this source did not answer.", list)
		}
		if list := byEntry[id]; err == nil && len(list) > 0 {
			err = w.calendar(wire.EntryMaintenanceRoute(id), "Maintenance of "+oneLine(cmp.Or(l.Name, l.Slug)), list)
		}
	}
	if err != nil {
		return err
	}
	return w.calendar(wire.RouteMaintenance, "Maintenance in "+register, o.Announced)
}

type outageWriter struct {
	c    *snapshot.Catalog
	emit func(artifact.File) error
}

// feed emits the latest incidents of those at the places as RSS. An item is dated by what happened
// last, so that a reader is told of the end, too.
func (w *outageWriter) feed(route, about, title, text string, places []int) error {
	o := w.c.Outages
	ch := channel{site: w.c.Site, route: route, title: title, text: text, about: about, asOf: w.c.Day}
	for _, i := range places[:min(len(places), latestMax)] {
		x := &o.Incidents[i]
		it := item{id: "urn:uuid:" + x.ID, about: "/outages/host/" + x.Host, title: x.Host, tags: []string{string(x.Cause)}, published: x.OpenedAt.UTC(), updated: x.OpenedAt.UTC()}
		if at := w.c.ByID(x.EntryID); at >= 0 {
			l := &w.c.Lines[at]
			it.title, it.about = oneLine(cmp.Or(l.Name, l.Slug)), "/outages/source/"+l.Slug
		}
		it.title, it.summary = "Does not answer: "+it.title, "Since "+moment(x.From)+", as "+fmt.Sprint(x.Failures)+" checks say."
		if !x.Open() {
			it.updated = x.Until.UTC()
			it.summary = "From " + moment(x.From) + " to " + moment(x.Until) + ", as " + fmt.Sprint(len(x.Evidence)) + " checks say."
			it.title = "Answered again: " + it.title[len("Does not answer: "):]
			if x.Unresolved {
				it.title = "Not checked any more: " + it.title[len("Answered again: "):]
			}
			it.id += "#ended"
			it.published = it.updated
		}
		if x.Planned(o.Windows(x.EntryID)) {
			it.summary += " Its owner had announced maintenance for this time."
			it.tags = append(it.tags, "planned")
		}
		var html document
		html.paragraphs(it.summary, "en")
		for k := range x.Evidence {
			html.paragraphs(checkText(&x.Evidence[k]), "en")
		}
		it.html = string(html)
		ch.items = append(ch.items, it)
	}
	f, err := rssForm.file(&ch)
	if err == nil {
		err = w.emit(f)
	}
	return err
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
	for i := range list {
		a := &list[i]
		l := &w.c.Lines[w.c.ByID(a.EntryID)]
		e := cal.AddEvent("urn:uuid:" + a.StatementID)
		e.SetDtStampTime(a.SaidAt.UTC())
		e.SetStartAt(a.From.UTC())
		e.SetEndAt(a.Until.UTC())
		e.SetSummary("Maintenance: " + oneLine(cmp.Or(l.Name, l.Slug)))
		if text := oneLine(a.Text); text != "" {
			e.SetDescription(text)
		}
		e.SetURL(w.c.Site.BaseURL + entryRoute(l.Slug))
		e.SetTimeTransparency(ical.TransparencyTransparent)
	}
	var b bytes.Buffer
	// Lines end in CRLF (RFC 5545, 3.1), on every system.
	if err := cal.SerializeTo(&b, ical.WithNewLineWindows); err != nil {
		return fmt.Errorf("calendar %s: %w", route, err)
	}
	return w.emit(artifact.File{Route: route, Type: Calendar, Class: Class, Body: b.Bytes()})
}
