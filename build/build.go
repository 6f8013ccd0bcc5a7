package build

import (
	"context"
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
	// Out is the directory of the site: a tree, or with File a folder that gets one
	// snapshot file.
	Out  string
	File bool
	Site snapshot.Site
	// At decides what is visible and which UTC day's scores are shown.
	At time.Time
	// Now is the clock for the retention of older snapshots.
	Now time.Time
	// Full writes a new tree instead of comparing with the one that is there; it
	// takes that one's place, with the snapshots it keeps, when it is complete.
	Full bool
	// before is the tree whose promises are kept; Out if "".
	before  string
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
	// Live tells of entries whose pages were refreshed since the build began;
	// they are left alone, and so are the files of the tree that Spare names.
	Live, Spare func(string) bool
	// Begin is told how many entries the site will show, before any is read.
	Begin    func(entries int)
	Progress func(stage string, done, total int)
}

// Stage is one timed part of a build.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// Report tells what a build did, in files and bytes.
type Report struct {
	Snapshot  string   `json:"snapshot"`
	AsOf      string   `json:"as_of"`
	Entries   int      `json:"entries"`
	Listed    int      `json:"listed"`
	Written   int64    `json:"written"`
	Unchanged int64    `json:"unchanged"`
	Removed   int64    `json:"removed"`
	Bytes     int64    `json:"bytes"`
	Problems  []string `json:"problems"`
	Stages    []Stage  `json:"stages"`
}

// ErrGate says that publishing would break a promise to readers.
var ErrGate = errors.New("deploy gate")

// run is one build under way.
type run struct {
	opts Options
	// sink takes the documents: tree, or file; beside takes single pages between builds.
	sink    sink
	tree    *tree
	file    *file
	beside  beside
	frame   *snapshot.Frame
	formats []render.Format
	routes  *routeLog
	streams streams
	catalog *snapshot.Catalog
	search  *searchIndex
	// gone are the entries that left.
	gone []snapshot.Tombstone
	// harvests is the harvest log, sources the ids of those that entries name.
	harvests []snapshot.Harvested
	// reference are the tables that every entry is judged by.
	reference reference
	// mark and inputs are what the next build compares with, "" where it does not.
	mark, inputs string
	sources      map[string]bool
	watch        watch
	scores       []catalog.ScoreDay
	moved        []catalog.Event
	report       Report
	began        time.Time
	clock        func() time.Time
}

// reference are the tables that every entry is judged by.
type reference struct {
	Institutions []catalog.Institution
	Licences     []catalog.Licence
	Sources      []catalog.Source
}

// Build brings the tree up to date with the store, or writes a snapshot file. It
// may be killed at any moment: a file is whole or not there; in a tree each page stays whole and
// every name leads to one, but pages of two snapshots lie side by side until the next build completes it.
func Build(ctx context.Context, st catalog.Store, opts Options, clock func() time.Time) (Report, error) {
	r := &run{opts: opts, formats: opts.Formats, clock: clock, began: clock(), report: Report{Problems: []string{}}, sources: map[string]bool{}}
	if r.formats == nil {
		r.formats = render.Formats()
	}
	if err := output.Own(opts.Out); err != nil {
		return r.report, fmt.Errorf("build into %s: %w", opts.Out, err)
	}
	if opts.File {
		if err := r.intoFile(ctx, st); err != nil {
			return r.report, fmt.Errorf("build into %s: %w", opts.Out, err)
		}
		return r.report, nil
	}
	if opts.Full {
		return buildFull(ctx, st, opts, clock)
	}
	unlock, err := output.Lock(opts.Out)
	if err != nil {
		return r.report, fmt.Errorf("build into %s: %w", opts.Out, err)
	}
	defer unlock()
	err = r.intoTree(ctx, st)
	return r.report, err
}

func (r *run) intoTree(ctx context.Context, st catalog.Store) (err error) {
	if r.tree, err = openTree(&r.opts); err != nil {
		return err
	}
	defer r.tree.close()
	r.sink = r.tree
	hashes, err := newHashLog(r.tree)
	if err != nil {
		return err
	}
	defer hashes.close()
	if err := r.all(ctx, st, hashes); err != nil {
		return err
	}
	c := &r.tree.Counts
	r.report.Written, r.report.Unchanged = c.Written.Load(), c.Unchanged.Load()
	r.report.Removed, r.report.Bytes = c.Removed.Load(), c.Bytes.Load()
	return nil
}

