package query

import (
	"encoding/json"
	"errors"
	"fmt"
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
	c, err := snapshot.Decode(head, lines, items)
	if err == nil && c.ID != id {
		err = fmt.Errorf("snapshot %s calls itself %s", id, c.ID)
	}
	if err != nil {
		return nil, errors.Join(err, items.Close())
	}
	s := newSnapshot(c, l.gate)
	l.addIndex(s)
	return s, nil
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
