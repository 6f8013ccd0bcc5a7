package query

import (
	"cmp"
	"log/slog"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

func folded(a, b *snapshot.Line) int { return cmp.Compare(search.Fold(a.Name), search.Fold(b.Name)) }

func byType(a, b *snapshot.Line) int { return cmp.Compare(a.Type, b.Type) }

// TestOrder compares orders by name, of lists and of what is found, with those by the folded names themselves; some entries
// changed since the snapshot, to names that others have but for case and accents.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	site := sitetest.Make(t, dir, sitetest.Options{Entries: 300})
	l, err := Open(dir, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := l.Current()
	var changes []snapshot.Change
	for i, name := range []string{"ÉCLAIRS brand new", "eclairs Brand new", "aaa brand new", s.Lines[0].Name, "zzz brand new"} {
		changes = append(changes, changeTo(t, site.Catalog.Lines[10*i].ID, name, "FR"))
	}
	if err := sitetest.Overlay(dir, site.Catalog.ID, nil, nil, changes...); err != nil {
		t.Fatal(err)
	}
	if err := l.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	s = l.Current()
	for name, values := range map[string]url.Values{"list": {}, "found": {"q": {"type:API,DATASET"}}} {
		for order, keys := range map[string][2][]Key{
			"up":            {{{}}, {{Compare: folded}}},
			"down":          {{{Desc: true}}, {{Compare: folded, Desc: true}}},
			"name and type": {{{}, {Compare: byType, Desc: true}}, {{Compare: folded}, {Compare: byType, Desc: true}}},
			"type and name": {{{Compare: byType}, {Desc: true}}, {{Compare: byType}, {Compare: folded, Desc: true}}},
		} {
			var got [2][]string
			for k := range keys {
				found, err := s.Select(t.Context(), &Selection{Values: values, Order: keys[k], Limit: 1000})
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range found.Lines {
					got[k] = append(got[k], l.Name+" "+l.ID)
				}
			}
			if len(got[0]) < 100 || !slices.Equal(got[0], got[1]) {
				t.Errorf("%s, %s: %d and %d entries, not in one order", name, order, len(got[0]), len(got[1]))
			}
		}
	}
}

// BenchmarkOrder orders a list by names, as a snapshot ranks them and letter by letter.
func BenchmarkOrder(b *testing.B) {
	dir := b.TempDir()
	sitetest.Make(b, dir, sitetest.Options{Entries: 20_000})
	l, err := Open(dir, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		b.Fatal(err)
	}
	s := l.Current()
	for name, key := range map[string]Key{"ranked": {}, "spelt": {Compare: folded}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Select(b.Context(), &Selection{Order: []Key{key}, Limit: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
