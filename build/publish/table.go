package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// item is one object that the bucket shall hold, and where its bytes are: those of a
// document of the site, of an object in the bucket, of a file, or a text. With none of
// these it lies in the bucket already.
type item struct {
	line
	// Document is that of a route; Form the extension of the compressed form that is
	// stored, "" for the document itself. One object of each route is the Main one.
	Document *wire.RouteLine `json:"document,omitempty"`
	Form     string          `json:"form,omitempty"`
	Main     bool            `json:"main,omitempty"`
	From     string          `json:"from,omitempty"`
	File     string          `json:"file,omitempty"`
	Text     string          `json:"text,omitempty"`
	// Type and Cache describe a file or a text.
	Type  string `json:"type,omitempty"`
	Cache string `json:"cache,omitempty"`
}

// object describes an item to who reads it, but for its size.
func (i *item) object() bucket.Object {
	if i.Document == nil {
		return bucket.Object{Type: i.Type, Cache: i.Cache}
	}
	o := bucket.Object{Type: typeOf(artifact.Path(i.Document.Route, i.Document.Type), i.Document.Type), Cache: wire.CacheOf(i.Document.Route)}
	if f := output.FormOf(i.Form); f != nil {
		o.Encoding = f.Coding
	}
	return o
}

// typeOf is the media type that the service answers with; the list of routes
// leaves parameters out of some.
func typeOf(path, media string) string {
	if t := artifact.TypeOf(path); t != artifact.Unknown {
		return t
	}
	return media
}

// version is a digest of all that the object is made of.
func (i *item) version() string {
	o := i.object()
	digest := sha256.Sum256([]byte(strings.Join([]string{i.Document.SHA256, o.Type, o.Encoding, o.Cache}, "\n")))
	return hex.EncodeToString(digest[:12])
}

// table lists the objects of a site in the order of their keys.
type table struct {
	site  Site
	built *output.SnapshotFile
	items *spool.Sorted[item]
}

// readTable lists the objects that a built site becomes.
func readTable(ctx context.Context, s Site, built *output.SnapshotFile) (*table, error) {
	t := &table{site: s, built: built, items: spool.NewSorted(func(a, b *item) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Form, b.Form))
	})}
	err := built.Each(ctx, t.add)
	if err == nil {
		err = output.Reports(ctx, s.reports(), t.add)
	}
	return t, err
}

// all yields the objects. The copy of a document that is compressed for readers may be
// its compressed form, too; it is stored as the route that it is.
func (t *table) all() iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		last := ""
		for i, err := range t.items.All() {
			if err == nil && i.Key == last {
				continue
			}
			if last = i.Key; !yield(i, err) {
				return
			}
		}
	}
}

// add lists a document with, where the keys are those of files, its compressed
// forms.
func (t *table) add(l *wire.RouteLine) error {
	key := t.site.Keys.Of(l.Route, l.Type)
	if strings.HasPrefix(key, hidden) {
		return fmt.Errorf("%s: a route cannot lie where the bucket keeps its books", l.Route)
	}
	document := *l
	i := item{line: line{Key: key, Rank: rankOf(l.Route, artifact.Class(l.Class))}, Document: &document}
	if check.IsEntry(l) {
		i.Entry = l.Route
	}
	forms := output.Forms(l.Type, int64(l.Bytes))
	if t.site.Keys == bucket.ByFile {
		for _, form := range forms {
			if err := t.put(i, form.Ext, form.Ext, false); err != nil {
				return err
			}
		}
	} else if t.site.Gzip && slices.ContainsFunc(forms, func(f output.Form) bool { return f.Ext == gzipForm }) {
		return t.put(i, "", gzipForm, true)
	}
	return t.put(i, "", "", true)
}

// gzipForm is the extension of the form that is stored on demand in place of a document.
const gzipForm = ".gz"

func (t *table) put(i item, suffix, form string, main bool) error {
	i.Key += suffix
	i.Form, i.Main = form, main
	if !main {
		i.Entry = ""
	}
	if form == "" {
		i.Size = int64(i.Document.Bytes)
	}
	i.Version = i.version()
	return t.items.Add(i)
}

// rank is when an object is written: those of a lower rank come first, so that
// what leads to others follows them.
type rank int

const (
	// rankEntry are the pages about one entry.
	rankEntry rank = iota
	// rankPinned are the list pages under a snapshot's name.
	rankPinned
	// rankWhole are the documents about the catalog.
	rankWhole
	// rankLead are the documents that readers begin with.
	rankLead
	rankRoutes
	// rankSnapshot is the page by which a reader learns of the new snapshot.
	rankSnapshot
)

// leads are the routes that readers begin with.
var leads = []string{"/", "/api/v1/entries", "/api/v1/institutions", "/llms.txt", "/robots.txt", "/sitemap.xml"}

func rankOf(route string, class artifact.Class) rank {
	switch {
	case route == "/snapshot.json":
		return rankSnapshot
	case route == "/routes.ndjson":
		return rankRoutes
	case slices.Contains(leads, route) || strings.HasPrefix(route, "/.well-known/"):
		return rankLead
	case strings.HasPrefix(route, "/s/"):
		return rankPinned
	}
	switch class {
	case artifact.ClassEntry, artifact.ClassEntryPart, "badge", "dcat-entry":
		return rankEntry
	}
	return rankWhole
}
