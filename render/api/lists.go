package api

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// PinnedPages is how many pinned list pages a snapshot has; an empty one has
// one empty page, so that the first link always leads somewhere.
func PinnedPages(c *snapshot.Catalog) int {
	return max(1, wire.TotalPages(len(c.Order), PageSize))
}

// pageRoom is what nearly every list page needs, in bytes.
const pageRoom = 128 << 10

// SnapshotPage renders list page n of the snapshot, counted from one.
func SnapshotPage(c *snapshot.Catalog, n int) (artifact.File, error) {
	route := "/s/" + c.ID + "/api/v1/entries/pages/" + itoa(n)
	p, err := page(c, n, wire.Path(c.Site, route))
	f := file(route, artifact.ClassList, &p)
	f.Cache, f.Quotes = artifact.Pinned, quotes(c, n)
	return f, err
}

// Default renders the list without parameters: its neighbours are pinned
// pages.
func Default(c *snapshot.Catalog) (artifact.File, error) {
	const route = "/api/v1/entries"
	p, err := page(c, 1, wire.Path(c.Site, route))
	return file(route, artifact.ClassList, &p), err
}

// quotes are the items on a page.
func quotes(c *snapshot.Catalog, n int) []artifact.Quote {
	list, at := make([]artifact.Quote, 0, PageSize), wire.ItemsAt
	for _, i := range on(c, n) {
		length := c.Lines[i].Item.Length
		list = append(list, artifact.Quote{Stream: snapshot.StreamItems, Ordinal: int(i), At: at, Length: length})
		at += length + 1
	}
	return list
}

// on are the ordinals of the entries on a page.
func on(c *snapshot.Catalog, n int) []int32 {
	first := (n - 1) * PageSize
	last := min(first+PageSize, len(c.Order))
	return c.Order[min(first, last):last]
}

func page(c *snapshot.Catalog, n int, self string) (wire.Sealed, error) {
	lines := make([]*snapshot.Line, 0, PageSize)
	for _, i := range on(c, n) {
		lines = append(lines, &c.Lines[i])
	}
	head := wire.PageHead{Total: len(c.Order), Page: n, Limit: PageSize, TotalPages: wire.TotalPages(len(c.Order), PageSize),
		Links: neighbours(n, PinnedPages(c), self, func(n int) string { return wire.PinnedPath(c.Site, c.ID, n) })}
	return wire.PageIn(artifact.Buffer(pageRoom), c, lines, head, c.AsOf)
}
