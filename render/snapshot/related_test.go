package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/search"
)

// points is the oracle of a neighbour: 30 for the institution, 20 for the
// host, 5 for the country, 25 for each common identifier, and for each common
// tag 10 to 50, ten more for each tenth part of the listed entries.
func points(c *Catalog, a, b *Line) Neighbour {
	n := Neighbour{SameInstitution: a.InstitutionID != "" && a.InstitutionID == b.InstitutionID,
		SameHost: a.Host != "" && a.Host == b.Host, SameCountry: a.Country != "" && a.Country == b.Country}
	for flag, weight := range map[*bool]int{&n.SameInstitution: 30, &n.SameHost: 20, &n.SameCountry: 5} {
		if *flag {
			n.Points += weight
		}
	}
	for _, t := range a.Tags {
		if !slices.Contains(b.Tags, t) {
			continue
		}
		count := 0
		for _, i := range c.Order {
			if slices.Contains(c.Lines[i].Tags, t) {
				count++
			}
		}
		n.Tags, n.Points = append(n.Tags, t), n.Points+10
		for part, step := count*10, 0; part <= len(c.Order) && step < 4; part, step = part*10, step+1 {
			n.Points += 10
		}
	}
	for _, t := range a.Concepts {
		if slices.Contains(b.Concepts, t) {
			n.Concepts, n.Points = append(n.Concepts, t), n.Points+25
		}
	}
	return n
}

func neighbours(c *Catalog, ordinal int, keep func(*Line, *Neighbour) bool) []Neighbour {
	self := &c.Lines[ordinal]
	var out []Neighbour
	for _, i := range c.Order {
		n := points(c, self, &c.Lines[i])
		n.Ordinal = i
		if int(i) != ordinal && keep(&c.Lines[i], &n) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(away(c, ordinal, a.Ordinal), away(c, ordinal, b.Ordinal)), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return out[:min(len(out), relatedMax)]
}

// away counts the names from one entry to another, by another rule than the index: by those
// that come before each.
func away(c *Catalog, a int, b int32) int {
	name := func(i int) string { return cmp.Or(c.Lines[i].Sort, search.Fold(c.Lines[i].Name)) }
	before := func(i int) (n int) {
		for k := range c.Lines {
			if name(k) < name(i) || name(k) == name(i) && k < i {
				n++
			}
		}
		return n
	}
	return max(before(a)-before(int(b)), before(int(b))-before(a))
}

func TestRelatedAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 30)
		for i := range c.Lines {
			want := neighbours(c, i, func(_ *Line, n *Neighbour) bool {
				return len(n.Tags) > 0 || len(n.Concepts) > 0 || n.SameInstitution || n.SameHost
			})
			if d := gocmp.Diff(want, c.Related(i)); d != "" && len(want) > 0 {
				t.Fatalf("related of %d (-want +got):\n%s", i, d)
			}
			self := &c.Lines[i]
			want = neighbours(c, i, func(l *Line, n *Neighbour) bool {
				return len(n.Tags) > 0 && !n.SameHost && l.Type == self.Type && l.State != catalog.StateFailing
			})
			if d := gocmp.Diff(want, c.Alternatives(i)); d != "" && len(want) > 0 {
				t.Fatalf("alternatives of %d (-want +got):\n%s", i, d)
			}
		}
	})
}

func TestReasonsAreSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 20)
		found := map[[2]int32]Neighbour{}
		for _, i := range c.Order {
			related, _ := c.closest(int(i), len(c.Lines))
			for _, n := range c.explained(related, int(i)) {
				found[[2]int32{i, n.Ordinal}] = n
			}
		}
		for pair, n := range found {
			back, ok := found[[2]int32{pair[1], pair[0]}]
			back.Ordinal = n.Ordinal
			if !ok || !gocmp.Equal(n, back) {
				t.Fatalf("%d sees %+v, %d sees %+v", pair[0], n, pair[1], back)
			}
		}
	})
}

// manyLines is a catalog with more entries than any list holds.
func manyLines(t *testing.T) *Catalog {
	lines := make([]Line, 500)
	for i := range lines {
		lines[i] = Line{Traits: &Traits{Status: catalog.StatusActive, Type: catalog.TypeAPI, Host: fmt.Sprint("h", i), InstitutionID: "i"}, ID: id(i), Tags: []string{"common", fmt.Sprint("tag-", i%50)}}
		slices.Sort(lines[i].Tags)
	}
	return freeze(t, lines)
}

func TestRelatedIsBoundedAndDeterministic(t *testing.T) {
	c, again := manyLines(t), manyLines(t)
	for i := range c.Lines {
		if related, _ := c.closest(i, len(c.Lines)); len(related) > (tagsMax+3)*postingMax {
			t.Fatalf("entry %d is compared with %d others", i, len(related))
		}
		for name, pair := range map[string][2][]Neighbour{"related": {c.Related(i), again.Related(i)}, "alternatives": {c.Alternatives(i), again.Alternatives(i)}} {
			if len(pair[0]) > relatedMax || !gocmp.Equal(pair[0], pair[1]) {
				t.Fatalf("%s of %d: %v and %v", name, i, pair[0], pair[1])
			}
		}
	}
}

