package query

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Present is the current snapshot as a reader of files needs it.
type Present struct {
	// ID is "" before the first snapshot is read.
	ID string
	// Since is when the build completed it: a file of the tree that was not
	// written later belongs to it.
	Since time.Time
}

// Present tells which snapshot the files of the tree belong to.
func (l *Library) Present() Present {
	if p := l.present.Load(); p != nil {
		return *p
	}
	return Present{}
}

// Pending stands for a snapshot that is just being published: some of its pages
// lie in the tree already, and it has no name before all of them are made.
const Pending = "pending"

// Owner names the snapshot of a file that was found when p was present, by the
// time of the file and, when a build has begun since, by its hash in lower-case
// hex.
func (l *Library) Owner(p Present, modified time.Time, sum string) string {
	if modified.Before(p.Since) {
		return p.ID
	}
	var hash [sha256.Size]byte
	if n, err := hex.Decode(hash[:], []byte(sum)); err != nil || n != len(hash) {
		return Pending
	}
	matches, err := findIn(l.dir, p.ID, hash)
	if err != nil || len(matches) > 0 {
		// Without an index nothing speaks against the present snapshot.
		return p.ID
	}
	for _, id := range l.published() {
		if l.Published(id, hash) {
			return id
		}
	}
	return Pending
}
