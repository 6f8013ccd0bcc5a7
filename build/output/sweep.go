package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// pinnedDir holds the pages that bear a snapshot's name; Expire removes them.
const pinnedDir = "s"

// Own refuses a directory in which a stranger's files lie, because a tree
// removes what it does not know.
func Own(root string) error {
	names, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	strange := ""
	for _, n := range names {
		switch {
		case n.Name() == HiddenDir, n.Name() == "snapshot.json":
			return nil
		case !strings.HasPrefix(n.Name(), "."):
			strange = n.Name()
		}
	}
	if strange != "" {
		return fmt.Errorf("the directory holds %s and no site: choose an empty one", strange)
	}
	return nil
}

// Sweep removes the files that known does not explain from the directories
// that the site's routes lie in; it is asked for slash-separated paths. Files at
// the root and directories that no route uses are left alone, but for compressed
// forms that a killed build left beside a document that has none. A directory
// of which nothing stays goes in one step.
func (t *Tree) Sweep(known func(path string) bool) error {
	dirs, err := os.ReadDir(t.root)
	if err != nil {
		return err
	}
	var stale []string
	for _, d := range dirs {
		if d.Name() == HiddenDir || d.Name() == pinnedDir {
			continue
		}
		if !d.IsDir() {
			if t.outdated(d.Name(), known) {
				stale = append(stale, d.Name())
			}
			continue
		}
		found, kept, err := t.stale(d.Name(), known)
		if err != nil {
			return err
		}
		if kept {
			stale = append(stale, found...)
		}
	}
	for _, path := range stale {
		err = errors.Join(err, t.remove(t.Join(filepath.FromSlash(path))))
	}
	return err
}

// stale lists what is to go below a directory, and whether anything stays.
func (t *Tree) stale(dir string, known func(string) bool) (stale []string, kept bool, err error) {
	list, err := os.ReadDir(t.Join(filepath.FromSlash(dir)))
	if err != nil {
		return nil, false, err
	}
	for _, d := range list {
		path := dir + "/" + d.Name()
		if !d.IsDir() {
			if document, _ := SplitSibling(path); known(path) || known(document) && !t.outdated(path, known) {
				kept = true
				continue
			}
			stale = append(stale, path)
			continue
		}
		found, some, err := t.stale(path, known)
		switch {
		case err != nil:
			return nil, false, err
		case some:
			stale, kept = append(stale, found...), true
		default:
			stale = append(stale, path)
		}
	}
	return stale, kept, nil
}

// outdated tells whether a file is a compressed form that is older or newer than
// its document.
func (t *Tree) outdated(path string, known func(string) bool) bool {
	return Outdated(path, func(name string) bool {
		document, ext := SplitSibling(name)
		return known(name) || ext != "" && siblingsFit(t.Join(filepath.FromSlash(document)))
	})
}

// remove takes a file or directory out of the tree in one step, then deletes it.
func (t *Tree) remove(path string) error {
	tmp := t.UnfinishedFile()
	if err := os.Rename(path, tmp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("remove %s: %w", path, err)
	}
	t.Counts.Removed.Add(1)
	return os.RemoveAll(tmp)
}
