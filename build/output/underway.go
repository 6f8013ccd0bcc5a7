package output

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/assay-register/assay/render/snapshot"
)

// Begin says whose pages are put into the tree from now on, so that a server
// can name the snapshot of a page before the whole of it is published. The mark
// is locked until the build ends, however it does: one that is not locked was
// left by a build that was killed, and its snapshot never was.
func (t *Tree) Begin(id string) error {
	tmp := t.UnfinishedFile()
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	t.underway = f
	if _, err := f.WriteString(id); err != nil {
		return err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("lock the mark of the build: %w", err)
	}
	return os.Rename(tmp, t.hidden(snapshot.UnderwayFile))
}

// unmark takes the mark of Begin away.
func (t *Tree) unmark() error {
	err := there(os.Remove(t.hidden(snapshot.UnderwayFile)))
	if t.underway != nil {
		err = errors.Join(err, t.underway.Close())
		t.underway = nil
	}
	return err
}

func (t *Tree) hidden(name string) string { return filepath.Join(t.home, HiddenDir, name) }

// Done says that the snapshot is published; has tells whether a page with a
// hash is a part of it. Marks of refreshed pages go when the page is a part or
// was replaced; one that the build has spared waits for the next.
func (t *Tree) Done(has func([sha256.Size]byte) (bool, error)) error {
	err := t.unmark()
	marks, errMarks := os.ReadDir(t.hidden(snapshot.RefreshedDir))
	err = errors.Join(err, there(errMarks))
	for _, m := range marks {
		stays, errMark := t.stays(m.Name(), has)
		if err = errors.Join(err, errMark); !stays && errMark == nil {
			err = errors.Join(err, os.Remove(filepath.Join(t.hidden(snapshot.RefreshedDir), m.Name())))
		}
	}
	return err
}

// there forgives that a file is missing.
func there(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stays tells whether a mark still tells something.
func (t *Tree) stays(mark string, has func([sha256.Size]byte) (bool, error)) (bool, error) {
	sum, err := hex.DecodeString(mark)
	if err != nil || len(sum) != sha256.Size {
		return false, nil //nolint:nilerr // what is named otherwise marks no page
	}
	want := [sha256.Size]byte(sum)
	path, err := os.ReadFile(filepath.Join(t.hidden(snapshot.RefreshedDir), mark))
	if err != nil {
		return false, err
	}
	body, err := os.ReadFile(filepath.Join(t.home, string(path)))
	if errors.Is(err, fs.ErrNotExist) || err == nil && sha256.Sum256(body) != want {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	found, err := has(want)
	return !found, err
}

// mark says, of a page that is about to be written beside the builds, that it
// belongs to no snapshot yet.
func (t *Tree) mark(path string, body []byte) error {
	if !t.beside {
		return nil
	}
	below, err := filepath.Rel(t.home, path)
	if err != nil {
		return err
	}
	tmp := t.UnfinishedFile()
	if err := os.WriteFile(tmp, []byte(below), 0o644); err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	return place(tmp, filepath.Join(t.hidden(snapshot.RefreshedDir), hex.EncodeToString(sum[:])))
}
