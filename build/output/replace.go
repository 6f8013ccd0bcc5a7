package output

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

// twinOf is the folder with which that of a site changes places: beside it, since a
// folder cannot change places with one that it contains.
func twinOf(root string) string {
	return filepath.Join(filepath.Dir(root), "."+filepath.Base(root)+".assay-twin")
}

// clearTwin removes what a killed Replace left.
func clearTwin(root string) error {
	home, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	return os.RemoveAll(twinOf(home))
}

// Replace lets the new site in the folder fresh below root take the place of the one
// at root. Both are locked.
//
// Who goes by the path of root finds the old site or the new one, whole, at every
// instant, also when this process is killed: root changes places with a twin of the
// new site, which is made of links. Its own folder is put in order out of sight and
// comes back, for who has it open or mounted. Where two folders cannot change places
// (systems and file systems without RENAME_EXCHANGE, a root that is mounted, a folder
// above it that is closed), piecemeal is told why, and each part of the new site is
// put in place of the old one: until it returns, or for good when it is killed, the
// site has parts of both.
func Replace(root, fresh string, piecemeal func(why error)) error {
	home, err := filepath.EvalSymlinks(root)
	if err != nil {
		return fmt.Errorf("replace %s: %w", root, err)
	}
	below, err := filepath.Rel(root, fresh)
	if err != nil {
		return fmt.Errorf("replace %s: %w", root, err)
	}
	if err := takePlace(swap(home, below), home, fresh, piecemeal); err != nil {
		return fmt.Errorf("replace %s: %w", root, err)
	}
	return Sync(root)
}

// takePlace goes the steps of a swap, or, where they cannot be gone, replaces the parts.
func takePlace(steps []func() error, home, fresh string, piecemeal func(why error)) error {
	why := inTurn(steps[:appeared])
	if why == nil {
		return inTurn(steps[appeared:])
	}
	piecemeal(why)
	return errors.Join(os.RemoveAll(twinOf(home)), replaceParts(home, fresh))
}

func inTurn(steps []func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// appeared is how many steps of a swap it takes until the new site is there; if one
// of them fails, nothing has changed.
const appeared = 2

// swap are the steps in which the site at home gives its place to the one below it.
func swap(home, below string) []func() error {
	twin := twinOf(home)
	return []func() error{
		func() error { return linkTree(filepath.Join(home, below), twin, home) },
		func() error { return exchange(home, twin) },
		func() error { return replaceParts(twin, filepath.Join(twin, below)) },
		func() error { return exchange(home, twin) },
		func() error { return os.RemoveAll(twin) },
	}
}

// linkTree makes a folder of links to the files of another one, with the times of
// its folders, which tell when snapshots were published, and the rights of the folder
// whose place it takes.
func linkTree(from, to, like string) error {
	rights, err := os.Stat(like)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	type folder struct {
		path string
		info fs.FileInfo
	}
	var folders []folder
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		if !d.IsDir() {
			return os.Link(path, target)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		folders = append(folders, folder{target, info})
		return os.Mkdir(target, 0o755)
	})
	if err != nil {
		return err
	}
	for _, f := range slices.Backward(folders) {
		if err := errors.Join(os.Chmod(f.path, f.info.Mode().Perm()), os.Chtimes(f.path, f.info.ModTime(), f.info.ModTime())); err != nil {
			return err
		}
	}
	return os.Chmod(to, rights.Mode().Perm())
}

// replaceParts lets the parts of a new site take the place of those at root, each in
// one rename where parts can change places, else in two: what leads to other pages last, and what only the old site has goes
// when all is there. The lock of root stays.
func replaceParts(root, fresh string) error {
	old := filepath.Join(root, HiddenDir, tmpDir, "replaced")
	if err := errors.Join(os.RemoveAll(old), os.MkdirAll(filepath.Join(old, HiddenDir), 0o755)); err != nil {
		return err
	}
	for _, dir := range []string{HiddenDir, ""} {
		if err := replaceIn(filepath.Join(root, dir), filepath.Join(fresh, dir), filepath.Join(old, dir)); err != nil {
			return err
		}
	}
	return os.RemoveAll(old)
}

// replaceIn does so in one directory.
func replaceIn(root, fresh, old string) error {
	names, err := parts(fresh)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := replacePart(root, fresh, old, name); err != nil {
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

// replacePart leaves no instant without the part, if it can.
func replacePart(root, fresh, old, name string) error {
	if exchange(filepath.Join(fresh, name), filepath.Join(root, name)) == nil {
		return os.Rename(filepath.Join(fresh, name), filepath.Join(old, name))
	}
	if err := setAside(root, old, name); err != nil {
		return err
	}
	return os.Rename(filepath.Join(fresh, name), filepath.Join(root, name))
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
