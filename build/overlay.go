package build

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

// overlayMax bounds the groups of an overlay, which is written anew with each
// change: what changes more waits for the next build.
const overlayMax = 4000

// overlay is what changed since a snapshot file: one small file of the same form
// (decisions-2 §F), which is replaced as a whole.
type overlay struct {
	folder string
	base   *output.SnapshotFile
	lock   *os.File
	laid
	compressor pack.Compressor
	changed    bool
}

// laid is what an overlay holds.
type laid struct {
	groups map[string]*pack.Group
	// gone are routes that were taken away, by the key that they belonged to.
	gone map[string][]string
	// changes are encoded changes of entries (snapshot.Change), by their ids.
	changes map[string]json.RawMessage
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
		o.laid, err = readOverlay(folder, o.base.ID)
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
func readOverlay(folder, id string) (laid, error) {
	out := laid{map[string]*pack.Group{}, map[string][]string{}, map[string]json.RawMessage{}}
	s, err := output.OpenSnapshot(filepath.Join(folder, snapshot.OverlayOf(id)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, pack.ErrForm) {
		return out, nil // one of another release shows less than the next build
	}
	if err != nil {
		return out, err
	}
	defer s.Close()
	err = s.Pack.EachGroup(func(g *pack.Group) error {
		out.groups[g.Key] = g
		return nil
	})
	if in := s.Pack.Section(snapshot.GonePart); err == nil && in != nil {
		err = json.NewDecoder(in).Decode(&out.gone)
	}
	if in := s.Pack.Section(snapshot.ChangesPart); err == nil && in != nil {
		err = readChanges(in, out.changes)
	}
	return out, err
}

// readChanges reads changes as they are encoded.
func readChanges(in io.Reader, into map[string]json.RawMessage) error {
	for dec := json.NewDecoder(bufio.NewReader(in)); dec.More(); {
		var line json.RawMessage
		var of struct {
			ID string `json:"id"`
		}
		if err := errors.Join(dec.Decode(&line), json.Unmarshal(line, &of)); err != nil {
			return err
		}
		into[of.ID] = line
	}
	return nil
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
	if old := o.groups[key]; old == nil || !old.Equal(g) || o.gone[key] != nil {
		o.groups[key], o.changed = g, true
		delete(o.gone, key)
	}
	return nil
}

// tell takes an entry as it is now, for lists and searches.
func (o *overlay) tell(c *snapshot.Change) error {
	old, known := o.changes[c.ID]
	if !known && len(o.changes) >= snapshot.OverlayMax {
		return nil
	}
	line, err := jsonx.Marshal(c)
	if err == nil && !bytes.Equal(line, old) {
		o.changes[c.ID], o.changed = line, true
	}
	return err
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
	if o.groups[key] == nil && slices.Equal(o.gone[key], routes) {
		return
	}
	delete(o.groups, key)
	o.gone[key], o.changed = routes, true
}

// end lets readers see what was put.
func (o *overlay) end() error {
	if !o.changed {
		return nil
	}
	return writeOverlay(o.folder, o.base.ID, &o.laid)
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
func writeOverlay(folder, id string, l *laid) error {
	tmp := filepath.Join(folder, output.HiddenDir, snapshot.OverlayOf(id))
	out, err := os.Create(tmp)
	if err != nil {
		return err
	}
	err = l.encode(out)
	// Servers that run as somebody else read it beside the snapshot, whatever the umask of a service is.
	if err := errors.Join(err, out.Chmod(0o644), out.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return os.Rename(tmp, filepath.Join(folder, snapshot.OverlayOf(id)))
}

func (l *laid) encode(out *os.File) error {
	w := pack.NewWriter(out)
	for _, key := range slices.Sorted(maps.Keys(l.groups)) {
		if err := w.Append(l.groups[key]); err != nil {
			return err
		}
	}
	b, err := json.Marshal(l.gone)
	if err != nil {
		return err
	}
	var changes bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(l.changes)) {
		changes.Write(l.changes[id])
		changes.WriteByte('\n')
	}
	if err := errors.Join(w.Section(snapshot.GonePart, bytes.NewReader(b)), w.Section(snapshot.ChangesPart, &changes)); err != nil {
		return err
	}
	_, err = w.Close()
	return err
}

// carry lays over a snapshot that is about to be presented what changed while it was
// built. The caller holds the lock.
func carry(folder, from, to string, live func(entry string) bool) error {
	l, err := readOverlay(folder, from)
	if err != nil {
		return err
	}
	stale := func(key string) bool {
		_, entry, _ := strings.Cut(key, " ")
		return live == nil || !live(entry)
	}
	maps.DeleteFunc(l.groups, func(key string, _ *pack.Group) bool { return stale(key) })
	maps.DeleteFunc(l.gone, func(key string, _ []string) bool { return stale(key) })
	maps.DeleteFunc(l.changes, func(id string, _ json.RawMessage) bool { return live == nil || !live(id) })
	if len(l.groups)+len(l.gone)+len(l.changes) > 0 {
		return writeOverlay(folder, to, &l)
	}
	if err := os.Remove(filepath.Join(folder, snapshot.OverlayOf(to))); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
