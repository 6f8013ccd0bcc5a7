package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatMayNotBeWrittenIsNamed: a store that this user may not write is refused
// with its folder and with what helps; another error stays as it is.
func TestWhatMayNotBeWrittenIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	// The superuser may write everything, but no folder as a file.
	_, unopened := Open(t.Context(), path)
	db, err := handle(filepath.Join(dir, "b.db"), readPragmas...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_, unwritten := db.ExecContext(t.Context(), "CREATE TABLE a (b)")
	for _, err := range []error{unopened, advised(path, unwritten), advised(path, fs.ErrPermission)} {
		if err == nil || !strings.Contains(err.Error(), "; let the user of this process write the file and the folder "+dir) {
			t.Errorf("%v", err)
		}
	}
	if got := advised(path, fs.ErrClosed); got != fs.ErrClosed {
		t.Error(got)
	}
}

// TestSettings reads the settings on which the promise to lose nothing rests.
func TestSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, c := range []struct {
		pragmas    []string
		name, want string
	}{
		{writePragmas, "journal_mode", "wal"},
		{writePragmas, "synchronous", "2"},
		{writePragmas, "query_only", "0"},
		{writePragmas, "busy_timeout", "10000"},
		{readPragmas, "query_only", "1"},
		{readPragmas, "journal_mode", "wal"},
		{readPragmas, "busy_timeout", "10000"},
	} {
		db, err := handle(path, c.pragmas...)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := db.QueryRowContext(t.Context(), "PRAGMA "+c.name).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s of %v is %q, %v, want %q", c.name, c.pragmas, got, err, c.want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
