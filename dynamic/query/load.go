package query

import (
	"fmt"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/snapshot"
)

// load reads an encoded snapshot.
func (l *Library) load(id string) (*Snapshot, error) {
	e, err := l.shelf().open(id)
	if err != nil {
		return nil, err
	}
	defer e.close()
	l.hold(e.size)
	c, err := snapshot.Decode(e.head, e.lines, e.items)
	if err == nil && c.ID != id {
		err = fmt.Errorf("snapshot %s calls itself %s", id, c.ID)
	}
	if err != nil {
		return nil, err
	}
	if c.Through = e.through; c.Through == 0 {
		l.log.Warn("it is not known which changes the snapshot shows", "snapshot", id)
	}
	s := newSnapshot(c, l.gate)
	s.size, s.file = e.size, e.file
	l.addIndex(s, e)
	return s, nil
}

// addIndex opens the search index of a snapshot. One that cannot be read keeps
// nobody from the entries; searches are refused.
func (l *Library) addIndex(s *Snapshot, e *encoded) {
	seg, err := e.segment()
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
