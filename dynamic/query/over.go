package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

// Over is the file that lies over a snapshot file: documents that changed since, and
// routes that are no more.
type Over struct {
	File
	base   string
	routes map[string]bool
}

// Changed tells whether the overlay says something of a route; the document is in its file,
// unless the route is gone.
func (o *Over) Changed(route string) bool { return o.routes[route] }

// Over is what lies over the present snapshot file, nil for nothing.
func (l *Library) Over() *Over {
	o, s := l.over.Load(), l.Current()
	if o == nil || s == nil || o.base != s.ID {
		return nil
	}
	return o
}

// refreshOver reads the overlay of a snapshot if it is another one than before. One that
// cannot be read is left out: pages are then those of the snapshot.
func (l *Library) refreshOver(id string) {
	if _, ok := l.shelf().(files); !ok {
		return
	}
	name := snapshot.OverlayOf(id)
	info, err := os.Stat(filepath.Join(l.dir, name))
	if err != nil {
		l.over.Store(nil)
		return
	}
	if o := l.over.Load(); o != nil && o.base == id && sameFile(o.Info, info) {
		return
	}
	o, err := openOver(l.dir, id)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.log.Error("pages do not show the latest changes", "snapshot", id, "error", err)
	}
	l.over.Store(o)
}

func openOver(dir, id string) (*Over, error) {
	f, err := openNamed(dir, snapshot.OverlayOf(id))
	if err != nil {
		return nil, err
	}
	o := &Over{File: *f, base: id, routes: map[string]bool{}}
	err = o.Each(func(d *pack.Found) error {
		o.routes[d.Document.Route] = true
		if d.Document.Alias != "" {
			o.routes[d.Document.Alias] = true
		}
		return nil
	})
	in := o.Section(snapshot.GonePart)
	if err != nil || in == nil {
		return nil, fmt.Errorf("%s: %w", snapshot.OverlayOf(id), errors.Join(err, pack.ErrForm))
	}
	var gone map[string][]string
	if err := json.NewDecoder(in).Decode(&gone); err != nil {
		return nil, fmt.Errorf("%s: %w", snapshot.OverlayOf(id), err)
	}
	for _, routes := range gone {
		for _, route := range routes {
			o.routes[route] = true
		}
	}
	return o, nil
}
