package query

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"slices"
)

// Found is a page of a published snapshot that has a hash, or whose manifest names it.
type Found struct {
	Snapshot, Route string
	Manifest        bool
}

// FindHash lists the pages that have a hash in the published snapshots, the
// present one first, and the snapshots that were searched.
func (l *Library) FindHash(sum [sha256.Size]byte) (found []Found, searched []string, err error) {
	for _, id := range l.published() {
		list, err := l.pages(id, sum)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it expired meanwhile
		}
		if err != nil {
			return nil, nil, err
		}
		found, searched = append(found, list...), append(searched, id)
	}
	return found, searched, nil
}

// pages lists those of a snapshot that have a hash. An older file is closed again: what is
// kept of it to answer faster would be the most of what this costs.
func (l *Library) pages(id string, sum [sha256.Size]byte) ([]Found, error) {
	if s := l.Current(); s != nil && id == s.ID {
		return s.File().pages(id, sum)
	}
	f, err := l.folder.open(id)
	if err != nil {
		return nil, err
	}
	defer f.file.Close()
	return f.pages(id, sum)
}

// Published tells whether a page of the snapshot has a hash.
func (l *Library) Published(id string, sum [sha256.Size]byte) bool {
	list, err := l.pages(id, sum)
	return err == nil && len(list) > 0
}

// published are the ids of the snapshots that lie in the folder: the present one,
// then the newest first by day.
func (l *Library) published() []string {
	_, current := l.Site()
	var ids []string
	for _, id := range slices.Backward(l.folder.ids()) {
		if id == current {
			ids = append([]string{current}, ids...)
		} else {
			ids = append(ids, id)
		}
	}
	return ids
}
