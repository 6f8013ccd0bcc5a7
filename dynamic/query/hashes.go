package query

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"slices"

	"github.com/assay-register/assay/render/hashindex"
)

// Found is a page of a published snapshot that has a hash.
type Found struct {
	Snapshot string
	hashindex.Match
}

// FindHash lists the pages that have a hash in the published snapshots, the
// present one first, and the snapshots that were searched. One without an
// index, as an older release built it, is not.
func (l *Library) FindHash(sum [sha256.Size]byte) (found []Found, searched []string, err error) {
	for _, id := range l.published() {
		matches, err := l.shelf().find(id, sum)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		searched = append(searched, id)
		for _, m := range matches {
			found = append(found, Found{id, m})
		}
	}
	return found, searched, nil
}

// Published tells whether a page of the snapshot has a hash.
func (l *Library) Published(id string, sum [sha256.Size]byte) bool {
	matches, err := l.shelf().find(id, sum)
	return err == nil && len(matches) > 0
}

// published are the ids of the snapshots that lie on the shelf: the present one,
// then the newest first by day.
func (l *Library) published() []string {
	_, current := l.Site()
	var ids []string
	for _, id := range slices.Backward(l.shelf().ids()) {
		if id == current {
			ids = append([]string{current}, ids...)
		} else {
			ids = append(ids, id)
		}
	}
	return ids
}
