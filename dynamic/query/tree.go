package query

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// hidden is the directory of the encoded snapshots in a tree.
const hidden = ".assay"

// pageFile names the current snapshot of a tree; a build writes it last.
const pageFile = "snapshot.json"

// tree is the shelf of a tree of files.
type tree struct{ dir string }

func (t tree) page() string { return filepath.Join(t.dir, pageFile) }

func (t tree) present() (string, error) {
	b, err := os.ReadFile(t.page())
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

func (t tree) building() bool {
	mark, err := os.Open(filepath.Join(t.dir, hidden, snapshot.UnderwayFile))
	if err != nil {
		return false
	}
	defer mark.Close()
	return locked(mark)
}

func (t tree) ids() (ids []string) {
	names, err := os.ReadDir(filepath.Join(t.dir, hidden))
	if err != nil {
		return nil
	}
	for _, n := range names {
		if snapshot.IsID(n.Name()) {
			ids = append(ids, n.Name())
		}
	}
	return ids
}

func (t tree) has(id string) bool {
	_, err := os.Stat(filepath.Join(t.dir, hidden, id, snapshot.HeadFile))
	return err == nil
}

func (t tree) part(id, name string) (*os.File, error) {
	return os.OpenInRoot(t.dir, filepath.Join(hidden, id, name))
}

func (t tree) open(id string) (*encoded, error) {
	var parts [3]*os.File
	for i, name := range []string{snapshot.HeadFile, snapshot.LinesFile, snapshot.ItemsFile} {
		f, err := t.part(id, name)
		if err != nil {
			for _, open := range parts[:i] {
				err = errors.Join(err, open.Close())
			}
			return nil, err
		}
		parts[i] = f
	}
	e := &encoded{head: parts[0], lines: parts[1], items: parts[2], through: t.through(id)}
	e.segment = func() (*segment.Segment, error) { return t.segment(id) }
	if info, err := parts[1].Stat(); err == nil {
		e.size = info.Size()
	}
	return e, nil
}

// through is the last event that a snapshot shows, 0 if an older release built
// it.
func (t tree) through(id string) (n int64) {
	f, err := t.part(id, snapshot.ThroughFile)
	if err != nil {
		return 0
	}
	defer f.Close()
	if _, err := fmt.Fscan(io.LimitReader(f, throughMax), &n); err != nil {
		return 0
	}
	return n
}

// throughMax bounds the text of an event's number, in bytes.
const throughMax = 32

// segment opens the search index of a snapshot, nil when it has none.
func (t tree) segment(id string) (*segment.Segment, error) {
	f, err := t.part(id, segment.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return mapSegment(f, id, 0, info.Size())
}

func (t tree) find(id string, sum [sha256.Size]byte) ([]hashindex.Match, error) {
	f, err := t.part(id, hashindex.File)
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

func (t tree) refreshed() *refreshed { return readRefreshed(t.dir) }
