package build

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Options say what to build.
type Options struct {
	// Out is the folder that gets the snapshot file.
	Out  string
	Site snapshot.Site
	// At decides what is visible and which UTC day's scores are shown.
	At time.Time
	// Now is the clock for the retention of older snapshots.
	Now time.Time
	// Full makes every document anew instead of copying those that the present file has.
	Full    bool
	Workers int
	// Formats are what is rendered; all of the register if nil.
	Formats []render.Format
	// Keep is how many snapshots stay readable, KeepFor how long one stays at
	// least after it was replaced (decisions §2: 3 and 2 h).
	Keep    int
	KeepFor time.Duration
	// Record writes the day's scores and the event of the build to the store.
	Record bool
	// Program tells one that renders otherwise from this one; "" if it is not known: then
	// a build never takes what is there for what it would make.
	Program string
	Log     *slog.Logger
	// Live tells of entries whose pages were refreshed since the build began: what lies
	// over the present file of these lies over the new one, too.
	Live func(entry string) bool
	// Begin is told how many entries the site will show, before any is read.
	Begin    func(entries int)
	Progress func(stage string, done, total int)
}

// Stage is one timed part of a build.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// Report tells what a build did, in documents and their bytes before compression.
type Report struct {
	Snapshot string `json:"snapshot"`
	AsOf     string `json:"as_of"`
	Entries  int    `json:"entries"`
	Listed   int    `json:"listed"`
	// Rendered are the entries that were judged and rendered anew.
	Rendered  int      `json:"rendered"`
	Written   int64    `json:"written"`
	Unchanged int64    `json:"unchanged"`
	Bytes     int64    `json:"bytes"`
	Problems  []string `json:"problems"`
	Stages    []Stage  `json:"stages"`
	// SearchIndex are the seconds in which the search index was written, beside other stages.
	SearchIndex float64 `json:"search_index_seconds"`
}

// ErrGate says that publishing would break a promise to readers.
var ErrGate = errors.New("deploy gate")

// run is one build under way.
type run struct {
	opts Options
	// file takes the documents of a build, over single pages between builds.
	file    *file
	over    *overlay
	frame   *snapshot.Frame
	formats []render.Format
	routes  *routeLog
	catalog *snapshot.Catalog
	search  *searchIndex
	// gone are the entries that left.
	gone []snapshot.Tombstone
	// harvests is the harvest log, sources the ids of those that entries name.
	harvests []snapshot.Harvested
	// outages are the latest incidents, and the maintenance that was announced.
	outages snapshot.Outages
	// reference are the tables that every entry is judged by.
	reference reference
	// mark, inputs and framed are what the next build compares with, "" where it does not.
	mark, inputs, framed string
	// was is what the present file was made from where this build would say the same; until is the last UTC day on which no entry is judged otherwise.
	was     built
	until   int
	records records
	bases   bases
	feedLog *feedLog
	sources map[string]bool
	watch   watch
	scores  []catalog.ScoreDay
	moved   []catalog.Event
	report  Report
	began   time.Time
	clock   func() time.Time
}

// reference are the tables that every entry is judged by.
type reference struct {
	Institutions []catalog.Institution
	Licences     []catalog.Licence
	Sources      []catalog.Source
}

// Build writes a snapshot file of the store into a folder, which readers get from then
// on. It may be killed at any moment: the file is whole or not there. A build that would
// say what the present file says leaves that one.
func Build(ctx context.Context, st catalog.Store, opts Options, clock func() time.Time) (Report, error) {
	r := &run{opts: opts, formats: opts.Formats, clock: clock, began: clock(), report: Report{Problems: []string{}}, sources: map[string]bool{},
		until: dayNumber(score.Forever)}
	if r.formats == nil {
		r.formats = render.Formats()
	}
	err := output.Own(opts.Out)
	if err == nil {
		err = r.intoFile(ctx, st)
	}
	if errors.Is(err, errRecords) {
		// They only save work: the next attempt goes without them.
		hidden := filepath.Join(opts.Out, output.HiddenDir)
		if gone := os.Remove(filepath.Join(hidden, recordsFile)); errors.Join(gone, os.Remove(filepath.Join(hidden, basesFile))) == nil {
			r.problem("%v", err)
			report, err := Build(ctx, st, opts, clock)
			report.Problems = append(r.report.Problems, report.Problems...)
			return report, err
		}
	}
	if err != nil {
		return r.report, fmt.Errorf("build into %s: %w", opts.Out, err)
	}
	return r.report, nil
}

