package binary

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPath: the binary that is named is what tests get, once, as a file that every
// user may run; one that is not there is said by the name of the variable.
func TestPath(t *testing.T) {
	built := filepath.Join(t.TempDir(), "built")
	if err := os.WriteFile(built, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(variable, built)
	path := Path(t)
	t.Cleanup(Remove)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o555 != 0o555 {
		t.Fatal(info, err)
	}
	if folder, err := os.Stat(filepath.Dir(path)); err != nil || folder.Mode().Perm() != 0o755 {
		t.Error(folder, err)
	}
	if again := Path(t); again != path {
		t.Errorf("%s, and then %s", path, again)
	}
	if Remove(); exists(path) {
		t.Error("it stays")
	}
	t.Setenv(variable, built+".none")
	if dir, err := put(t.Context()); err == nil || exists(dir) {
		t.Error(dir, err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
