package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// drafts is a connector that emits what it holds.
type drafts []source.Draft

func (d drafts) Run(_ context.Context, _ source.Input, emit func(source.Draft) error, _ func(source.Rejection) error) error {
	for _, x := range d {
		if err := emit(x); err != nil {
			return err
		}
	}
	return nil
}

// world is a store with two institutions, one licence, and two sources.
type world struct {
	t        *testing.T
	ctx      context.Context
	st       catalog.Store
	now      time.Time
	official catalog.Source
	plain    catalog.Source
}

func newWorld(t *testing.T) *world {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return worldOf(t, st)
}

func worldOf(t *testing.T, st catalog.Store) *world {
	t.Helper()
	ctx := context.Background()
	w := &world{t: t, ctx: ctx, st: st, now: sourcetest.Now,
		official: catalog.Source{ID: harvest.SourceID("official"), Kind: "test", Title: "National catalogue", URL: "https://data.example.gov/", CountryCode: "GB", Official: "by law"},
		plain:    catalog.Source{ID: harvest.SourceID("plain"), Kind: "test", Title: "A list", URL: "https://list.example.org/"}}
	w.update(func(tx catalog.Tx) error {
		if err := tx.Institutions().Put(ctx,
			catalog.Institution{ID: harvest.InstitutionID("gb-tides"), Key: "gb-tides", Name: "Tide Office", CountryCode: "GB", Type: catalog.InstAgency,
				OfficialDomains: []string{"tides.example.uk"}, GithubOrgs: []string{"TideOffice"}, CreatedAt: w.now, UpdatedAt: w.now},
			catalog.Institution{ID: harvest.InstitutionID("fr-meteo"), Key: "fr-meteo", Name: "Météo", CountryCode: "FR", Type: catalog.InstAgency,
				OfficialDomains: []string{"meteo.example.fr"}, CreatedAt: w.now, UpdatedAt: w.now}); err != nil {
			return err
		}
		return tx.Licences().Put(ctx, catalog.Licence{ID: "OGL-UK-3.0", Title: "Open Government Licence v3.0", URL: "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"})
	})
	return w
}

func (w *world) update(fn func(catalog.Tx) error) {
	w.t.Helper()
	if err := w.st.Update(w.ctx, fn); err != nil {
		w.t.Fatal(err)
	}
}

// run harvests drafts an hour after the last run; that all are rejected is told
// by the report.
func (w *world) run(s catalog.Source, opts harvest.Options, list ...source.Draft) harvest.Report {
	w.t.Helper()
	w.now = w.now.Add(time.Hour)
	opts.Now = w.now
	r, err := harvest.Run(w.ctx, w.st, drafts(list), source.Input{Name: "list", Source: s}, opts)
	if err != nil && (r.Rejected == 0 || !errors.Is(err, harvest.ErrFruitless)) {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) entries() []catalog.Entry {
	w.t.Helper()
	var list []catalog.Entry
	err := w.st.View(w.ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(w.ctx, catalog.Range{}, func(e *catalog.Entry) error { list = append(list, *e); return nil })
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// living are the entries that were not merged into another one.
func (w *world) living() []catalog.Entry {
	w.t.Helper()
	return slices.DeleteFunc(w.entries(), func(e catalog.Entry) bool { return e.MergedIntoID != "" })
}

// only returns the one entry there is, those that were merged into it aside.
func (w *world) only() catalog.Entry {
	w.t.Helper()
	list := w.living()
	if len(list) != 1 {
		w.t.Fatalf("%d entries, want one", len(list))
	}
	return list[0]
}

func (w *world) rows(id string) []catalog.FieldRow {
	w.t.Helper()
	var rows []catalog.FieldRow
	err := w.st.View(w.ctx, func(tx catalog.Tx) error {
		p, err := tx.Provenances().Get(w.ctx, id)
		if err == nil {
			rows = p.Rows
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return rows
}

func (w *world) events() []catalog.Event {
	w.t.Helper()
	var list []catalog.Event
	err := w.st.View(w.ctx, func(tx catalog.Tx) error {
		var err error
		list, err = tx.Events().After(w.ctx, 0, 1000)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// change edits the one entry there is, as another part of the product would.
func (w *world) change(edit func(*catalog.Entry) catalog.EventKind) {
	w.t.Helper()
	e := w.only()
	kind := edit(&e)
	w.update(func(tx catalog.Tx) error {
		return tx.Entries().Put(w.ctx, catalog.Write{Entry: &e, Events: []catalog.Event{{Type: kind, OccurredAt: w.now}}})
	})
}

// draft is a record of an API of the tide office.
func draft(ref, name, url string) source.Draft {
	return source.Draft{Place: "list:" + ref, PublisherKey: "gb-tides", Delivered: 4, Repaired: 1,
		Entry: catalog.Entry{Type: catalog.TypeAPI, Name: name, PrimarySourceURL: url, UpstreamRef: ref, API: &catalog.APIDetails{BaseURL: url}},
		Rows:  []catalog.FieldRow{{Field: "name", Basis: catalog.BasisPublisher, UpstreamField: "title"}}}
}

// try harvests with a connector an hour after the last run.
func (w *world) try(s catalog.Source, opts harvest.Options, c source.Connector) (harvest.Report, error) {
	w.now = w.now.Add(time.Hour)
	opts.Now = w.now
	return harvest.Run(w.ctx, w.st, c, source.Input{Name: "list", Source: s}, opts)
}

// failing emits drafts and then rejects, or fails.
type failing struct {
	drafts
	last *source.Rejection
}

func (f failing) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	if err := f.drafts.Run(ctx, in, emit, reject); err != nil {
		return err
	}
	if f.last == nil {
		return errors.New("the input makes no sense")
	}
	return reject(*f.last)
}

// services are n drafts.
func services(n int) []source.Draft {
	var list []source.Draft
	for i := range n {
		list = append(list, draft(fmt.Sprintf("h:k:%d", i), fmt.Sprintf("Service %d", i), fmt.Sprintf("%s/%d", tides, i)))
	}
	return list
}

func (w *world) named(name string) catalog.Entry {
	w.t.Helper()
	for _, e := range w.entries() {
		if e.Name == name {
			return e
		}
	}
	return catalog.Entry{}
}

func (w *world) count(status catalog.Status) (n int) {
	for _, e := range w.entries() {
		if e.Status == status {
			n++
		}
	}
	return n
}

// runs are the runs of a source, newest first.
func (w *world) runs(sourceID string) (list []catalog.HarvestRun) {
	w.t.Helper()
	err := w.st.View(w.ctx, func(tx catalog.Tx) (err error) {
		list, err = tx.Runs().Latest(w.ctx, sourceID, 100)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}
