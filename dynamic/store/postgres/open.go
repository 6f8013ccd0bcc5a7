// Package postgres opens the store in a PostgreSQL database, which several
// processes may share. The SQL is in package store; here is what only
// PostgreSQL needs.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/assay-register/assay/dynamic/store"
	"github.com/assay-register/assay/migrations"
	"github.com/assay-register/assay/render/catalog"
)

// SQLSTATE codes that the store answers to.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)

var dialect = store.Dialect{
	// The number is the first bytes of "assay"; any process of the register
	// on this database uses it.
	WriteLock:  "SELECT pg_advisory_xact_lock(418548769145)",
	SkipLocked: " FOR UPDATE SKIP LOCKED",
	// Behind the write lock each statement sees all that was committed, which
	// a snapshot from before the lock would not.
	Update:   sql.TxOptions{Isolation: sql.LevelReadCommitted},
	View:     sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	Conflict: func(err error) bool { return code(err) == uniqueViolation },
	Retry: func(err error) bool {
		c := code(err)
		return c == serializationFailure || c == deadlockDetected
	},
	Unavailable: isUnavailable,
	Stale:       isStale,
}

func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Open opens the store in the database of the URL and brings it to the newest
// schema. Parameters of the pool may stand in the URL, e.g. pool_max_conns.
func Open(ctx context.Context, url string) (catalog.Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		// pgx leaves the password out of this error.
		return nil, fmt.Errorf("PostgreSQL URL: %w", err)
	}
	c := config.ConnConfig
	name := fmt.Sprintf("%s on %s:%d", c.Database, c.Host, c.Port)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL store %s: %w", name, err)
	}
	db := stdlib.OpenDBFromPool(pool)
	s, err := prepare(ctx, db, func() error { pool.Close(); return nil })
	if err != nil {
		_ = db.Close()
		pool.Close()
		return nil, fmt.Errorf("open PostgreSQL store %s: %w", name, err)
	}
	return s, nil
}

func prepare(ctx context.Context, db *sql.DB, afterClose func() error) (*store.Store, error) {
	var encoding string
	if err := db.QueryRowContext(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return nil, err
	}
	if encoding != "UTF8" {
		return nil, fmt.Errorf("the database is encoded in %s: create it with ENCODING 'UTF8'", encoding)
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300), lock.WithUnlockTimeout(1, 60))
	if err != nil {
		return nil, err
	}
	if err := store.Migrate(ctx, goose.DialectPostgres, db, migrations.Files, "postgres", goose.WithSessionLocker(locker)); err != nil {
		return nil, err
	}
	return store.New(ctx, db, db, dialect, afterClose)
}
