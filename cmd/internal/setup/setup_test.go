package setup

import (
	"os"
	"path/filepath"
	"testing"
)

// TestStoreFile: the file that is named is the file that is opened, whatever
// characters stand in its name.
func TestStoreFile(t *testing.T) {
	t.Parallel()
	want := filepath.Join(t.TempDir(), "a b?mode=ro#c.db")
	st, err := Open(t.Context(), "sqlite:"+want)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
	for _, url := range []string{"sqlite:" + want, "sqlite://" + want} {
		if got, ok := StoreFile(url); got != want || !ok {
			t.Errorf("%s is %q, %v", url, got, ok)
		}
	}
	if _, err := os.Stat(want); err != nil {
		t.Error(err)
	}
	if _, ok := StoreFile("postgres://u@h/n"); ok {
		t.Error("a database of a server is a file")
	}
}
