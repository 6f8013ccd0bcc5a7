package publish

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// BesideOf is where a new site is made that takes the place of the one at root;
// what a killed build leaves there, the next one clears.
func BesideOf(root string) string { return filepath.Join(root, HiddenDir, tmpDir, "beside") }

// Replace lets the parts of a new site take the place of those at root, each in
// two renames: what leads to other pages last, and what only the old site has
// goes when all is there. The lock of root stays.
func Replace(root, fresh string) error {
	old := filepath.Join(root, HiddenDir, tmpDir, "replaced")
	if err := errors.Join(os.RemoveAll(old), os.MkdirAll(filepath.Join(old, HiddenDir), 0o755)); err != nil {
		return fmt.Errorf("replace %s: %w", root, err)
	}
	for _, dir := range []string{HiddenDir, ""} {
		if err := replaceIn(filepath.Join(root, dir), filepath.Join(fresh, dir), filepath.Join(old, dir)); err != nil {
			return fmt.Errorf("replace %s: %w", root, err)
		}
	}
	return errors.Join(Sync(root), os.RemoveAll(old))
}

// replaceIn does so in one directory.
func replaceIn(root, fresh, old string) error {
	names, err := parts(fresh)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := setAside(root, old, name); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(fresh, name), filepath.Join(root, name)); err != nil {
			return err
		}
	}
	had, err := parts(root)
	if err != nil {
		return err
	}
	for _, name := range had {
		if !slices.Contains(names, name) {
			if err := setAside(root, old, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func setAside(root, old, name string) error {
	err := os.Rename(filepath.Join(root, name), filepath.Join(old, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// parts lists what is replaced in a directory, in the order in which it appears.
func parts(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range list {
		if n := e.Name(); n != HiddenDir && n != "lock" && n != tmpDir {
			names = append(names, n)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(slices.Index(last, a), slices.Index(last, b)) })
	return names, nil
}
