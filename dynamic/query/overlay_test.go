package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// changeTo is an entry as the next build would show it.
func changeTo(t *testing.T, id, name, country string) snapshot.Change {
	t.Helper()
	frame := snapshot.NewFrame(snapshot.Site{BaseURL: "https://register.example"}, sitetest.At, nil, nil, nil)
	row := &catalog.Row{Entry: catalog.Entry{ID: id, Slug: "x-" + id[:8], Name: name, NativeLang: "en", CountryCode: country, Status: catalog.StatusActive,
		Type: catalog.TypeAPI, Tags: []string{"brand new"}, PublishedAt: sitetest.At, FreeAccessClass: catalog.FreeAccessClasses()[0], AuthType: catalog.AuthTypes()[0]}}
	scored := frame.Score(row, search.Fold(name))
	line := snapshot.NewLine(scored, search.Fold(name))
	item, cells, err := wire.EncodeItem(scored)
	if err != nil {
		t.Fatal(err)
	}
	line.Cells = cells
	return snapshot.Change{ID: id, Line: &line, Item: item, Document: search.Project(row, nil)}
}

func searchFor(t *testing.T, l *Library, query string) wire.SearchPage {
	t.Helper()
	values, _ := url.ParseQuery(query)
	r, err := ParseSearch(values)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Current().SearchPage(context.Background(), r, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var page wire.SearchPage
	if err := json.Unmarshal(p.Body, &page); err != nil {
		t.Fatal(err)
	}
	return page
}

func names(p wire.SearchPage) []string {
	var out []string
	for _, i := range p.Items {
		out = append(out, i.Entry.Name)
	}
	return out
}

func TestOverlay(t *testing.T) {
	l, _ := history(t, 1)
	s := l.Current()
	air := searchFor(t, l, "q=air&limit=100")
	if air.Total < 2 || air.Changes != 0 {
		t.Fatalf("%d entries about air, %d changes", air.Total, air.Changes)
	}
	edition := s.Edition()
	renamed, left := air.Items[0].Entry.ID, air.Items[1].Entry.ID
	added := catalog.NewID("entry", "added")
	err := l.lay(l.Current(), []snapshot.Change{changeTo(t, added, "Volcano alerts", "IS"), changeTo(t, renamed, "Glacier maps", "IS"), {ID: left}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Edition() == edition {
		t.Error("answers of before would be given again")
	}
	if got := searchFor(t, l, "q=volcano"); !slices.Equal(names(got), []string{"Volcano alerts"}) || got.Changes != 3 || got.Snapshot != s.ID ||
		got.Facets.CountryCode[0] != (snapshot.Count{Value: "IS", Count: 1}) || got.Facets.Tags[0].Value != "brand new" {
		t.Errorf("%+v", got)
	}
	if got := searchFor(t, l, "q=glacier+country:IS"); !slices.Equal(names(got), []string{"Glacier maps"}) {
		t.Errorf("%v", names(got))
	}
	if got := searchFor(t, l, "q=glacier&country_code=GR"); got.Total != 0 {
		t.Errorf("%v", names(got))
	}
	if got := searchFor(t, l, "q=air&limit=100"); got.Total != air.Total-2 {
		t.Errorf("%d of %d entries about air remain", got.Total, air.Total)
	}
	everything := searchFor(t, l, "q=status:active&limit=100")
	if want := len(s.Order); everything.Total != want {
		t.Errorf("%d entries in all, want %d less one and plus one", everything.Total, want)
	}
	if err := l.lay(l.Current(), nil); err != nil || searchFor(t, l, "q=volcano").Total != 0 || searchFor(t, l, "q=air").Total != air.Total {
		t.Errorf("an empty overlay leaves something: %v", err)
	}
}

// TestOverlayOfAFile: what the file over a snapshot tells is found, and no longer when it goes.
func TestOverlayOfAFile(t *testing.T) {
	l, _ := history(t, 1)
	dir, id := string(l.folder), l.Current().ID
	found := func(want int) {
		t.Helper()
		if err := l.Refresh(time.Now()); err != nil {
			t.Fatal(err)
		}
		if got := searchFor(t, l, "q=volcano"); got.Total != want || got.Changes != want {
			t.Errorf("%d results, %d changes; want %d", got.Total, got.Changes, want)
		}
	}
	found(0)
	if err := sitetest.Overlay(dir, id, nil, nil, changeTo(t, catalog.NewID("entry", "added"), "Volcano alerts", "IS")); err != nil {
		t.Fatal(err)
	}
	found(1)
	if err := os.WriteFile(filepath.Join(dir, snapshot.OverlayOf(id)), []byte("no overlay"), 0o644); err != nil {
		t.Fatal(err)
	}
	found(0) // one that cannot be read shows less
	if err := sitetest.Overlay(dir, id, nil, nil, changeTo(t, catalog.NewID("entry", "added"), "Volcano alerts", "IS")); err != nil {
		t.Fatal(err)
	}
	found(1)
	if err := os.Remove(filepath.Join(dir, snapshot.OverlayOf(id))); err != nil {
		t.Fatal(err)
	}
	found(0)
}

func TestAnOverlayEndsWithItsSnapshot(t *testing.T) {
	l, _ := history(t, 1)
	if err := l.lay(l.Current(), []snapshot.Change{changeTo(t, catalog.NewID("entry", "added"), "Volcano alerts", "IS")}); err != nil {
		t.Fatal(err)
	}
	sitetest.Make(t, string(l.folder), sitetest.Options{Entries: 12, Generation: 1})
	if err := l.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := searchFor(t, l, "q=volcano"); got.Total != 0 || got.Changes != 0 {
		t.Errorf("%+v", got)
	}
}

func TestOverlayRefuses(t *testing.T) {
	l, _ := history(t, 1)
	one := changeTo(t, catalog.NewID("entry", "added"), "Volcano alerts", "IS")
	other := one
	other.ID = catalog.NewID("entry", "other")
	var many []snapshot.Change
	for i := range snapshot.OverlayMax + 1 {
		many = append(many, snapshot.Change{ID: fmt.Sprint(i)})
	}
	for name, list := range map[string][]snapshot.Change{"twice": {one, one}, "another id": {other}, "too many": many} {
		if err := l.lay(l.Current(), list); !errors.Is(err, catalog.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEntriesOf: the entries of an institution are those of the snapshot, without what left, with what changed or
// came since in its place.
func TestEntriesOf(t *testing.T) {
	l, _ := history(t, 1)
	s := l.Current()
	var h snapshot.Holding
	for _, h = range s.Holdings() {
		if len(h.Ordinals) > 2 {
			break
		}
	}
	if len(h.Ordinals) < 3 {
		t.Fatal("no institution has three entries")
	}
	id := h.Institution.ID
	line := func(n int) *snapshot.Line { return &s.Lines[h.Ordinals[n]] }
	of := func(entry, name string) snapshot.Change {
		c := changeTo(t, entry, name, "IS")
		c.Line.InstitutionID = line(0).InstitutionID
		return c
	}
	renamed, left, moved, added := line(0).ID, line(1).ID, line(2).ID, catalog.NewID("entry", "added")
	if err := l.lay(s, []snapshot.Change{of(renamed, "Glacier maps"), {ID: left}, changeTo(t, moved, "Lava", "IS"), of(added, "Volcano alerts")}); err != nil {
		t.Fatal(err)
	}
	institution, lines := s.EntriesOf(id)
	found := map[string]string{}
	for _, l := range lines {
		found[l.ID] = l.Name
	}
	if institution.ID != id || len(lines) != len(h.Ordinals)-1 || len(found) != len(lines) || found[renamed] != "Glacier maps" || found[added] != "Volcano alerts" || found[left]+found[moved] != "" {
		t.Errorf("%+v: %v", institution, found)
	}
	if institution, lines := s.EntriesOf("nobody"); institution != nil || lines != nil {
		t.Errorf("%+v %+v", institution, lines)
	}
}

// While entries change, every search sees one overlay as a whole.
func TestOverlaysChangeUnderLoad(t *testing.T) {
	l, _ := history(t, 1)
	id, done := catalog.NewID("entry", "added"), make(chan struct{})
	a, b := changeTo(t, id, "Volcano alerts", "IS"), changeTo(t, id, "Volcano glaciers", "IS")
	if err := l.lay(l.Current(), []snapshot.Change{a}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		for i := range 200 {
			if err := l.lay(l.Current(), []snapshot.Change{[]snapshot.Change{a, b}[i%2]}); err != nil {
				t.Error(err)
			}
		}
	}()
	for {
		select {
		case <-done:
			return
		default:
			if got := searchFor(t, l, "q=volcano"); got.Total != 1 || len(got.Items) != 1 {
				t.Fatalf("%+v", got)
			}
		}
	}
}
