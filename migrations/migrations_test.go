package migrations_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/migrations"
)

func TestFilesOpen(t *testing.T) {
	for _, name := range []string{"sqlite/00001_register.sql", "postgres/00001_register.sql"} {
		text, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatalf("open %s: %v", name, err)
		}
		if !strings.HasPrefix(string(text), "-- +goose Up\n") {
			t.Errorf("%s does not begin with the goose mark", name)
		}
	}
}

// TestBothFoldersHaveTheSameNumbers keeps the two schemas in step.
func TestBothFoldersHaveTheSameNumbers(t *testing.T) {
	if a, b := names(t, "sqlite"), names(t, "postgres"); !slices.Equal(a, b) {
		t.Errorf("sqlite has %v, postgres has %v", a, b)
	}
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	files, err := fs.Glob(migrations.Files, folder+"/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i] = path.Base(f)
	}
	return files
}
