package api

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Aggregates renders the pages about the whole catalog except the lists.
func Aggregates(c *snapshot.Catalog, emit Emit) error {
	for _, p := range []struct {
		route string
		class artifact.Class
		body  any
	}{
		{"/api/v1/entries/facets", artifact.ClassList, wire.FacetsPage{Total: len(c.Order), Snapshot: c.ID, Facets: c.Facets(c.Order)}},
		{"/api/v1/entries/trending", artifact.ClassCatalog, trending(c)},
		{"/api/v1/entries/leaderboard", artifact.ClassCatalog, wire.NewLeaderboard(c)},
		{"/api/v1/catalog/summary", artifact.ClassCatalog, Summary(c)},
		{wire.RouteStatus, artifact.ClassCatalog, wire.NewStatus(c)},
	} {
		f, err := sealed(p.route, p.class, p.body, c.AsOf)
		if err != nil {
			return fmt.Errorf("page %s: %w", p.route, err)
		}
		if err := emit(f); err != nil {
			return err
		}
	}
	if err := methodology(emit); err != nil {
		return err
	}
	if err := sources(c, emit); err != nil {
		return err
	}
	if err := incidents(c, emit); err != nil {
		return err
	}
	return tombstones(c, emit)
}

// methodology renders the rubric; it changes with the rubric only.
func methodology(emit Emit) error {
	f, err := sealed(wire.RouteMethodology, artifact.ClassCatalog, wire.NewMethodology(), score.RubricAt)
	if err != nil {
		return fmt.Errorf("page %s: %w", wire.RouteMethodology, err)
	}
	if err := emit(f); err != nil {
		return err
	}
	if f, err = sealed(wire.RouteRules, artifact.ClassCatalog, wire.NewRules(), score.RubricAt); err != nil {
		return fmt.Errorf("page %s: %w", wire.RouteRules, err)
	}
	return emit(f)
}

func tombstones(c *snapshot.Catalog, emit Emit) error {
	var b bytes.Buffer
	for _, t := range c.Gone {
		line, err := jsonx.Marshal(wire.NewTombstone(t))
		if err != nil {
			return fmt.Errorf("tombstone of %s: %w", t.ID, err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return emit(artifact.File{Route: "/tombstones.ndjson", Type: artifact.NDJSON, Class: artifact.ClassCatalog, Body: b.Bytes()})
}

// Bounds and weights of trending: what counts is the ranking points gained in
// the window, being new, and a changed content, the last two halving with each
// week.
const (
	trendingDays   = 30
	trendingMax    = 20
	trendNew       = 10
	trendContent   = 5
	trendingRule   = "points of ranking_score gained in 7 days, plus 10 for a new entry and 5 for changed content, each halving every 7 days; entries of the last 30 days"
	secondsPerWeek = 7 * 24 * 3600
)

func trending(c *snapshot.Catalog) wire.Trending {
	out := wire.Trending{Snapshot: c.ID, WindowDays: trendingDays, Rule: trendingRule, Items: []wire.TrendingEntry{}}
	now := c.AsOf.Unix()
	for _, i := range c.Order {
		l := &c.Lines[i]
		t := wire.TrendingEntry{Reasons: []string{}}
		if l.Gained > 0 {
			t.Points += l.Gained.Float()
			t.Reasons = append(t.Reasons, "ranking score gained "+l.Gained.String()+" in 7 days")
		}
		if p, ok := decayed(trendNew, now-l.Published); ok {
			t.Points += p
			t.Reasons = append(t.Reasons, "new since "+day(l.Published))
		}
		if l.ContentChanged > l.Published {
			if p, ok := decayed(trendContent, now-l.ContentChanged); ok {
				t.Points += p
				t.Reasons = append(t.Reasons, "content changed on "+day(l.ContentChanged))
			}
		}
		t.Points = math.Round(t.Points*10) / 10
		if t.Points > 0 {
			t.Entry = wire.NewRef(l)
			out.Items = append(out.Items, t)
		}
	}
	slices.SortStableFunc(out.Items, func(a, b wire.TrendingEntry) int { return cmp.Compare(b.Points, a.Points) })
	out.Items = out.Items[:min(len(out.Items), trendingMax)]
	return out
}

func decayed(points float64, age int64) (float64, bool) {
	if age < 0 || age > trendingDays*24*3600 {
		return 0, false
	}
	return points * math.Pow(0.5, float64(age)/secondsPerWeek), true
}

func day(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.DateOnly) }

// tenth turns tenths of a point into points with one decimal.
func tenth(tenths float64) float64 { return math.Round(tenths) / 10 }
