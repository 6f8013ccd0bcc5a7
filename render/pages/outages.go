package pages

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/chart"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// outagesListed is how many outages a page lists; the JSON has more.
const outagesListed = 100

// outages renders the page of all outages, and that of each host that had one.
func (b *snapshotView) outages(emit func(artifact.File) error) error {
	return each(func(t *locale) error { return b.outagesIn(t, emit) })
}

func (b *snapshotView) outagesIn(t *locale, emit func(artifact.File) error) error {
	o := b.c.Outages
	all := make([]int, len(o.Incidents))
	for i := range all {
		all[i] = i
	}
	whole := templates.Outages{List: b.outageRows(all), JSON: wire.RouteIncidents, Feed: wire.RouteOutages, Calendar: wire.RouteMaintenance}
	for _, host := range o.Hosts() {
		places := o.OfHost(host)
		whole.Hosts = append(whole.Hosts, templates.Tile{Name: host, Outside: true, Route: wire.HostOutagesPage(host), Count: t.number(len(places))})
		x := templates.Outages{Host: host, List: b.outageRows(places), JSON: wire.HostIncidentsRoute(host), Feed: wire.HostOutagesRoute(host)}
		h := Head{Lang: t.code, Title: t.str("outages.host") + " " + host, Route: wire.HostOutagesPage(host), Translated: true, Description: t.str("outages.about"),
			Alternates: []Alternate{{"application/json", x.JSON, "JSON"}, {"application/rss+xml", x.Feed, "RSS"}}}
		body, err := b.component(&h, x.Page(b.sites[t.code]))
		if err == nil {
			err = emit(page(localRoute(t.code, h.Route), body))
		}
		if err != nil {
			return err
		}
	}
	for i := range o.Announced {
		a := &o.Announced[i]
		l := &b.c.Lines[b.c.ByID(a.EntryID)]
		whole.Announced = append(whole.Announced, templates.Announcement{Name: cmp.Or(l.Name, l.Slug), Route: entryRoute(l.Slug), Text: a.Text, From: a.From, Until: a.Until})
	}
	h := Head{Lang: t.code, Section: "status", Title: t.str("outages.title"), Route: "/outages", Translated: true, Description: t.str("outages.about"),
		Alternates: []Alternate{{"application/json", whole.JSON, "JSON"}, {"application/rss+xml", whole.Feed, "RSS"}}}
	body, err := b.component(&h, whole.Page(b.sites[t.code]))
	if err != nil {
		return err
	}
	return emit(page(localRoute(t.code, h.Route), body))
}

// outageRows are the latest of the incidents at the places.
func (b *snapshotView) outageRows(places []int) (list []templates.Outage) {
	o := b.c.Outages
	for _, i := range places[:min(len(places), outagesListed)] {
		x := &o.Incidents[i]
		row := templates.Outage{Name: x.Host, Cause: string(x.Cause), From: x.From, Until: x.Until, Failures: x.Failures, Planned: x.Planned(o.Windows(x.EntryID)), Unresolved: x.Unresolved}
		if host := snapshot.HostName(x.Host); host != "" {
			row.Route = wire.HostOutagesPage(host)
		}
		if at := b.c.ByID(x.EntryID); at >= 0 {
			l := &b.c.Lines[at]
			row.Name, row.Route = cmp.Or(l.Name, l.Slug), entryRoute(l.Slug)+"#outages"
		}
		list = append(list, row)
	}
	return list
}

// months are the complete months of a publisher, nil where none of its sources was checked.
func (b *snapshotView) months(t *locale, i *catalog.Institution) *templates.Months {
	list := b.c.Reliability(b.holdings[i.ID])
	if len(list) == 0 {
		return nil
	}
	out := &templates.Months{Name: i.Key}
	var bars []chart.Bar
	for k := range list {
		m := &list[k]
		x := templates.Month{Name: m.Month, Checks: m.Checks, Outages: m.Outages, Answered: m.Answered(), Hours: float64(m.Minutes/6) / 10}
		if year, number, ok := strings.Cut(m.Month, "-"); ok {
			if n, err := strconv.Atoi(number); err == nil {
				x.Name = t.T("month."+strconv.Itoa(n)) + " " + year
			}
		}
		out.List = append(out.List, x)
		bars = append(bars, chart.Bar{Name: x.Name, V: x.Answered})
	}
	out.Draw = func(title string, number func(float64) string) string { return chart.Bars(bars, title, number) }
	return out
}