func TestNeighboursAreRememberedByEntry(t *testing.T) {
	c, fresh := manyLines(t), manyLines(t)
	for range 2 {
		for i := range c.Lines {
			for _, j := range []int{i, len(c.Lines) - 1 - i} {
				want, _ := fresh.closest(j, relatedMax)
				if d := gocmp.Diff(fresh.explained(want, j), c.Related(j)); d != "" {
					t.Fatalf("related of %d (-want +got):\n%s", j, d)
				}
			}
		}
	}
}

func TestTagPoints(t *testing.T) {
	for _, c := range []struct{ count, total, want int }{
		{1, 1, 10}, {1, 9, 10}, {1, 10, 20}, {1, 99, 20}, {1, 100, 30}, {1, 1000, 40}, {1, 10_000, 50}, {1, 1_000_000, 50}, {500, 1000, 10}, {100, 1000, 20},
	} {
		if got := tagPoints(c.count, c.total); got != c.want {
			t.Errorf("a tag of %d in %d entries has %d points, want %d", c.count, c.total, got, c.want)
		}
	}
}

func TestRelations(t *testing.T) {
	active := func(n int, change func(*Line)) Line {
		l := Line{Traits: &Traits{Status: catalog.StatusActive}, ID: id(n)}
		change(&l)
		return l
	}
	c := freeze(t, []Line{
		active(0, func(l *Line) { l.Serves, l.InstitutionID, l.Host = []string{id(1), id(9)}, "i", "h" }),
		active(1, func(l *Line) { l.InstitutionID = "i" }),
		{Traits: &Traits{Status: catalog.StatusDeprecated, Host: "h"}, ID: id(2), Successor: id(0)},
		active(3, func(l *Line) { l.Host, l.Ranking = "h", 5 }),
		active(4, func(*Line) {}),
	})
	for n, want := range map[int][]string{
		0: {"predecessor 2", "serves 1", "same_institution 1", "same_host 3"},
		1: {"served_by 0", "same_institution 0"},
		2: {"successor 0", "same_host 3", "same_host 0"},
		3: {"same_host 0"},
		4: nil,
	} {
		var got []string
		for _, tie := range c.Relations(c.ByID(id(n))) {
			for k := range 5 {
				if c.Lines[tie.Ordinal].ID == id(k) {
					got = append(got, fmt.Sprint(tie.Kind, " ", k))
				}
			}
		}
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("relations of %d (-want +got):\n%s", n, d)
		}
	}
}

func TestRelationsAreBounded(t *testing.T) {
	lines := make([]Line, 100)
	for i := range lines {
		lines[i] = Line{Traits: &Traits{Status: catalog.StatusActive, InstitutionID: "i", Host: "h"}, ID: id(i), Successor: id(0)}
	}
	c := freeze(t, lines)
	for i := range c.Lines {
		counts := map[TieKind]int{}
		for _, tie := range c.Relations(i) {
			if int(tie.Ordinal) == i {
				t.Fatalf("entry %d is tied to itself", i)
			}
			counts[tie.Kind]++
		}
		for kind, n := range counts {
			if n > tiesMax {
				t.Errorf("%d ties of kind %s", n, kind)
			}
		}
	}
}

// TestOneEntryIsShownByFew: however large an institution is, a change of one of its entries
// moves the pages of some others only, and these are those that are named alike.
func TestOneEntryIsShownByFew(t *testing.T) {
	lines := make([]Line, 600)
	for i := range lines {
		lines[i] = Line{Traits: &Traits{Status: catalog.StatusActive, InstitutionID: "i", Host: "h"}, ID: id(i), Tags: []string{"common"}, Ranking: score.Tenths(i % 7),
			Name: fmt.Sprintf("report %03d", (i*7)%600)} // in another order than the ids
	}
	c := freeze(t, lines)
	shown := map[int32]int{}
	for i := range c.Lines {
		beside := map[int32]bool{}
		for _, tie := range c.Relations(i) {
			beside[tie.Ordinal] = true
		}
		for _, n := range c.Related(i) {
			beside[n.Ordinal] = true
		}
		for other := range beside {
			shown[other]++
			if d := away(c, i, other); d > tiesMax {
				t.Fatalf("%q is set beside %q, %d names away", c.Lines[other].Name, c.Lines[i].Name, d)
			}
		}
	}
	for ordinal, n := range shown {
		if n > 2*(tiesMax+relatedMax) {
			t.Errorf("entry %d is shown by %d others", ordinal, n)
		}
	}
	if len(shown) != len(lines) {
		t.Errorf("%d of %d entries are set beside others", len(shown), len(lines))
	}
}
