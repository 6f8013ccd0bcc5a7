package output

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-register/assay/render/artifact"
)

const (
	// besideDir holds the places for the unfinished files of Beside.
	besideDir = "beside"
	// leftAfter is how old a place is that nobody uses any more.
	leftAfter = time.Hour
)

// Beside opens a published tree for changes of single files, also while a
// build is at work in it: each has a place of its own for unfinished files.
func Beside(root string) (*Tree, error) {
	if id, err := Current(root); err != nil || id == "" {
		return nil, errors.Join(fmt.Errorf("open tree: no site was built in %s", root), err)
	}
	parent := filepath.Join(root, HiddenDir, besideDir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	left, err := os.ReadDir(parent)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	for _, d := range left { // of processes that were killed
		if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > leftAfter {
			os.RemoveAll(filepath.Join(parent, d.Name())) // the next one tries again
		}
	}
	tmp, err := os.MkdirTemp(parent, "")
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	root = filepath.Clean(root)
	return &Tree{root: root, home: root, tmp: tmp, beside: true}, nil
}

// Drop removes a file with its other name and its compressed siblings.
func (t *Tree) Drop(f *artifact.File) error {
	for _, route := range []string{f.Route, f.Alias} {
		if route == "" {
			continue
		}
		path := t.Path(route, f.Type)
		if err := errors.Join(dropSiblings(path), t.remove(path)); err != nil {
			return err
		}
	}
	return nil
}
