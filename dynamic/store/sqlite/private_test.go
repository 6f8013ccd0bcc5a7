package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestOthersDoNotReadTheStore: a new one is its owner's alone, with the files
// beside it; from an older one the others are shut out, its group is not.
func TestOthersDoNotReadTheStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	use := func() {
		t.Helper()
		st, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		if err := st.Update(t.Context(), func(tx catalog.Tx) error { return tx.Meta().Set(t.Context(), "a", "b") }); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm()&0o007 != 0 {
				t.Errorf("%s is %s", filepath.Base(name), info.Mode())
			}
		}
	}
	use()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	use()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
