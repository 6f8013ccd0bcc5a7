package query

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// shelf is where the snapshots of a library lie: a tree that a build brings up to
// date in place, or a folder of snapshot files.
type shelf interface {
	// page is the file that changes when another snapshot is presented, present
	// the id of the one.
	page() string
	present() (string, error)
	// building tells whether a build puts pages into a tree now.
	building() bool
	// ids are the snapshots that can be read, by name.
	ids() []string
	has(id string) bool
	// open reads an encoded snapshot; fs.ErrNotExist where there is none.
	open(id string) (*encoded, error)
	// find lists the pages of a snapshot that have a hash.
	find(id string, sum [sha256.Size]byte) ([]hashindex.Match, error)
	refreshed() *refreshed
}

// encoded is a snapshot as it lies on a shelf. Its items stay open for as long as
// anything refers to them; the garbage collector closes them.
type encoded struct {
	head, lines io.ReadCloser
	items       io.ReaderAt
	// size is that of the lines in bytes, through the last event that is shown, 0
	// if unknown.
	size, through int64
	// segment opens the search index, nil for none.
	segment func() (*segment.Segment, error)
	// file is the snapshot file, nil in a tree.
	file *File
}

func (e *encoded) close() {
	e.head.Close()
	e.lines.Close()
}

// File is a snapshot file that answers requests.
type File struct {
	*pack.Reader
	// Info is that of the file.
	Info fs.FileInfo
	// file is kept open for as long as the reader is used.
	file *os.File
}

// shelfOf looks what lies in a folder. One that is still empty becomes a tree.
func shelfOf(dir string) shelf {
	if _, err := os.Stat(filepath.Join(dir, snapshot.PresentFile)); err == nil {
		return files{dir}
	}
	return tree{dir}
}

// File is the snapshot file of the present snapshot, or of the one that a reader
// names; nil in a tree and where there is none.
func (l *Library) File(id string) *File {
	s := l.Current()
	if s == nil || s.file == nil {
		return nil
	}
	if id == "" || id == s.ID {
		return s.file
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.shelf().has(id) {
		delete(l.opened, id)
		return nil
	}
	f := l.opened[id]
	if f == nil {
		var err error
		if f, err = openFile(l.dir, id); err != nil {
			l.log.Error("a snapshot file cannot be read", "snapshot", id, "error", err)
			return nil
		}
		l.opened[id] = f
	}
	return f
}
