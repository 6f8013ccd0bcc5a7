package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// modes of the file: only its owner reads a new one. Of one that is there the
// rights of others are taken away, those of its group stay.
const (
	newMode fs.FileMode = 0o600
	others  fs.FileMode = 0o007
)

// keepPrivate makes sure that not everybody on the machine reads the store: it
// holds addresses of people and the secrets of webhooks. SQLite gives the files
// beside it the same rights. A file of another owner is left to him.
func keepPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, newMode)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		mode := info.Mode().Perm()
		if mode&others == 0 {
			continue
		}
		if err := os.Chmod(name, mode&^others); err != nil && !errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("keep %s from others: %w", name, err)
		}
	}
	return nil
}
