// Package fixes answers what a publisher can mend in its records: a list, a feed and a
// badge, worked out of the index of the present snapshot and what changed since.
package fixes

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/badge"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// gap is one thing to mend in an entry.
type gap struct {
	line *snapshot.Line
	lint.Packed
}

// found are all things to mend of an institution.
type found struct {
	institution *catalog.Institution
	entries     int
	concerned   int
	gaps        []gap
}

// List answers a page of what to mend, with patches for the records that the store keeps; it may be nil.
func List(library *query.Library, store catalog.Store) web.Handler {
	return find(library, artifact.JSON, func(r *http.Request, s *query.Snapshot, f *found, page int) ([]byte, error) {
		list := listOf(s, f, page)
		if err := exact(r.Context(), store, list.Items); err != nil {
			return nil, err
		}
		return web.JSON(list)
	})
}

// Feed answers the first page as JSON Feed.
func Feed(library *query.Library) web.Handler {
	return answer(library, func(_ *http.Request, s *query.Snapshot, f *found, _ int) any {
		l := listOf(s, f, 1)
		base := strings.TrimSuffix(s.Site.BaseURL, "/")
		out := wire.FixesFeed{Version: "https://jsonfeed.org/version/1.1", Title: l.Name + ": what to mend", HomePageURL: base + "/institution/" + l.InstitutionID + "/fixes",
			FeedURL: base + strings.ReplaceAll(wire.FixesFeedPath, "{id}", l.InstitutionID), Items: []wire.FixesItem{}}
		for i := range l.Items {
			x := &l.Items[i]
			out.Items = append(out.Items, wire.FixesItem{ID: "urn:uuid:" + x.EntryID + "#" + x.Rule, URL: x.URL, Title: x.Name + ": " + x.Remedy,
				ContentText: fmt.Sprintf("%s. Why: %s. %s asks for it. +%.1f points.", x.Title, x.Why, x.Source, x.Points)})
		}
		return out
	})
}

// Badge answers how many things could be mended, as a value for badge services.
func Badge(library *query.Library) web.Handler {
	return answer(library, func(_ *http.Request, _ *query.Snapshot, f *found, _ int) any {
		b := wire.FixesBadge{SchemaVersion: 1, Label: badgeLabel, Color: "brightgreen"}
		message, colour := f.badge()
		b.Message = message
		switch colour {
		case badge.Yellow:
			b.Color = "yellow"
		case badge.Orange:
			b.Color = "orange"
		}
		return b
	})
}

const badgeLabel = "to mend"

// badge says how much is to be mended, and how gravely.
func (f *found) badge() (string, badge.Colour) {
	switch {
	case len(f.gaps) == 0:
		return "nothing", badge.Green
	case slices.ContainsFunc(f.gaps, func(g gap) bool { return g.Rule.Severity == lint.Must }):
		return fmt.Sprintf("%d in %d entries", len(f.gaps), f.concerned), badge.Orange
	}
	return fmt.Sprintf("%d in %d entries", len(f.gaps), f.concerned), badge.Yellow
}

// Picture answers the same as a picture.
func Picture(library *query.Library) web.Handler {
	return find(library, badge.Type, func(_ *http.Request, s *query.Snapshot, f *found, _ int) ([]byte, error) {
		message, colour := f.badge()
		b := badge.Badge{Label: badgeLabel, Message: message, Colour: colour, Subject: f.institution.Name}
		return b.SVG(), nil
	})
}

// answer finds what an institution can mend and writes what make makes of it as JSON.
func answer(library *query.Library, make func(*http.Request, *query.Snapshot, *found, int) any) web.Handler {
	return find(library, artifact.JSON, func(r *http.Request, s *query.Snapshot, f *found, page int) ([]byte, error) {
		return web.JSON(make(r, s, f, page))
	})
}

// find finds what an institution can mend and writes what make makes of it.
func find(library *query.Library, media string, make func(*http.Request, *query.Snapshot, *found, int) ([]byte, error)) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		page, err := pageOf(values.Get("page"))
		if err != nil {
			return err
		}
		values.Del("page")
		if err := query.ParseNone(values); err != nil {
			return err
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		f := of(s, r.PathValue("id"))
		if f == nil {
			return web.NotFound("No institution with an entry has this id.")
		}
		body, err := make(r, s, f, page)
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: media, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}

