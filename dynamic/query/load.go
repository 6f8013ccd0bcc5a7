package query

import (
	"fmt"

	"github.com/assay-register/assay/dynamic/query/engine"
)

// load reads a snapshot from its file.
func (l *Library) load(id string) (*Snapshot, error) {
	file, err := l.folder.open(id)
	if err != nil {
		return nil, err
	}
	parts, err := file.encoded()
	if err != nil {
		return nil, err
	}
	l.hold(parts.lines.Size())
	c, err := parts.decode()
	if err == nil && c.ID != id {
		err = fmt.Errorf("it calls itself %s", c.ID)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Info.Name(), err)
	}
	s := newSnapshot(c, l.gate)
	s.size = parts.lines.Size()
	s.file.Store(file)
	l.addIndex(s, file)
	return s, nil
}

// addIndex opens the search index of a snapshot. One that cannot be read keeps
// nobody from the entries; searches are refused.
func (l *Library) addIndex(s *Snapshot, file *File) {
	seg, err := file.segment()
	switch {
	case err != nil:
		l.log.Error("the snapshot cannot be searched", "error", err)
	case seg == nil:
		l.log.Warn("the snapshot has no search index; build the site again with this release", "snapshot", s.ID)
	case seg.Documents() != len(s.Lines):
		l.log.Error("the search index is of another snapshot", "documents", seg.Documents(), "entries", len(s.Lines))
	default:
		s.engine = engine.New(seg, l.heavy)
		// What the first searches would wait for.
		s.columns()
		s.subjects()
		s.Series()
	}
}

// File is the snapshot file of one of the snapshots, nil where there is none.
func (l *Library) File(id string) *File {
	if s := l.Current(); s != nil && id == s.ID {
		return s.File()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.folder.has(id) {
		delete(l.opened, id)
		return nil
	}
	f := l.opened[id]
	if f == nil {
		var err error
		if f, err = l.folder.open(id); err != nil {
			l.log.Error("a snapshot file cannot be read", "snapshot", id, "error", err)
			return nil
		}
		l.opened[id] = f
	}
	return f
}
