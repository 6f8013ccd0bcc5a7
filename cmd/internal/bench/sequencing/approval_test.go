package sequencing

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
)

// later is what an approval may take longer while the log is written, of 95 in 100.
const later = 5 * time.Millisecond

// every is how often the log is written meanwhile, far more often than builds end.
const every = 100 * time.Millisecond

// TestApproval: who approves waits hardly longer while another process writes the log of what
// was approved. The bound holds for long runs, on a machine that has little else to do.
func TestApproval(t *testing.T) {
	entries, approvals := 100, 40
	if long() {
		entries, approvals = 10_000, 1000
	}
	for name, target := range map[string]func() (string, func(context.Context, string) (catalog.Store, error)){
		"sqlite": func() (string, func(context.Context, string) (catalog.Store, error)) {
			return filepath.Join(t.TempDir(), "a.db"), func(ctx context.Context, at string) (catalog.Store, error) { return sqlite.Open(ctx, at) }
		},
		"postgres": func() (string, func(context.Context, string) (catalog.Store, error)) {
			return pgtest.NewStoreURL(t), func(ctx context.Context, at string) (catalog.Store, error) { return postgres.Open(ctx, at) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			at, open := target()
			stores := [2]catalog.Store{} // of the service and of who builds
			for i := range stores {
				st, err := open(t.Context(), at)
				if err != nil {
					t.Fatal(err)
				}
				defer st.Close()
				stores[i] = st
			}
			d := newDesk(t, stores[0], entries, approvals)
			d.approve(d.pending[:approvals/10]) // what the first ones open is no part of it
			alone, beside := d.measure(stores[1], approvals)
			t.Logf("%s: %d approvals, 95 of 100 within %v, while the log is written within %v; half within %v, %v", name, approvals,
				at95(alone), at95(beside), alone[len(alone)/2], beside[len(beside)/2])
			if more := at95(beside) - at95(alone); long() && more > later {
				t.Errorf("an approval takes %v longer while the log is written", more)
			}
		})
	}
}

// at95 is what 95 of 100 sorted times are within.
func at95(times []time.Duration) time.Duration { return times[len(times)*95/100] }

// desk approves what waits.
type desk struct {
	t       *testing.T
	h       http.Handler
	pending []string
	dir     string
	key     translog.Key
}

func newDesk(t *testing.T, st catalog.Store, entries, approvals int) *desk {
	t.Helper()
	r := newRegister(t, st, entries)
	d := &desk{t: t, dir: filepath.Join(t.TempDir(), "log"), key: r.key}
	site := func() (snapshot.Site, string) {
		return snapshot.Site{BaseURL: "https://register.example"}, "20261121-000000000000"
	}
	api := admin.New(admin.Config{Store: st, Now: time.Now, Site: site, Unite: harvest.Unite})
	front := &web.Front{Now: time.Now, Site: site, Timeout: 30 * time.Second, BodyMax: 64 << 10, Log: slog.New(slog.DiscardHandler)}
	mux := http.NewServeMux()
	mux.Handle("/submissions/{id}/approve", front.Adapt(web.Methods(map[string]web.Handler{"POST": api.Approve()})))
	wrapped := front.Wrap(mux)
	d.h = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		wrapped.ServeHTTP(w, req.WithContext(web.WithCaller(req.Context(), web.Caller{Token: "t1", Name: "Ada", Role: catalog.RoleModerator})))
	})
	err := st.Update(t.Context(), func(tx catalog.Tx) error {
		var writes []catalog.Write
		for n := range approvals + approvals/10 {
			slug := fmt.Sprint("waiting-", n)
			url := "https://data.example/" + slug
			e := &catalog.Entry{ID: catalog.NewID("entry", slug), Slug: slug, Type: catalog.TypeDataset, Name: "Name of " + slug, PrimarySourceURL: url,
				IdentityKey: "k" + slug, MatchKey: catalog.MatchKey(catalog.TypeDataset, url, slug), FreeAccessClass: catalog.AccessUnknown,
				AuthType: catalog.AuthUnknown, Status: catalog.StatusPending, CreatedAt: r.Now, UpdatedAt: r.Now}
			d.pending = append(d.pending, e.ID)
			writes = append(writes, catalog.Write{Entry: e, Provenance: &catalog.Provenance{EntryID: e.ID}, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: r.Now}}})
		}
		return tx.Entries().Put(t.Context(), writes...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// approve approves, and tells how long each took.
func (d *desk) approve(ids []string) (took []time.Duration) {
	d.t.Helper()
	for _, id := range ids {
		req := httptest.NewRequest("POST", "/submissions/"+id+"/approve", strings.NewReader(`{"reason":"as good as others"}`))
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		began := time.Now()
		d.h.ServeHTTP(w, req)
		took = append(took, time.Since(began))
		if w.Code != http.StatusOK {
			d.t.Fatalf("%s: %d %s", id, w.Code, w.Body)
		}
	}
	return took
}

// measure approves, by turns while the log is written by another connection and while it is not.
func (d *desk) measure(st catalog.Store, approvals int) (alone, beside []time.Duration) {
	d.t.Helper()
	const turns = 10
	rest := d.pending[len(d.pending)-approvals:]
	d.log(st) // what was there before
	for turn := range turns {
		part := rest[:approvals/turns]
		rest = rest[len(part):]
		if turn%2 == 0 {
			alone = append(alone, d.approve(part)...)
			continue
		}
		var done atomic.Bool
		ended := make(chan int)
		go func() {
			leaves := 0
			for !done.Load() {
				leaves += d.log(st)
				time.Sleep(every)
			}
			ended <- leaves + d.log(st)
		}()
		beside = append(beside, d.approve(part)...)
		done.Store(true)
		if leaves := <-ended; leaves < len(part) {
			d.t.Errorf("%d leaves of %d approvals", leaves, len(part))
		}
	}
	slices.Sort(alone)
	slices.Sort(beside)
	return alone, beside
}

func (d *desk) log(st catalog.Store) int {
	r, err := sequence.Run(d.t.Context(), st, d.dir, sequence.Options{Keys: []translog.Key{d.key}, Rubric: score.RubricVersion, Now: time.Now()})
	if err != nil {
		d.t.Error(err)
	}
	return r.Leaves
}
