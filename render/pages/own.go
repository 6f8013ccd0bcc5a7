package pages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/figures"
	"github.com/assay-register/assay/templates/info"
)

// The pages about how the register works and judges.

// Most lines of the lists of the status page.
const (
	statusSources = 50
	statusHosts   = 25
)

func statusPage(b *snapshotView, t *locale) (templ.Component, error) {
	s := wire.NewStatus(b.c)
	f := &s.Figures
	x := info.Status{AsOf: b.c.AsOf, Snapshot: s.Snapshot, Figures: []info.Figure{
		{Value: figure(t, f.WithinCadence, " %"), Text: t.T("status.within")},
		{Value: figure(t, f.MedianAge, " h"), Text: t.T("status.age")},
		{Value: figure(t, f.FalseRate, " %"), Text: t.T("status.false")},
		{Value: figure(t, f.ChangesADay, ""), Text: t.T("status.changes")},
		{Value: figure(t, f.Traced, " %"), Text: t.T("status.traced")},
		{Value: t.number(f.Checkable), Text: t.T("status.checkable")},
	},
		Basis: t.str("status.basis", "hours", t.Decimal(f.CadenceHours, -1), "days", t.number(f.ObservedDays)),
		Hosts: t.str("status.hosts_text", "all", t.number(s.Hosts.Total), "down", t.number(s.Hosts.DownTotal), "slow", t.number(s.Hosts.SlowTotal))}
	x.Pictures = append(x.Pictures, b.stateBars(t, s.States), b.ageBars(t))
	for _, h := range s.Hosts.Down[:min(statusHosts, len(s.Hosts.Down))] {
		x.Down = append(x.Down, info.Host{Name: h.Host, Entries: h.Entries, Since: value(h.Since)})
	}
	for _, h := range s.Hosts.Slow[:min(statusHosts, len(s.Hosts.Slow))] {
		x.Slow = append(x.Slow, info.Host{Name: h.Host, Entries: h.Entries, Hours: t.Decimal(h.CadenceHours, -1)})
	}
	for i := range b.c.Harvested[:min(statusSources, len(b.c.Harvested))] {
		h := &b.c.Harvested[i]
		run := info.SourceRun{Name: sourceName(&h.Source), Route: "/source/" + h.Source.ID}
		if len(h.Runs) > 0 {
			run.State, run.Began = string(h.Runs[0].State), h.Runs[0].StartedAt
		}
		x.Sources = append(x.Sources, run)
	}
	return x.Page(b.sites[t.code]), nil
}

// stateBars are the entries by their state.
func (b *snapshotView) stateBars(t *locale, states []snapshot.Count) *figures.Bars {
	var order []string
	counts := map[string]int{}
	for _, c := range states {
		order, counts[c.Value] = append(order, c.Value), c.Count
	}
	return barsOfCounts("status.pictures.states", "verdict.state", "status", order, counts, func(v string) string { return t.word("state", v) })
}

// ages are the ends of the ranges of ages, in days; what is older or unknown has words of its
// own.
var ages = []int{1, 3, 7, 30}

// ageBars are the entries that can be checked by the age of their last check at the time of the snapshot.
func (b *snapshotView) ageBars(t *locale) *figures.Bars {
	order := []string{}
	for _, days := range ages {
		order = append(order, strconv.Itoa(days))
	}
	order = append(order, "more", "never")
	counts := map[string]int{}
	for _, o := range b.c.Order {
		if l := &b.c.Lines[o]; l.Checkable {
			counts[ageOf(b.c.AsOf.Unix(), l.Checked)]++
		}
	}
	return barsOfCounts("status.pictures.ages", "status.column.age", "status", order, counts, func(v string) string { return t.word("status.aged", v) })
}

// ageOf is the range in which the age of a check lies; both times are Unix seconds, 0 for none.
func ageOf(now, checked int64) string {
	if checked == 0 {
		return "never"
	}
	for _, days := range ages {
		if now-checked < int64(days)*86400 {
			return strconv.Itoa(days)
		}
	}
	return "more"
}

// figure is a number with its unit, "" for an unknown one.
func figure(t *locale, v *float64, unit string) string {
	if v == nil {
		return ""
	}
	return t.Decimal(*v, -1) + unit
}

func methodologyPage(b *snapshotView, t *locale) (templ.Component, error) {
	m := wire.NewMethodology()
	x := info.Methodology{Version: m.RubricVersion, Rounding: m.Rounding, Proof: m.Proof.Rule, Fresh: m.Fresh.Rule}
	points := func(v float64) string { return t.Decimal(v, -1) }
	for _, a := range m.Axes {
		x.Axes = append(x.Axes, info.Axis{ID: a.ID, Weight: a.Weight, Meaning: a.Meaning, Unknown: value(a.Unknown)})
	}
	for i := range m.Rules {
		r := &m.Rules[i]
		rule := info.Rule{ID: r.ID, Axis: r.Axis, Condition: r.Condition, Advised: r.Advice != nil}
		for _, p := range r.Points {
			rule.Points = append(rule.Points, info.Points{Of: string(p.Type), Points: points(p.Points)})
		}
		for _, l := range r.Levels {
			rule.Levels = append(rule.Levels, info.Points{Of: l.Meaning, Points: points(l.Points)})
		}
		x.Rules = append(x.Rules, rule)
	}
	for _, f := range m.Formulas {
		sum := info.Formula{Score: f.Score}
		for _, term := range f.Terms {
			sum.Terms = append(sum.Terms, info.Points{Of: term.Input, Points: points(float64(term.Weight))})
		}
		x.Formulas = append(x.Formulas, sum)
	}
	for _, tier := range m.Tiers {
		x.Tiers = append(x.Tiers, info.Bound{Value: string(tier.Tier), Points: points(tier.From)})
	}
	for _, s := range m.States {
		x.States = append(x.States, info.Bound{Value: string(s.State), Points: points(s.Points)})
	}
	for _, rung := range m.Ladder {
		x.Ladder = append(x.Ladder, string(rung.Level))
	}
	for k := range strings.Lines(b.c.Site.LogKeys) {
		k = strings.TrimSpace(k)
		x.Keys = append(x.Keys, info.Key{Key: k, DNS: translog.DNS(k)})
	}
	return x.Page(b.sites[t.code]), nil
}