// pagesMax bounds the number of a page.
const pagesMax = 10_000

func pageOf(raw string) (int, error) {
	if raw == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < 1 || n > pagesMax {
		return 0, &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: fmt.Sprintf("page: use a number from 1 to %d", pagesMax)}}
	}
	return n, nil
}

// of is what the institution with an id can mend, nil for one without entries.
func of(s *query.Snapshot, id string) *found {
	institution, lines := s.EntriesOf(id)
	if institution == nil {
		return nil
	}
	f := &found{institution: institution}
	f.add(lines)
	return f
}

// add takes what the listed ones of some entries lack, and puts first what brings most points to the
// entries that readers find first.
func (f *found) add(lines []*snapshot.Line) {
	for _, l := range lines {
		if !l.Listed() {
			continue
		}
		lacks := lint.Unpack(l.Mend)
		if f.entries++; len(lacks) > 0 {
			f.concerned++
		}
		for _, p := range lacks {
			f.gaps = append(f.gaps, gap{l, p})
		}
	}
	weight := func(g *gap) int64 { return int64(g.Points) * int64(g.line.Ranking+10) }
	slices.SortStableFunc(f.gaps, func(a, b gap) int {
		return cmp.Or(cmp.Compare(weight(&b), weight(&a)), cmp.Compare(a.line.ID, b.line.ID), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
}

func listOf(s *query.Snapshot, f *found, page int) *wire.Fixes {
	out := &wire.Fixes{InstitutionID: f.institution.ID, Name: f.institution.Name, Entries: f.entries, Total: len(f.gaps), Page: page, TotalPages: max(1, (len(f.gaps)+wire.FixesMax-1)/wire.FixesMax),
		Rules: rulesOf(f), Items: []wire.Fix{}, SnapshotID: s.ID, AsOf: s.AsOf.UTC().Format(time.RFC3339)}
	sum := 0
	for i := range f.gaps {
		sum += int(f.gaps[i].Points)
	}
	if f.entries > 0 {
		out.Points = float64(sum/f.entries) / 10
	}
	base := strings.TrimSuffix(s.Site.BaseURL, "/")
	from := min((page-1)*wire.FixesMax, len(f.gaps))
	for _, g := range f.gaps[from:min(from+wire.FixesMax, len(f.gaps))] {
		out.Items = append(out.Items, fixOf(g.line, &g, base))
	}
	return out
}

// rulesOf counts by rule, what brings most first.
func rulesOf(f *found) []wire.FixesRule {
	byRule := map[string]*wire.FixesRule{}
	list := []wire.FixesRule{}
	for i := range f.gaps {
		g := &f.gaps[i]
		x := byRule[g.Rule.ID]
		if x == nil {
			x = &wire.FixesRule{Rule: g.Rule.ID}
			byRule[g.Rule.ID] = x
		}
		x.Entries++
		x.Points += g.Points.Float()
	}
	for _, x := range byRule {
		x.Points = float64(int(x.Points*10+0.5)) / 10
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b wire.FixesRule) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Rule, b.Rule))
	})
	return list
}

func fixOf(l *snapshot.Line, g *gap, base string) wire.Fix {
	r := g.Rule
	x := wire.Fix{EntryID: l.ID, Slug: l.Slug, Name: l.Name, URL: base + "/entry/" + l.Slug, Rule: r.ID, Severity: string(r.Severity), Field: r.Field(), Title: r.Title, Why: r.Why, Remedy: r.Remedy,
		Source: r.Source.Name, SourceURL: r.Source.URL, Points: g.Points.Float(), Readers: l.Ranking.Float(), JSONPatch: []wire.FixesOperation{}}
	if t := lint.TemplateOf("dcat", l.Type, r.Field()); t != nil {
		text := "<> " + t.Turtle + " ."
		x.Turtle = &text
	}
	if t := lint.TemplateOf("datajson", l.Type, r.Field()); t != nil {
		for _, op := range t.Operations {
			x.JSONPatch = append(x.JSONPatch, wire.FixesOperation{Op: op.Op, Path: op.Path, Value: op.Value})
		}
	}
	return x
}
