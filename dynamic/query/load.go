package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/snapshot"
)

// hidden is the directory of the encoded snapshots in a tree.
const hidden = ".assay"

// currentID reads which snapshot the tree names.
func currentID(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, pageFile))
	if err != nil {
		return "", err
	}
	var page struct {
		Snapshot string `json:"snapshot"`
	}
	if err := json.Unmarshal(b, &page); err != nil {
		return "", fmt.Errorf("%s: %w", pageFile, err)
	}
	if !snapshot.IsID(page.Snapshot) {
		return "", fmt.Errorf("%s names no snapshot", pageFile)
	}
	return page.Snapshot, nil
}

// published tells whether an encoded snapshot lies in the tree.
func published(dir, id string) bool {
	_, err := os.Stat(filepath.Join(dir, hidden, id, snapshot.HeadFile))
	return err == nil
}

// load reads an encoded snapshot. Its items stay open for as long as anything
// refers to it, also when the tree drops them; the garbage collector closes
// them.
func (l *Library) load(id string) (*Snapshot, error) {
	dir := filepath.Join(hidden, id)
	head, err := os.OpenInRoot(l.dir, filepath.Join(dir, snapshot.HeadFile))
	if err != nil {
		return nil, err
	}
	defer head.Close()
	lines, err := os.OpenInRoot(l.dir, filepath.Join(dir, snapshot.LinesFile))
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	items, err := os.OpenInRoot(l.dir, filepath.Join(dir, snapshot.ItemsFile))
	if err != nil {
		return nil, err
	}
	size := int64(0)
	if info, err := lines.Stat(); err == nil {
		size = info.Size()
	}
	l.hold(size)
	c, err := snapshot.Decode(head, lines, items)
	if err == nil && c.ID != id {
		err = fmt.Errorf("snapshot %s calls itself %s", id, c.ID)
	}
	if err != nil {
		return nil, errors.Join(err, items.Close())
	}
	c.Through = l.through(id)
	s := newSnapshot(c, l.gate)
	s.size = size
	l.addIndex(s)
	return s, nil
}

// through is the last event that a snapshot shows, 0 if an older release built
// it.
func (l *Library) through(id string) int64 {
	f, err := os.OpenInRoot(l.dir, filepath.Join(hidden, id, snapshot.ThroughFile))
	if err != nil {
		return 0
	}
	defer f.Close()
	var n int64
	if _, err := fmt.Fscan(io.LimitReader(f, 32), &n); err != nil {
		l.log.Warn("it is not known which changes the snapshot shows", "snapshot", id, "error", err)
	}
	return n
}

// addIndex opens the search index of a snapshot. One that cannot be read keeps
// nobody from the entries; searches are refused.
func (l *Library) addIndex(s *Snapshot) {
	seg, err := l.openSegment(s.ID)
	switch {
	case err != nil:
		l.log.Error("the snapshot cannot be searched", "error", err)
	case seg == nil:
		l.log.Warn("the snapshot has no search index; build the site again with this release", "snapshot", s.ID)
	case seg.Documents() != len(s.Lines):
		l.log.Error("the search index is of another snapshot", "documents", seg.Documents(), "entries", len(s.Lines))
	default:
		s.engine = engine.New(seg, l.heavy)
		s.columns()
	}
}
