package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/assay-register/assay/render/snapshot"
)

// HiddenDir holds what belongs to a site but is never served, such as unfinished files.
const HiddenDir = ".assay"

// Lock keeps others out of a folder until the returned function is
// called; the lock ends with the process in any case.
func Lock(root string) (func(), error) {
	dir := filepath.Join(root, HiddenDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("another build is at work in this directory, or a publish or service that fills it: %w", err)
	}
	return func() {
		// A process that was forked and does not run its program yet has the file
		// open too, and would go on with the lock of one that is only closed.
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
		f.Close()
	}, nil
}

// Own refuses a folder in which a stranger's files lie.
func Own(folder string) error {
	names, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	strange := ""
	for _, n := range names {
		switch {
		case n.Name() == snapshot.PresentFile, n.Name() == HiddenDir:
			return nil
		case !strings.HasPrefix(n.Name(), "."):
			strange = n.Name()
		}
	}
	if strange != "" {
		return fmt.Errorf("the folder holds %s and no snapshot files: choose an empty one", strange)
	}
	return nil
}
