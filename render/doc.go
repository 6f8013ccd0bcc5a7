// Package render holds all that is pure: the domain and everything that is
// computed from it. Below it lie the model (catalog), the rules (score), the
// frozen catalog (snapshot) and the public shapes (wire); each format is a
// package of pure functions of a snapshot. Nothing here opens a file or a
// connection, asks the clock, or knows the wings that use it. render itself
// only lists the formats.
package render

import (
	"time"

	"github.com/assay-register/assay/render/api"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/badge"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/dcat/dcatus"
	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/feed"
	"github.com/assay-register/assay/render/okf"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
)

// Emit takes one finished file.
type Emit = func(artifact.File) error

// Format is one family of files made from a snapshot. A nil function means
// that the format has no such files.
type Format struct {
	Name string
	// Entry makes the files that show one entry alone, before the snapshot
	// is finished.
	Entry func(*snapshot.Scored) ([]artifact.File, error)
	// Fragments makes what the entry adds to the documents that hold every
	// entry; SnapshotPage and Aggregates find them in the catalog's Streams.
	Fragments func(*snapshot.Scored) ([]artifact.Fragment, error)
	// Lasts is the last UTC day on which Entry and Fragments make the same of an entry that is
	// judged as it is now, nil for all days.
	Lasts func(*snapshot.Scored) time.Time
	// Related makes the files that set the entry at an ordinal beside others.
	Related func(c *snapshot.Catalog, ordinal int) ([]artifact.File, error)
	// Beside is a hash of what Related shows besides what snapshot.Catalog.Beside sums up, nil for
	// nothing.
	Beside func(c *snapshot.Catalog, ordinal int) uint64
	// Row is a hash of what lists show of an entry besides its line, nil for nothing.
	Row func(*snapshot.Scored) uint64
	// SnapshotPage makes page n, counted from one, of the files that bear the
	// snapshot's name; Pages says how many there are.
	SnapshotPage func(c *snapshot.Catalog, n int) (artifact.File, error)
	Pages        func(c *snapshot.Catalog) int
	// Aggregates makes the files about the whole catalog.
	Aggregates func(c *snapshot.Catalog, emit Emit) error
	// Index makes the files that lead to the pinned ones.
	Index func(c *snapshot.Catalog) ([]artifact.File, error)
}

// only is an index of one file.
func only(index func(*snapshot.Catalog) (artifact.File, error)) func(*snapshot.Catalog) ([]artifact.File, error) {
	return func(c *snapshot.Catalog) ([]artifact.File, error) {
		file, err := index(c)
		return []artifact.File{file}, err
	}
}

// Formats lists every format of the register.
func Formats() []Format {
	d, i, p := dcat.New(dcat.Options{}), api.NewInstitutions(), pages.New()
	return []Format{
		{Name: "api", Entry: api.Entry, Related: api.Related, SnapshotPage: api.SnapshotPage, Pages: api.PinnedPages, Index: only(api.Default),
			Aggregates: func(c *snapshot.Catalog, emit Emit) error { return api.Aggregates(c, emit) }},
		{Name: "institutions", Related: i.Related, Beside: i.Beside, SnapshotPage: i.SnapshotPage, Pages: i.Pages, Index: only(i.Index)},
		{Name: "dcat", Fragments: d.Fragments, Related: d.Related, SnapshotPage: d.SnapshotPage, Pages: d.Pages, Aggregates: d.Aggregates, Index: d.Start},
		{Name: "dcat-us", Fragments: dcatus.Fragments, Aggregates: dcatus.Aggregates},
		{Name: "badge", Entry: badge.Entry},
		{Name: "okf", Fragments: okf.Fragments, Lasts: okf.Lasts, Related: okf.Related, Aggregates: okf.Aggregates},
		{Name: "export", Fragments: export.Fragments, Aggregates: export.Aggregates},
		{Name: "feed", Entry: feed.Entry, Fragments: feed.Fragments, Lasts: feed.Lasts, Related: feed.Related, Aggregates: feed.Aggregates},
		{Name: "pages", Fragments: p.Fragments, Related: p.Related, Beside: p.Beside, Row: pages.Row,
			Aggregates: func(c *snapshot.Catalog, emit Emit) error { return p.Aggregates(c, emit) }},
		{Name: "discovery", Fragments: discovery.Fragments, Aggregates: discovery.Aggregates},
	}
}
