package store

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Migrate brings the database to the newest schema of the folder. It refuses a
// database that a newer program has changed already.
func Migrate(ctx context.Context, d goose.Dialect, db *sql.DB, files fs.FS, folder string, opts ...goose.ProviderOption) error {
	sub, err := fs.Sub(files, folder)
	if err != nil {
		return fmt.Errorf("migrations %s: %w", folder, err)
	}
	provider, err := goose.NewProvider(d, db, sub, opts...)
	if err != nil {
		return fmt.Errorf("migrations %s: %w", folder, err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate %s: %w", folder, err)
	}
	have, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	if have > known {
		return fmt.Errorf("the schema has version %d, this program knows %d: use the newer program", have, known)
	}
	return nil
}
