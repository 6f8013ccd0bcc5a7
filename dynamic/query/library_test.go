package query

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
)

// history builds n generations and returns their ids, oldest first.
func history(t *testing.T, n int) (*Library, []string) {
	t.Helper()
	dir := t.TempDir()
	var ids []string
	var l *Library
	for g := range n {
		ids = append(ids, sitetest.Make(t, dir, sitetest.Options{Entries: 12, Generation: g}).Catalog.ID)
		if g == 0 {
			var err error
			if l, err = Open(dir, slog.New(slog.DiscardHandler), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Refresh(time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	return l, ids
}

func TestOlderSnapshotsAnswerWhileTheyArePublished(t *testing.T) {
	l, ids := history(t, 6)
	for _, id := range append(ids, "") {
		want := id
		if id == "" {
			want = ids[5]
		}
		if s, err := l.At(t.Context(), id); err != nil || s.ID != want {
			t.Errorf("%q: %v", id, err)
		}
	}
	if len(l.older) > olderMax {
		t.Errorf("%d older snapshots are in memory", len(l.older))
	}
	held, _ := l.At(t.Context(), ids[4])
	sitetest.Expire(string(l.folder), ids[4])
	if _, err := l.At(t.Context(), ids[4]); !errors.Is(err, catalog.ErrGone) {
		t.Errorf("an expired snapshot: %v", err)
	}
	r, _ := ParseList(url.Values{"limit": {"100"}})
	if p, err := held.ListPage(t.Context(), r); err != nil || len(p.Body) < 1000 {
		t.Errorf("a request in flight on an expired snapshot: %v", err)
	}
	if _, err := l.At(t.Context(), "20260101-000000000000"); !errors.Is(err, catalog.ErrGone) {
		t.Errorf("an unknown snapshot: %v", err)
	}
}

func TestManyReadersOfOlderSnapshots(t *testing.T) {
	l, ids := history(t, 5)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 40 {
				id := ids[(i+w)%len(ids)]
				if s, err := l.At(t.Context(), id); err != nil || s.ID != id {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	l, _ := history(t, 1)
	l.gate = engine.NewGate(1)
	l.Current().gate = l.gate
	if _, err := l.gate.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	for _, q := range []string{"type=API", ""} {
		values, _ := url.ParseQuery(q)
		r, err := ParseFacets(values)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Current().FacetsPage(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: %v", q, err)
		}
	}
}

func TestAPanicInSharedWorkIsAnError(t *testing.T) {
	l, _ := history(t, 1)
	if _, err := once(t.Context(), &l.loading, "x", func() (int, error) { panic("bad") }); err == nil {
		t.Error("no error")
	}
}

func TestEveryListParameterHasAMeaning(t *testing.T) {
	values := url.Values{"type": {"API"}, "country_code": {"GR"}, "institution_type": {"REGION"}, "institution_id": {catalog.NewID("institution", "1")},
		"tags": {"x"}, "verification_state": {"STALE"}, "status": {"DEPRECATED"}, "free_access_class": {"UNKNOWN"}, "auth_type": {"NONE"}, "access_rights": {"PUBLIC"}, "collapse": {"series"}, "series": {catalog.NewID("series", "1")}, "mqa_tier": {"good"},
		"maturity": {"verified"}, "format": {"CSV"}, "lang": {"el"}, "license": {"CC0-1.0"}, "license_allows": {"open"}, "theme": {"ENVI"}, "hvd_category": {"c_1"}, "place": {"BE1"}, "frequency": {"DAILY"}, "has_download": {"true"}, "period_start": {"2013"}, "period_end": {"2013-06-30"}, "is_public_sector": {"true"}, "updated_since": {"2026-01-01"}, "search": {"x"},
		"page": {"2"}, "limit": {"3"}, "sort_by": {"name"}, "sort_order": {"desc"}, "snapshot": {"20260101-000000000000"}, "country": {"GR"}}
	for _, d := range listParams() {
		if !values.Has(d.Name) {
			t.Errorf("parameter %s has no example here and perhaps no meaning", d.Name)
			continue
		}
		r, err := ParseList(url.Values{d.Name: values[d.Name]})
		plain, _ := ParseList(nil)
		if err != nil || r.String() == plain.String() && r.Snapshot == "" && d.Name != "sort_order" {
			t.Errorf("parameter %s does nothing: %v", d.Name, err)
		}
	}
}

// TestThrough reads which events a snapshot shows; what is no number is an error.
func TestThrough(t *testing.T) {
	for text, want := range map[string]int64{"42\n": 42, "0\n": 0, "": -1, "x": -1, "9223372036854775808": -1, strings.Repeat("1", 40): -1} {
		if n, err := readThrough(strings.NewReader(text)); err == nil != (want >= 0) || err == nil && n != want {
			t.Errorf("%.20q: %d, %v", text, n, err)
		}
	}
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3})
	site.Catalog.Through = 42
	if err := site.Put(nil); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(site.Dir, slog.New(slog.DiscardHandler), nil); err != nil || l.Current().Through != 42 {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestAFileIsReplaced: a build that changes no entry replaces the file of the same snapshot;
// other documents are taken from it, and what lies over searches stays.
func TestAFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	site := sitetest.Make(t, dir, sitetest.Options{Entries: 12})
	l, err := Open(dir, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, before := l.Current(), l.Current().File()
	var presented []string
	l.Presented = func() { presented = append(presented, l.Current().ID) }
	if err := sitetest.Overlay(dir, s.ID, nil, nil, changeTo(t, catalog.NewID("entry", "added"), "Volcano alerts", "IS")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(site.Put(map[string]string{"/page": "new"}), l.Refresh(time.Now())); err != nil {
		t.Fatal(err)
	}
	if l.Current() != s || s.File() == before || searchFor(t, l, "q=volcano").Total != 1 {
		t.Error("the new file is not taken up, or more than it")
	}
	if found, err := s.File().Route("/page"); err != nil || found == nil {
		t.Errorf("%v, %v", found, err)
	}
	for _, generation := range []int{1, 0, 1} {
		sitetest.Make(t, dir, sitetest.Options{Entries: 12, Generation: generation})
		if err := l.Refresh(time.Now()); err != nil {
			t.Fatal(err)
		}
		l.File(s.ID) // as a reader of its pinned pages does
	}
	if len(presented) != 3 || presented[0] == s.ID || presented[1] != s.ID || presented[2] != presented[0] {
		t.Errorf("told of the snapshots %v, not of another one, %s and the other one", presented, s.ID)
	}
	if found, err := l.File(s.ID).Route("/page"); err != nil || found != nil {
		t.Errorf("after a build of the same snapshot without the page: %v, %v", found, err)
	}
}

// TestAFileIsSearchedOtherwise: where a build of the same snapshot has another search index, searches are
// answered from that one.
func TestAFileIsSearchedOtherwise(t *testing.T) {
	dir := t.TempDir()
	site, other := sitetest.Make(t, dir, sitetest.Options{Entries: 12}), sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 12, Generation: 1})
	l, err := Open(dir, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	before := l.Current()
	found := func() (list string) {
		for i := range other.Catalog.Lines {
			list += fmt.Sprint(searchFor(t, l, "q="+url.QueryEscape(`"`+other.Catalog.Lines[i].Name+`"`)).Total, " ")
		}
		return list
	}
	own := found()
	if err := errors.Join(site.PutIndex(other), l.Refresh(time.Now())); err != nil {
		t.Fatal(err)
	}
	if now := found(); strings.Count(now, "0") >= strings.Count(own, "0") || l.Current() == before || l.Current().ID != before.ID {
		t.Errorf("found %s after %s, snapshot %s after %s", now, own, l.Current().ID, before.ID)
	}
	served := l.Current()
	if err := errors.Join(site.PutIndex(other), l.Refresh(time.Now())); err != nil || l.Current() != served {
		t.Errorf("%v, or the same index was read again", err)
	}
}

// TestExpiredSnapshotsAreLetGo: the files and the memory of snapshots that are no more
// are released by the next one, whether or not anybody asks for them again.
func TestExpiredSnapshotsAreLetGo(t *testing.T) {
	l, ids := history(t, 3)
	for _, id := range ids[:2] {
		if _, err := l.At(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		l.opened[id] = &File{}
	}
	sitetest.Expire(string(l.folder), ids[0])
	sitetest.Make(t, string(l.folder), sitetest.Options{Entries: 12, Generation: 3})
	if err := l.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	if l.opened[ids[0]] != nil || l.opened[ids[1]] == nil {
		t.Errorf("of the files of %v those of %v are kept", ids[:2], l.opened)
	}
	for _, s := range l.older {
		if s.ID == ids[0] {
			t.Error("an expired snapshot is in memory")
		}
	}
}

// TestPeriodOfAQuestion: an end of a period is a year, a month or a day as a whole.
func TestPeriodOfAQuestion(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][2]string{"2013": {"2013-01-01T00:00:00Z", "2013-12-31T23:59:59Z"}, "2012-02": {"2012-02-01T00:00:00Z", "2012-02-29T23:59:59Z"},
		"2013-06-30": {"2013-06-30T00:00:00Z", "2013-06-30T23:59:59Z"}, "2013-02-31": {"2013-02-28T00:00:00Z", "2013-02-28T23:59:59Z"}} {
		r, err := ParseList(url.Values{"period_start": {value}, "period_end": {value}})
		if err != nil || r.Query.Since.Format(time.RFC3339) != want[0] || r.Query.Until.Format(time.RFC3339) != want[1] {
			t.Errorf("%s: %v to %v, %v", value, r.Query.Since, r.Query.Until, err)
		}
	}
	for _, value := range []string{"", "13", "2013-13", "2013-6", "2013-06-32", "2013-06-30T00:00:00Z", "soon"} {
		if _, err := ParseList(url.Values{"period_start": {value}}); err == nil {
			t.Errorf("%q is taken", value)
		}
	}
}
