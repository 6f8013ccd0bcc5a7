package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// runsShown is how many harvests the page of a source lists, sourceRoom about
// what it takes, in bytes.
const (
	runsShown  = 20
	sourceRoom = 16 << 10
)

// sources renders the harvest log: a page for each source and their list.
func (b *snapshotView) sources(emit func(artifact.File) error) error {
	list := slices.Clone(b.c.Harvested)
	slices.SortFunc(list, func(a, c snapshot.Harvested) int {
		return cmp.Or(strings.Compare(sourceName(&a.Source), sourceName(&c.Source)), strings.Compare(a.Source.ID, c.Source.ID))
	})
	for i := range list {
		body, err := b.source(&list[i])
		if err == nil {
			err = emit(page("/source/"+list[i].Source.ID, body))
		}
		if err != nil {
			return err
		}
	}
	body, err := b.sourceList(list)
	if err != nil {
		return err
	}
	return emit(page("/sources", body))
}

func sourceName(s *catalog.Source) string { return cmp.Or(s.Title, s.Key, s.ID) }

var runClasses = map[catalog.RunState]markup{
	catalog.RunRunning: "idle", catalog.RunComplete: "ok", catalog.RunUnchanged: "ok",
	catalog.RunPartial: "warn", catalog.RunFailed: "bad", catalog.RunQuarantined: "warn",
}

func (w *writer) runState(s catalog.RunState) {
	w.raw(`<span class="state `, runClasses[s], `">`)
	w.t("run." + string(s))
	w.raw("</span>")
}

func (b *snapshotView) source(h *snapshot.Harvested) ([]byte, error) {
	s := &h.Source
	head := Head{Title: sourceName(s), Route: "/source/" + s.ID, Description: b.locale.str("source.description", "name", sourceName(s)),
		Alternates: []Alternate{{"application/json", "/api/v1/sources/" + s.ID, "JSON"}}}
	return b.document(artifact.Buffer(sourceRoom), &head, func(w *writer) {
		w.raw(`<div class="wrap">`)
		w.crumbs(crumb{key: "nav.sources", route: "/sources"}, crumb{name: sourceName(s)})
		w.raw(`<div class="head"><h1`)
		w.native("")
		w.raw(">")
		w.text(sourceName(s))
		w.raw("</h1><p>")
		w.t("source.about")
		w.raw(`</p></div><div class="card"><dl class="kv">`)
		w.term("source.kind")
		w.outside(s.Kind)
		w.endTerm()
		if s.URL != "" {
			w.term("source.address")
			w.web(s.URL, clip(s.URL, 100))
			w.endTerm()
		}
		if catalog.CountryShape(s.CountryCode) {
			w.term("facet.country")
			w.outside(w.locale.country(s.CountryCode))
			w.endTerm()
		}
		w.term("source.official")
		if s.Official != "" {
			w.outside(s.Official)
		} else {
			w.t("source.not_official")
		}
		w.endTerm()
		w.raw("</dl></div>")
		w.runs(h)
		w.raw("</div>")
	})
}

func (w *writer) runs(h *snapshot.Harvested) {
	w.part("runs", "source.runs")
	if len(h.Runs) == 0 {
		w.raw(`<p class="soft">`)
		w.t("source.no_runs")
		w.raw("</p>")
		w.end()
		return
	}
	w.table("source.runs", "run.began", "run.state", "run.in", "run.created", "run.updated", "run.merged", "run.quarantined_n", "run.rejected", "run.missing")
	for i := range h.Runs[:min(len(h.Runs), runsShown)] {
		r := &h.Runs[i]
		w.raw("<tr><td>")
		w.time(r.StartedAt)
		w.raw("</td><td>")
		w.runState(r.State)
		if n := len(r.Errors); n > 0 {
			w.raw(`<br><span class="small" dir="auto" translate="no">`)
			w.clip(r.Errors[n-1].Text, 140)
			w.raw("</span>")
		}
		w.raw("</td>")
		c := &r.Counts
		for _, n := range []int{c.In, c.Created, c.Updated, c.Merged, c.Quarantined, c.Rejected, c.Missing} {
			w.raw(`<td class="num">`)
			w.int(n)
			w.raw("</td>")
		}
		w.raw("</tr>")
	}
	w.endTable()
	w.raw("<p><a")
	w.route("href", "/api/v1/sources/", h.Source.ID, "/runs")
	w.raw(">")
	w.t("source.full_log")
	w.raw("</a></p>")
	w.end()
}

func (b *snapshotView) sourceList(all []snapshot.Harvested) ([]byte, error) {
	head := Head{Title: b.locale.str("sources.heading"), Route: "/sources", Description: b.locale.str("sources.about")}
	return b.document(artifact.Buffer(listRoom), &head, func(w *writer) {
		w.raw(`<div class="wrap">`)
		w.crumbs(crumb{key: "nav.sources"})
		w.raw(`<div class="head"><h1>`)
		w.t("sources.heading")
		w.raw("</h1><p>")
		w.t("sources.about")
		w.raw("</p></div>")
		w.table("sources.heading", "source.name", "source.kind", "facet.country", "run.state", "run.began", "run.in")
		for i := range all {
			w.source(&all[i])
		}
		w.endTable()
		w.raw("</div>")
	})
}

// source writes a source as a row of their list.
func (w *writer) source(h *snapshot.Harvested) {
	w.raw(`<tr><th scope="row"><a`)
	w.route("href", "/source/", h.Source.ID)
	w.native("")
	w.raw(">")
	w.clip(sourceName(&h.Source), 90)
	w.raw(`</a></th><td translate="no">`)
	w.text(h.Source.Kind)
	w.raw(`</td><td translate="no">`)
	if catalog.CountryShape(h.Source.CountryCode) {
		w.text(w.locale.country(h.Source.CountryCode))
	}
	w.raw("</td><td>")
	if len(h.Runs) > 0 {
		w.runState(h.Runs[0].State)
		w.raw("</td><td>")
		w.day(h.Runs[0].StartedAt)
		w.raw(`</td><td class="num">`)
		w.int(h.Runs[0].Counts.In)
	} else {
		w.t("source.no_runs")
		w.raw("</td><td></td><td>")
	}
	w.raw("</td></tr>")
}