// all makes the snapshot; hashes is nil where the sink knows the hashes itself.
func (r *run) all(ctx context.Context, st catalog.Store, hashes *hashLog) error {
	routes, err := os.Create(r.sink.Unfinished("routes"))
	if err != nil {
		return err
	}
	defer routes.Close()
	items, err := os.Create(r.sink.Unfinished("items"))
	if err != nil {
		return err
	}
	defer items.Close()
	r.routes = newRouteLog(routes, hashes)
	r.streams = streams{open: map[string]*stream{}, create: func(name string) (*os.File, error) {
		return os.Create(r.sink.Unfinished(name))
	}}
	defer func() { r.streams.close() }()
	r.search = newSearchIndex(func(name string) (*os.File, error) { return os.Create(r.sink.Unfinished(name)) })
	defer r.search.close()
	if err := st.View(ctx, func(tx catalog.Tx) error { return r.freeze(ctx, tx, items) }); err != nil {
		return err
	}
	r.search.begin(r.catalog)
	for _, s := range r.stages(st, routes, items.Name()) {
		if err := s.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.lap(s.name)
	}
	r.report.Snapshot, r.report.AsOf = r.catalog.ID, r.catalog.AsOf.Format(time.RFC3339)
	r.report.Entries, r.report.Listed = len(r.catalog.Lines), len(r.catalog.Order)
	return nil
}

// stage is a part of a build after the entries were frozen.
type stage struct {
	name string
	do   func(context.Context) error
}

// stages are those of a build into its sink. In a tree, which readers see
// while it is built, what leads to pages follows them.
func (r *run) stages(st catalog.Store, routes *os.File, items string) []stage {
	common := []stage{
		{"link", r.link}, {"pin", r.pin}, {"search", r.search.wait}, {"snapshot", r.keepSnapshot(items)},
		{"catalog", r.whole}, {"feed", r.feed(st)},
	}
	index, write := stage{"index", r.index}, stage{"routes", r.writeRoutes(routes)}
	record := stage{"record", func(ctx context.Context) error { return r.record(ctx, st) }}
	if r.file != nil {
		return append(common, index, write, stage{"publish", r.file.publish}, record, stage{"note", r.noteBuilt})
	}
	common = append([]stage{{"arrive", r.arrive}}, common...)
	return append(common, stage{"sync", r.sync}, index, stage{"through", r.keepThrough}, write,
		stage{"remove", r.remove}, stage{"edge", r.edge}, stage{"publish", r.publish}, record)
}

// sync puts the pages on the disk before anything leads to them.
func (r *run) sync(context.Context) error {
	if r.tree.Counts.Written.Load() == 0 {
		return nil
	}
	return r.tree.Sync()
}

// publish lets a first site appear and puts what leads to the pages on the
// disk, too, before the store records that they were built.
func (r *run) publish(ctx context.Context) error {
	if err := errors.Join(r.tree.Publish(), r.sync(ctx)); err != nil {
		return err
	}
	return r.tree.Done(r.has)
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
		folder := r.sink.Unfinished("snapshot")
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
		if err := os.Rename(r.sink.Unfinished(segment.File), filepath.Join(folder, segment.File)); err != nil {
			return err
		}
		if r.file != nil {
			return r.file.keep(folder, r.catalog)
		}
		return r.tree.KeepSnapshot(folder, r.catalog.ID, segment.File)
	}
}

func (r *run) snapshotPage() wire.SnapshotPage {
	return wire.SnapshotPage{
		Snapshot: r.catalog.ID, AsOf: r.catalog.AsOf.Format(time.RFC3339), Day: r.catalog.Day.Format(time.DateOnly),
		BaseURL: r.catalog.Site.BaseURL, License: r.catalog.Site.License, Entries: len(r.catalog.Lines),
		Listed: len(r.catalog.Order), Pages: wire.TotalPages(len(r.catalog.Order), 20), Rubric: score.RubricVersion,
		Artefacts: r.routes.artefacts(),
	}
}
