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
	"github.com/assay-register/assay/render/wire"
)

// Pending stands for the snapshot that will be built next: documents of entries that
// changed are shown at once, and it has no name before it is built.
const Pending = wire.PendingSnapshot

// Over is the file that lies over a snapshot file: documents that changed since, and
// routes that are no more.
type Over struct {
	File
	routes map[string]bool
	// changes are the entries, for searches.
	changes []snapshot.Change
}

// Changed tells whether the overlay says something of a route; the document is in its file,
// unless the route is gone.
func (o *Over) Changed(route string) bool { return o.routes[route] }

// File is the snapshot file.
func (s *Snapshot) File() *File { return s.file.Load() }

// Over is what lies over the snapshot file, nil for nothing.
func (s *Snapshot) Over() *Over { return s.over.Load() }

// refreshOver reads the overlay of a snapshot if it is another one than before. One that
// cannot be read is left out: pages are then those of the snapshot.
func (l *Library) refreshOver(s *Snapshot) {
	info, err := os.Stat(filepath.Join(string(l.folder), snapshot.OverlayOf(s.ID)))
	if err != nil {
		s.over.Store(nil)
		s.overlay.Store(nil)
		return
	}
	if o := s.over.Load(); o != nil && sameFile(o.Info, info) {
		return
	}
	o, err := openOver(string(l.folder), s.ID)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.log.Error("pages do not show the latest changes", "snapshot", s.ID, "error", err)
	}
	s.over.Store(o)
	var changes []snapshot.Change
	if o != nil {
		changes = o.changes
	}
	if err := l.lay(s, changes); err != nil {
		l.log.Error("searches do not show the latest changes", "snapshot", s.ID, "error", err)
	}
}

func openOver(dir, id string) (*Over, error) {
	f, err := openFile(dir, snapshot.OverlayOf(id))
	if err != nil {
		return nil, err
	}
	o := &Over{File: *f, routes: map[string]bool{}}
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
	if in := o.Section(snapshot.ChangesPart); in != nil {
		if o.changes, err = snapshot.ReadChanges(in); err != nil {
			return nil, fmt.Errorf("%s: %w", snapshot.OverlayOf(id), err)
		}
	}
	for _, routes := range gone {
		for _, route := range routes {
			o.routes[route] = true
		}
	}
	return o, nil
}
