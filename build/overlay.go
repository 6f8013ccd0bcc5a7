package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

// overlayMax bounds the groups of an overlay, which is written anew with each
// change: what changes more waits for the next build.
const overlayMax = 4000

// overlay is what changed since a snapshot file: one small file of the same form
// (decisions-2 §F), which is replaced as a whole.
type overlay struct {
	folder     string
	base       *output.SnapshotFile
	lock       *os.File
	groups     map[string]*pack.Group
	compressor pack.Compressor
	// gone are routes that were taken away, by the key that they belonged to.
	gone    map[string][]string
	changed bool
}

// openOverlay reads the overlay of the present snapshot file, and keeps others from it
// until it is closed.
func openOverlay(folder string) (*overlay, error) {
	o := &overlay{folder: folder}
	var err error
	if o.lock, err = lockOverlay(folder); err != nil {
		return nil, err
	}
	if o.base, err = output.OpenPresent(folder); err == nil && o.base == nil {
		err = errNoSite
	}
	if err == nil {
		o.groups, o.gone, err = readOverlay(folder, o.base.ID)
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

// lockOverlay waits until nobody else changes the overlays of a folder, or presents another
// file there. The lock ends with the file.
func lockOverlay(folder string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Join(folder, output.HiddenDir), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(folder, output.HiddenDir, "overlay.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock the overlay: %w", err), f.Close())
	}
	return f, nil
}

// readOverlay reads what lies over a snapshot, nothing where there is no overlay.
func readOverlay(folder, id string) (groups map[string]*pack.Group, gone map[string][]string, err error) {
	groups, gone = map[string]*pack.Group{}, map[string][]string{}
	s, err := output.OpenSnapshot(filepath.Join(folder, snapshot.OverlayOf(id)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, pack.ErrForm) {
		return groups, gone, nil // one of another release shows less than the next build
	}
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	err = s.Pack.EachGroup(func(g *pack.Group) error {
		groups[g.Key] = g
		return nil
	})
	if in := s.Pack.Section(snapshot.GonePart); err == nil && in != nil {
		err = json.NewDecoder(in).Decode(&gone)
	}
	return groups, gone, err
}

// place puts what formats made under a key, or takes it away.
func (o *overlay) place(key string, made [][]artifact.File, visible bool) error {
	if !visible {
		o.drop(key, made)
		return nil
	}
	return o.put(key, made)
}

var errNoSite = errors.New("no site was built here")

// put takes what formats made, a list for each, of what belongs together under a key;
// drop takes that away.
func (o *overlay) put(key string, made [][]artifact.File) error {
	if _, known := o.groups[key]; !known && len(o.groups) >= overlayMax {
		return nil
	}
	g, err := o.compressor.Compress(key, slices.Concat(made...))
	if err != nil {
		return err
	}
	o.groups[key], o.changed = g, true
	delete(o.gone, key)
	return nil
}

func (o *overlay) drop(key string, made [][]artifact.File) {
	var routes []string
	for _, files := range made {
		for i := range files {
			for _, route := range []string{files[i].Route, files[i].Alias} {
				if route != "" {
					routes = append(routes, route)
				}
			}
		}
	}
	delete(o.groups, key)
	o.gone[key], o.changed = routes, true
}

// end lets readers see what was put.
func (o *overlay) end() error {
	if !o.changed {
		return nil
	}
	return writeOverlay(o.folder, o.base.ID, o.groups, o.gone)
}

func (o *overlay) close() error {
	o.compressor.Close()
	var err error
	if o.base != nil {
		err = o.base.Close()
	}
	return errors.Join(err, o.lock.Close())
}

// writeOverlay replaces what lies over a snapshot.
func writeOverlay(folder, id string, groups map[string]*pack.Group, gone map[string][]string) error {
	tmp := filepath.Join(folder, output.HiddenDir, snapshot.OverlayOf(id))
	out, err := os.Create(tmp)
	if err != nil {
		return err
	}
	err = encodeOverlay(out, groups, gone)
	if err := errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return os.Rename(tmp, filepath.Join(folder, snapshot.OverlayOf(id)))
}

func encodeOverlay(out *os.File, groups map[string]*pack.Group, gone map[string][]string) error {
	w := pack.NewWriter(out)
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		if err := w.Append(groups[key]); err != nil {
			return err
		}
	}
	b, err := json.Marshal(gone)
	if err != nil {
		return err
	}
	if err := w.Section(snapshot.GonePart, bytes.NewReader(b)); err != nil {
		return err
	}
	_, err = w.Close()
	return err
}

// carry lays over a snapshot that is about to be presented what changed while it was
// built. The caller holds the lock.
func carry(folder, from, to string, live func(entry string) bool) error {
	groups, gone, err := readOverlay(folder, from)
	if err != nil {
		return err
	}
	stale := func(key string) bool {
		_, entry, _ := strings.Cut(key, " ")
		return live == nil || !live(entry)
	}
	maps.DeleteFunc(groups, func(key string, _ *pack.Group) bool { return stale(key) })
	maps.DeleteFunc(gone, func(key string, _ []string) bool { return stale(key) })
	if len(groups)+len(gone) > 0 {
		return writeOverlay(folder, to, groups, gone)
	}
	if err := os.Remove(filepath.Join(folder, snapshot.OverlayOf(to))); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
