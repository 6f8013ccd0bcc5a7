package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// item is one object that the bucket shall hold.
type item struct {
	line
	// route is that of the bytes, path theirs in a tree; "" for an object that is
	// made of one in the bucket, from. form is the compressed one that is stored.
	route, path, from string
	form              *output.Form
	object            bucket.Object
}

// table lists the objects of a site in the order of their keys.
type table struct {
	site  Site
	built output.Site
	items []item
}

// readTable lists the objects that a built site becomes.
func readTable(ctx context.Context, s Site, built output.Site) ([]item, error) {
	t := &table{site: s, built: built}
	err := output.EachRoute(ctx, built, func(l *wire.RouteLine) error {
		return t.add(l.Route, l.Type, artifact.Class(l.Class), l.SHA256, int64(l.Bytes))
	})
	if err == nil {
		err = t.books(ctx)
	}
	if err != nil {
		return nil, err
	}
	// The copy of a document that is compressed for readers may be its
	// compressed form, too; it is stored as the route that it is.
	slices.SortFunc(t.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.object.Encoding, b.object.Encoding))
	})
	t.items = slices.CompactFunc(t.items, func(a, b item) bool { return a.Key == b.Key })
	return t.items, nil
}

// books adds what no list of routes can name: the list itself, the page about
// the snapshot, and the reports about the finished site.
func (t *table) books(ctx context.Context) error {
	for _, f := range []struct{ route, media string }{{"/routes.ndjson", artifact.NDJSON}, {"/snapshot.json", artifact.JSON}} {
		if err := t.file(ctx, t.built, f.route, f.media); err != nil {
			return err
		}
	}
	reports, err := os.ReadDir(filepath.Join(t.site.Root, "reports"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, r := range reports {
		if err := ctx.Err(); err != nil {
			return err
		}
		if route := "/reports/" + r.Name(); r.Type().IsRegular() && artifact.HasExtension(route) {
			if err := t.file(ctx, output.Dir(t.site.Root), route, artifact.TypeOf(route[1:])); err != nil {
				return err
			}
		}
	}
	return nil
}

// file adds a file whose hash nobody has noted.
func (t *table) file(ctx context.Context, from output.Pages, route, media string) error {
	f, err := from.Open(ctx, route, media)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return fmt.Errorf("%s: %w", route, err)
	}
	return t.add(route, media, artifact.ClassCatalog, hex.EncodeToString(sum.Sum(nil)), size)
}

// add lists a route with, where the keys are those of files, its compressed
// forms.
func (t *table) add(route, media string, class artifact.Class, sum string, size int64) error {
	path := artifact.Path(route, media)
	i := item{line: line{Key: t.site.Keys.Of(route, media), Rank: rankOf(route, class)}, route: route, path: path,
		object: bucket.Object{Type: typeOf(path, media), Cache: wire.CacheOf(route)}}
	if strings.HasPrefix(i.Key, hidden) {
		return fmt.Errorf("%s: a route cannot lie where the bucket keeps its books", route)
	}
	forms := t.built.Forms(path, media, size)
	if t.site.Keys == ByFile {
		for _, form := range forms {
			t.put(i, i.Key+form.Ext, &form, sum)
		}
	} else if at := slices.IndexFunc(forms, func(f output.Form) bool { return f.Ext == ".gz" }); t.site.Gzip && at >= 0 {
		t.put(i, i.Key, &forms[at], sum)
		return nil
	}
	t.put(i, i.Key, nil, sum)
	return nil
}

// typeOf is the media type that the service answers with; the list of routes
// leaves parameters out of some.
func typeOf(path, media string) string {
	if t := artifact.TypeOf(path); t != artifact.Unknown {
		return t
	}
	return media
}

// put appends an item in a form. Its version is a digest of all that its object
// is made of.
func (t *table) put(i item, key string, form *output.Form, sum string) {
	i.Key, i.form = key, form
	if form != nil {
		i.object.Encoding = form.Coding
	}
	digest := sha256.Sum256([]byte(strings.Join([]string{sum, i.object.Type, i.object.Encoding, i.object.Cache}, "\n")))
	i.Version = hex.EncodeToString(digest[:12])
	t.items = append(t.items, i)
}
