package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest"
	"github.com/assay-register/assay/render/catalog"
)

func TestMain(m *testing.M) {
	storetest.Child(sqlite.Open)
	os.Exit(m.Run())
}

// TestStore gives each case a copy of one empty store: making its tables takes longer than most cases.
func TestStore(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.db")
	made, err := sqlite.Open(t.Context(), empty)
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(empty)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, func(t *testing.T) catalog.Store {
		path := filepath.Join(t.TempDir(), "a.db")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		return open(t, path)
	})
}

func open(t testing.TB, path string) catalog.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestKill(t *testing.T) { storetest.Kill(t, sqlite.Open, filepath.Join(t.TempDir(), "a.db")) }

func TestProcesses(t *testing.T) {
	storetest.Processes(t, sqlite.Open, filepath.Join(t.TempDir(), "a.db"))
}

func TestOpenTakesAnyPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"plain.db", "with space.db", "what?.db", "100%25.db", "a#b&c=d.db", "ünï😀.db"} {
		path := filepath.Join(dir, name)
		open(t, path)
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%v", err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, path := range []string{"", ":memory:"} {
		if _, err := sqlite.Open(t.Context(), path); !errors.Is(err, catalog.ErrInvalid) {
			t.Errorf("%q: error %v, want ErrInvalid", path, err)
		}
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "no", "folder", "a.db")); err == nil {
		t.Error("opened a file in a folder that does not exist")
	}
}

// TestOpenRefusesANewerSchema keeps an old program from writing into a file
// whose rules it does not know.
func TestOpenRefusesANewerSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("error %v, want one that asks for the newer program", err)
	}
}
