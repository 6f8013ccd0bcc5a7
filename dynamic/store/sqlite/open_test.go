package sqlite

import (
	"path/filepath"
	"testing"
)

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
