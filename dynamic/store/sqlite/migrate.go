package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/pressly/goose/v3"

	"github.com/assay-register/assay/dynamic/store"
	"github.com/assay-register/assay/migrations"
)

// migrate brings the file to the newest schema. The lock covers the change to
// WAL as well, for which SQLite does not wait.
func migrate(ctx context.Context, db *sql.DB, path string) error {
	unlock, err := lockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("lock the folder: %w", err)
	}
	defer unlock()
	return store.Migrate(ctx, goose.DialectSQLite3, db, migrations.Files, "sqlite")
}
