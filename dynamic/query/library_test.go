package query

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
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
	sitetest.Expire(l.dir, ids[4])
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
		"maturity": {"verified"}, "format": {"CSV"}, "lang": {"el"}, "is_public_sector": {"true"}, "updated_since": {"2026-01-01"}, "search": {"x"},
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

// TestThrough reads which events a snapshot shows; what is no number is none.
func TestThrough(t *testing.T) {
	l, _ := history(t, 1)
	id := l.Current().ID
	if l.Current().Through != 0 {
		t.Errorf("%d without a file", l.Current().Through)
	}
	for text, want := range map[string]int64{"42\n": 42, "": 0, "x": 0, "9223372036854775808": 0, strings.Repeat("1", 40): 0} {
		if err := os.WriteFile(filepath.Join(l.dir, hidden, id, snapshot.ThroughFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err := l.load(id); err != nil || s.Through != want {
			t.Errorf("%.20q: %d, %v", text, s.Through, err)
		}
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
	sitetest.Expire(l.dir, ids[0])
	sitetest.Make(t, l.dir, sitetest.Options{Entries: 12, Generation: 3})
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
