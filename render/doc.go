// Package render holds all that is pure: the domain and everything that is
// computed from it. Below it lie the model (catalog), the rules (score), the
// frozen catalog (snapshot) and the public shapes (wire); each format is a
// package of pure functions of a snapshot. Nothing here opens a file or a
// connection, asks the clock, or knows the wings that use it. render itself
// only lists the formats.
package render

import (
	"github.com/assay-register/assay/render/api"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/badge"
	"github.com/assay-register/assay/render/dcat"
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
	// Pieces makes what the entry adds to the documents that hold every
	// entry; Pinned and Whole find them in the catalog's Streams.
	Pieces func(*snapshot.Scored) ([]artifact.Piece, error)
	// Linked makes the files that set the entry at an ordinal beside others.
	Linked func(c *snapshot.Catalog, ordinal int) ([]artifact.File, error)
	// Pinned makes page n, counted from one, of the files that bear the
	// snapshot's name; Pages says how many there are.
	Pinned func(c *snapshot.Catalog, n int) (artifact.File, error)
	Pages  func(c *snapshot.Catalog) int
	// Whole makes the files about the whole catalog.
	Whole func(c *snapshot.Catalog, emit Emit) error
	// Index makes the file that leads to the pinned ones.
	Index func(c *snapshot.Catalog) (artifact.File, error)
}

// Formats lists every format of the register.
func Formats() []Format {
	d, i, p := dcat.New(dcat.Options{}), api.NewInstitutions(), pages.New()
	return []Format{
		{Name: "api", Entry: api.Entry, Linked: api.Linked, Pinned: api.Pinned, Pages: api.PinnedPages, Index: api.Default,
			Whole: func(c *snapshot.Catalog, emit Emit) error { return api.Whole(c, emit) }},
		{Name: "institutions", Linked: i.Linked, Pinned: i.Pinned, Pages: i.Pages, Index: i.Index},
		{Name: "dcat", Pieces: d.Pieces, Linked: d.Linked, Pinned: d.Pinned, Pages: d.Pages, Whole: d.Whole},
		{Name: "badge", Entry: badge.Entry},
		{Name: "okf", Pieces: okf.Pieces, Linked: okf.Linked, Whole: okf.Whole},
		{Name: "export", Pieces: export.Pieces, Whole: export.Whole},
		{Name: "feed", Pieces: feed.Pieces, Linked: feed.Linked, Whole: feed.Whole},
		{Name: "pages", Pieces: p.Pieces, Linked: p.Linked,
			Whole: func(c *snapshot.Catalog, emit Emit) error { return p.Whole(c, emit) }},
		{Name: "discovery", Pieces: discovery.Pieces, Whole: discovery.Whole},
	}
}
