package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/cmd/internal/bench/register"
	"github.com/assay-register/assay/render/catalog"
)

// TestKnownEntriesAreFound keeps the search of the sample register at its
// level; BenchmarkRelevance measures more documents and other engines.
func TestKnownEntriesAreFound(t *testing.T) {
	g, err := register.New(t.Context())
	check(t, err)
	var rows []catalog.Row
	for _, l := range g.Real() {
		rows = append(rows, catalog.Row{Entry: *l.Entry, Provenance: *l.Provenance})
	}
	slices.SortFunc(rows, func(a, b catalog.Row) int { return strings.Compare(a.Entry.ID, b.Entry.ID) })
	s, titles := newSite(t, g.Institutions(), g.Licences(), g.Sources()), map[string][]string{}
	for i := range rows {
		_, err := s.add(&rows[i])
		check(t, err)
		titles[rows[i].Entry.ID] = titlesOf(&rows[i].Entry)
	}
	search, sums := &ours{s.finish(t)}, scores{}
	queries := queriesOf(rows, 3)
	for i := range queries {
		check(t, sums.ask(t.Context(), search, &queries[i], titles, false))
	}
	for _, class := range append(classes[:], "all") {
		c := sums[class]
		if c == nil || c.n < 10 {
			t.Errorf("%s: too few queries", class)
		} else if c.rank() < rankGoal || c.share() < foundGoal {
			t.Errorf("%s: mean reciprocal rank %.3f, found in ten %.3f of %d queries", class, c.rank(), c.share(), c.n)
		}
	}
}
