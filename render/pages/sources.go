package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// runsShown is how many harvests the page of a source lists.
const runsShown = 20

// sources renders the harvest log: a page for each source and their list.
func (b *snapshotView) sources(emit func(artifact.File) error) error {
	list := slices.Clone(b.c.Harvested)
	slices.SortFunc(list, func(a, c snapshot.Harvested) int {
		return cmp.Or(strings.Compare(sourceName(&a.Source), sourceName(&c.Source)), strings.Compare(a.Source.ID, c.Source.ID))
	})
	return each(func(t *locale) error { return b.sourcesIn(t, list, emit) })
}

func (b *snapshotView) sourcesIn(t *locale, list []snapshot.Harvested, emit func(artifact.File) error) error {
	var all templates.Sources
	for i := range list {
		s := &list[i].Source
		h := Head{Lang: t.code, Title: sourceName(s), Route: "/source/" + s.ID, Translated: true, Description: t.str("source.description", "name", sourceName(s)),
			Alternates: []Alternate{{"application/json", "/api/v1/sources/" + s.ID, "JSON"}}}
		x := b.source(t, &list[i])
		all.List = append(all.List, x)
		body, err := b.component(&h, x.Page(b.sites[t.code]))
		if err == nil {
			err = emit(page(localRoute(t.code, h.Route), body))
		}
		if err != nil {
			return err
		}
	}
	h := Head{Lang: t.code, Title: t.str("sources.heading"), Route: "/sources", Translated: true, Description: t.str("sources.about")}
	body, err := b.component(&h, all.Page(b.sites[t.code]))
	if err != nil {
		return err
	}
	return emit(page(localRoute(t.code, h.Route), body))
}

func sourceName(s *catalog.Source) string { return cmp.Or(s.Title, s.Key, s.ID) }

var runClasses = map[catalog.RunState]string{
	catalog.RunRunning: "idle", catalog.RunComplete: "ok", catalog.RunUnchanged: "ok",
	catalog.RunPartial: "warn", catalog.RunFailed: "bad", catalog.RunQuarantined: "warn",
}

// source is a source with its latest harvests.
func (b *snapshotView) source(t *locale, h *snapshot.Harvested) templates.Source {
	s := &h.Source
	x := templates.Source{Name: sourceName(s), Kind: s.Kind, Route: "/source/" + s.ID, Log: "/api/v1/sources/" + s.ID + "/runs",
		Facts: []templates.Fact{{Label: t.T("source.kind"), Text: s.Kind, Outside: true}}}
	if s.URL != "" {
		x.Facts = append(x.Facts, templates.Fact{Label: t.T("source.address"), Links: []string{s.URL}})
	}
	if catalog.CountryShape(s.CountryCode) {
		x.Country = t.country(s.CountryCode)
		x.Facts = append(x.Facts, templates.Fact{Label: t.T("facet.country"), Text: x.Country})
	}
	official := templates.Fact{Label: t.T("source.official"), Text: s.Official, Outside: true}
	if s.Official == "" {
		official.Text, official.Outside = t.T("source.not_official"), false
	}
	x.Facts = append(x.Facts, official)
	for i := range h.Runs[:min(len(h.Runs), runsShown)] {
		r := &h.Runs[i]
		c := &r.Counts
		run := templates.Run{At: r.StartedAt, State: t.T("run." + string(r.State)), Class: runClasses[r.State],
			Counts: []int{c.In, c.Created, c.Updated, c.Merged, c.Quarantined, c.Rejected, c.Missing}}
		if n := len(r.Errors); n > 0 {
			run.Error = r.Errors[n-1].Text
		}
		x.Runs = append(x.Runs, run)
	}
	return x
}
