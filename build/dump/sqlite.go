package dump

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Marks in the header of the database file: "ASSY", and the version of the
// tables, to be raised when they change.
const (
	applicationID = 0x41535359
	userVersion   = 2
)

// pragmas make a file that depends on its rows only and is written once. The
// cache, in KiB, bounds what tables, sorting and copying take each.
var pragmas = []string{
	"page_size(4096)", "encoding('UTF-8')", "auto_vacuum(none)", "journal_mode(off)", "synchronous(off)", "locking_mode(exclusive)",
	"cache_size(-4096)", "application_id(" + strconv.Itoa(applicationID) + ")", "user_version(" + strconv.Itoa(userVersion) + ")",
}

// writeSQLite makes the database. Rows come in the order of their keys and the index last, so that
// the file has no gaps.
func writeSQLite(ctx context.Context, c *snapshot.Catalog, path string, rows iter.Seq2[[]*string, error]) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	return errors.Join(fill(ctx, db, c, rows), db.Close())
}

// fill writes everything in one transaction. The index comes last, so that it
// is sorted once instead of grown.
func fill(ctx context.Context, db *sql.DB, c *snapshot.Catalog, rows iter.Seq2[[]*string, error]) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	insert := func(ctx context.Context, tx *sql.Tx, _ *snapshot.Catalog) error { return insertEntries(ctx, tx, rows) }
	for _, step := range []func(context.Context, *sql.Tx, *snapshot.Catalog) error{createTables, insertMeta, insert, createIndex} {
		if err := step(ctx, tx, c); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// sqlTypes are the declared types of columns; what is not named is TEXT. Times are
// RFC 3339, lists and objects JSON, truth is 0 or 1.
var sqlTypes = map[wire.ColumnKind]string{wire.ColumnNumber: "REAL", wire.ColumnInteger: "INTEGER", wire.ColumnBoolean: "INTEGER"}

func createTables(ctx context.Context, tx *sql.Tx, _ *snapshot.Catalog) error {
	var columns []string
	for _, col := range export.FullColumns() {
		text := col.Name + " " + cmp.Or(sqlTypes[col.Kind], "TEXT")
		if !col.Nullable {
			text += " NOT NULL"
		}
		columns = append(columns, text)
	}
	columns[0] += " PRIMARY KEY"
	_, err := tx.ExecContext(ctx, "CREATE TABLE entries (\n\t"+strings.Join(columns, ",\n\t")+"\n);\n"+
		"CREATE TABLE snapshot_meta (\n\tkey TEXT NOT NULL PRIMARY KEY,\n\tvalue TEXT NOT NULL\n);")
	return err
}

func createIndex(ctx context.Context, tx *sql.Tx, _ *snapshot.Catalog) error {
	_, err := tx.ExecContext(ctx, "CREATE UNIQUE INDEX entries_slug ON entries (slug)")
	return err
}

// meta are the facts about the snapshot that the JSON export has too, and the
// snapshot's name.
func meta(c *snapshot.Catalog) [][2]string {
	return [][2]string{
		{"count", strconv.Itoa(len(c.Lines))}, {"license", c.Site.License}, {"snapshot", c.ID},
		{"snapshot_date", c.AsOf.Format(time.RFC3339)}, {"source", c.Site.BaseURL},
	}
}

func insertMeta(ctx context.Context, tx *sql.Tx, c *snapshot.Catalog) error {
	for _, m := range meta(c) {
		if _, err := tx.ExecContext(ctx, "INSERT INTO snapshot_meta VALUES (?, ?)", m[0], m[1]); err != nil {
			return fmt.Errorf("insert %s: %w", m[0], err)
		}
	}
	return nil
}

func insertEntries(ctx context.Context, tx *sql.Tx, rows iter.Seq2[[]*string, error]) error {
	columns := export.FullColumns()
	insert, err := tx.PrepareContext(ctx, "INSERT INTO entries VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")")
	if err != nil {
		return err
	}
	defer insert.Close()
	// With a context that can end, the driver watches it in a goroutine for
	// each row.
	within, values := context.WithoutCancel(ctx), make([]any, len(columns))
	for cells, err := range rows {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		for i, cell := range cells {
			if values[i], err = sqlValue(columns[i].Kind, cell); err != nil {
				return fmt.Errorf("entry %s: %s: %w", *cells[0], columns[i].Name, err)
			}
		}
		if _, err := insert.ExecContext(within, values...); err != nil {
			return fmt.Errorf("insert entry %s: %w", *cells[0], err)
		}
	}
	return nil
}

// sqlValue is a cell as SQLite keeps it.
func sqlValue(kind wire.ColumnKind, cell *string) (any, error) {
	if cell == nil {
		return nil, nil
	}
	switch kind {
	case wire.ColumnNumber:
		return strconv.ParseFloat(*cell, 64)
	case wire.ColumnInteger:
		return strconv.ParseInt(*cell, 10, 64)
	case wire.ColumnBoolean:
		return strconv.ParseBool(*cell)
	}
	return *cell, nil
}
