package pages

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates/entry"
)

// withFragments is a catalog whose stream holds the pages of the scored entries.
func withFragments(t testing.TB, p *Pages, c *snapshot.Catalog, scored []*snapshot.Scored) *snapshot.Catalog {
	t.Helper()
	gathered := snapshot.Fragments{}
	for i, x := range scored {
		fragments, err := p.Fragments(x)
		if err != nil {
			t.Fatal(err)
		}
		gathered.Add(i, fragments)
	}
	if c.Streams == nil {
		c.Streams = map[string]*snapshot.Stream{}
	}
	maps.Copy(c.Streams, gathered.Streams())
	return c
}

// all renders every page of the fixture, by route.
func all(t testing.TB) map[string][]byte {
	t.Helper()
	p := New()
	c := withFragments(t, p, rendertest.Catalog(t), rendertest.Scored())
	institutions, _, sources := rendertest.Reference()
	_ = institutions
	for i := range sources {
		c.Harvested = append(c.Harvested, snapshot.Harvested{Source: sources[i], Runs: []catalog.HarvestRun{{ID: catalog.NewID("run", sources[i].ID), SourceID: sources[i].ID,
			State: catalog.RunComplete, StartedAt: rendertest.At.AddDate(0, 0, -1), Counts: catalog.RunCounts{In: 12_345, Created: 7}, Errors: []catalog.RunError{{Text: rendertest.Hostile}}}}})
	}
	out := map[string][]byte{}
	put := func(f artifact.File) error {
		if _, twice := out[f.Route]; twice {
			t.Errorf("%s is rendered twice", f.Route)
		}
		f, err := f.Made()
		out[f.Route] = f.Body
		return err
	}
	for i := range c.Lines {
		files, err := p.Related(c, i)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := put(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := p.Aggregates(c, put); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryKindOfPageIsThere(t *testing.T) {
	pages := all(t)
	for _, route := range []string{"/", "/fr", "/de/status", "/entry/" + rendertest.WeatherAPI, "/entry/" + rendertest.BareDataset, "/entry/" + rendertest.HostileServer,
		"/institution/" + rendertest.InstitutionID(rendertest.Ministry), "/country/GR", "/browse", "/browse/type/api", "/browse/tag", "/browse/state/verified",
		"/leaderboard", "/compare", "/search", "/status", "/methodology", "/docs", "/docs/api", "/docs/design", "/404.html", "/fr/404.html", "/de/submit", "/nl/watch", "/fr/report", "/fr/docs", "/de/docs/design", "/nl/docs/api", "/accessibility", "/sources", "/opensearch.xml"} {
		if len(pages[route]) == 0 {
			t.Errorf("no page %s", route)
		}
	}
	for route, body := range pages {
		if bytes.Contains(body, []byte(missing)) {
			i := bytes.Index(body, []byte(missing))
			t.Errorf("%s lacks the string %s", route, body[i:min(len(body), i+60)])
		}
		if bytes.Contains(body, []byte(entry.Slot)) && !strings.HasPrefix(route, assetRoot) {
			t.Errorf("%s has an open slot", route)
		}
	}
}

// Text that breaks careless writers reaches no page as markup.
func TestOutsideTextIsText(t *testing.T) {
	for route, body := range all(t) {
		if strings.HasPrefix(route, assetRoot) || strings.Contains(route, "/docs/") {
			continue
		}
		for _, bad := range []string{"<script>alert", "javascript:", "</b>,", `onerror=`, "\u2028" + "<"} {
			if bytes.Contains(body, []byte(bad)) {
				t.Errorf("%s holds %q", route, bad)
			}
		}
	}
}
