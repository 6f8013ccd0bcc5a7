package query

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// Present is the current snapshot as a reader of files needs it.
type Present struct {
	// ID is "" before the first snapshot is read.
	ID string
	// Since is when the build completed it: a file of the tree that was not
	// written later belongs to it.
	Since time.Time
	// beside are pages that are newer than the snapshot although their files
	// are not: they were refreshed while it was being built.
	beside *refreshed
}

// refreshed are hashes of pages in lower-case hex.
type refreshed map[string]bool

// readRefreshed reads which pages were written beside the builds, nil if none
// was.
func readRefreshed(dir string) *refreshed {
	list, err := os.ReadDir(filepath.Join(dir, hidden, snapshot.RefreshedDir))
	if err != nil || len(list) == 0 {
		return nil
	}
	r := refreshed{}
	for _, d := range list {
		r[d.Name()] = true
	}
	return &r
}

func (r *refreshed) has(sum string) bool { return r != nil && (*r)[sum] }

// Present tells which snapshot the files of the tree belong to.
func (l *Library) Present() Present {
	if p := l.present.Load(); p != nil {
		return *p
	}
	return Present{}
}

// Pending stands for the snapshot that will be built next: pages of entries that
// changed are written at once, and it has no name before it is built.
const Pending = "pending"

// Owner names the snapshot of a file that was found when p was present, by the
// time of the file and, when a build has begun or an entry changed since, by its
// hash in lower-case hex.
func (l *Library) Owner(p Present, modified time.Time, sum string) string {
	if _, ok := l.shelf().(files); ok || modified.Before(p.Since) && !p.beside.has(sum) {
		return p.ID
	}
	var hash [sha256.Size]byte
	if n, err := hex.Decode(hash[:], []byte(sum)); err != nil || n != len(hash) {
		return Pending
	}
	matches, err := l.shelf().find(p.ID, hash)
	if err != nil || len(matches) > 0 {
		// Without an index nothing speaks against the present snapshot.
		return p.ID
	}
	for _, id := range l.published() {
		if l.Published(id, hash) {
			return id
		}
	}
	return l.underway(modified, sum)
}

// underway names the snapshot that a build is putting into the tree, Pending for
// a page that is none of its.
func (l *Library) underway(modified time.Time, sum string) string {
	mark, err := os.Open(filepath.Join(l.dir, hidden, snapshot.UnderwayFile))
	if err != nil {
		return Pending // there is no build
	}
	defer mark.Close()
	info, err := mark.Stat()
	if err != nil || modified.Before(info.ModTime()) || !locked(mark) {
		return Pending // the page, or the mark, is from a build that was killed
	}
	if _, err := os.Stat(filepath.Join(l.dir, hidden, snapshot.RefreshedDir, sum)); err == nil {
		return Pending
	}
	id, err := io.ReadAll(io.LimitReader(mark, markMax))
	if err != nil || !snapshot.IsID(string(id)) {
		return Pending
	}
	return string(id)
}

// markMax bounds what is read of a mark, in bytes; an id is shorter.
const markMax = 64

// locked tells whether somebody holds a file locked. The lock that finds out is
// shared and ends with the file's descriptor: it keeps no build off, as each
// locks a mark of its own before others can open it.
func locked(f *os.File) bool {
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