// all makes the snapshot.
func (r *run) all(ctx context.Context, st catalog.Store) error {
	routes, err := os.Create(r.file.unfinished("routes"))
	if err != nil {
		return err
	}
	defer routes.Close()
	items, err := os.Create(r.file.unfinished("items"))
	if err != nil {
		return err
	}
	defer items.Close()
	r.routes = newRouteLog(routes)
	r.file.writer.Each(r.routes.group)
	defer r.records.close()
	r.search = newSearchIndex(func(name string) (*os.File, error) { return os.Create(r.file.unfinished(name)) })
	defer r.search.close()
	if err := st.View(ctx, func(tx catalog.Tx) error { return r.freeze(ctx, tx, items) }); err != nil {
		return err
	}
	r.report.Snapshot, r.report.AsOf = r.catalog.ID, r.catalog.AsOf.Format(time.RFC3339)
	r.report.Entries, r.report.Listed = len(r.catalog.Lines), len(r.catalog.Order)
	r.search.begin(r.catalog, r.clock)
	if err := r.openFeed(); err != nil {
		return err
	}
	for _, s := range r.stages(st, routes, items.Name()) {
		if err := s.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.lap(s.name)
	}
	r.report.SearchIndex = r.search.seconds
	return nil
}

// stage is a part of a build after the entries were frozen.
type stage struct {
	name string
	do   func(context.Context) error
}

func (r *run) stages(st catalog.Store, routes *os.File, items string) []stage {
	return []stage{
		{"link", r.link}, {"pin", r.pin}, {"search", r.search.wait}, {"snapshot", r.keepSnapshot(items)},
		{"catalog", r.whole}, {"ldes", r.tellFeed}, {"feed", r.feed(st)}, {"index", r.index}, {"routes", r.writeRoutes(routes)}, {"publish", r.file.publish},
		{"record", func(ctx context.Context) error { return r.record(ctx, st) }}, {"note", r.noteBuilt},
	}
}

func (r *run) lap(name string) {
	now := r.clock()
	r.report.Stages = append(r.report.Stages, Stage{name, now.Sub(r.began).Seconds()})
	r.began = now
}

func (r *run) problem(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.report.Problems = append(r.report.Problems, text)
	if r.opts.Log != nil {
		r.opts.Log.Warn("build", "problem", text)
	}
}

func (r *run) progress(stage string, done, total int) {
	if r.opts.Progress != nil {
		r.opts.Progress(stage, done, total)
	}
}

// keepSnapshot keeps the encoded snapshot with the site.
func (r *run) keepSnapshot(items string) func(context.Context) error {
	return func(context.Context) error {
		folder := r.file.unfinished("snapshot")
		if err := os.Mkdir(folder, 0o755); err != nil {
			return err
		}
		if err := os.Rename(items, filepath.Join(folder, snapshot.ItemsFile)); err != nil {
			return err
		}
		for _, f := range []struct {
			name   string
			encode func(*os.File) error
		}{
			{snapshot.HeadFile, func(w *os.File) error { return r.catalog.EncodeHead(w) }},
			{snapshot.LinesFile, func(w *os.File) error { return r.catalog.EncodeLines(w) }},
		} {
			w, err := os.Create(filepath.Join(folder, f.name))
			if err != nil {
				return err
			}
			if err := errors.Join(f.encode(w), w.Close()); err != nil {
				return err
			}
		}
		if err := os.Rename(r.file.unfinished(segment.File), filepath.Join(folder, segment.File)); err != nil {
			return err
		}
		return r.file.keep(folder, r.catalog)
	}
}

func (r *run) snapshotPage() wire.SnapshotPage {
	return wire.SnapshotPage{
		Snapshot: r.catalog.ID, AsOf: r.catalog.AsOf.Format(time.RFC3339), Day: r.catalog.Day.Format(time.DateOnly),
		BaseURL: r.catalog.Site.BaseURL, License: r.catalog.Site.License, Entries: len(r.catalog.Lines),
		Listed: len(r.catalog.Order), Pages: wire.TotalPages(len(r.catalog.Order), 20), Rubric: score.RubricVersion,
		Artefacts: r.routes.artefacts(), EntryDocuments: r.routes.tree.Sum(), RulesSHA256: hex.EncodeToString(r.routes.tree.Rules),
	}
}
