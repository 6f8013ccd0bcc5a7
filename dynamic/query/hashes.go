package query

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/snapshot"
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
		matches, err := findIn(l.dir, id, sum)
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
	matches, err := findIn(l.dir, id, sum)
	return err == nil && len(matches) > 0
}

func findIn(dir, id string, sum [sha256.Size]byte) ([]hashindex.Match, error) {
	f, err := os.OpenInRoot(dir, filepath.Join(hidden, id, hashindex.File))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := hashindex.Open(f)
	if err != nil {
		return nil, err
	}
	return x.Find(sum)
}

// published are the ids of the snapshots that lie in the tree: the present one,
// then the newest first by day.
func (l *Library) published() []string {
	names, err := os.ReadDir(filepath.Join(l.dir, hidden))
	if err != nil {
		return nil
	}
	_, current := l.Site()
	var ids []string
	for _, n := range slices.Backward(names) {
		switch {
		case !snapshot.IsID(n.Name()):
		case n.Name() == current:
			ids = append([]string{current}, ids...)
		default:
			ids = append(ids, n.Name())
		}
	}
	return ids
}
