//go:build linux

package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-register/assay/cmd/internal/setup"
)

// The SQL of the plain program stands here, apart from that of the stores, on
// purpose: it must do what someone would write who has the rows and the schema
// and nothing else. Only a benchmark may do so.

// tableCount is the number of tables that an import writes.
const tableCount = 7

// tables are those an import writes, in its order.
var tables = [tableCount]struct {
	name string
	cols []string
	// from gives the rows of the events numbered from the first place to the
	// second; the small tables are read whole.
	from string
}{
	{"institutions", []string{"id", "doc"}, ""},
	{"licences", []string{"id", "doc"}, ""},
	{"sources", []string{"id", "doc"}, ""},
	{"events", []string{"number", "type", "entry_id", "doc"}, "FROM events t WHERE t.number BETWEEN $1 AND $2 ORDER BY t.number"},
	{"entries", []string{"id", "slug", "type", "status", "match_key", "upstream_ref", "published_at", "created_at", "updated_at", "revision", "doc"},
		"FROM entries t WHERE t.revision BETWEEN $1 AND $2 ORDER BY t.revision"},
	{"slugs", []string{"slug", "entry_id"}, "FROM entries e JOIN slugs t ON t.slug = e.slug WHERE e.revision BETWEEN $1 AND $2 ORDER BY e.revision"},
	{"provenances", []string{"entry_id", "doc"}, "FROM entries e JOIN provenances t ON t.entry_id = e.id WHERE e.revision BETWEEN $1 AND $2 ORDER BY e.revision"},
}

// entriesPerCommit is that of an import.
const entriesPerCommit = 1000

// pragmas are those of dynamic/store/sqlite.
var pragmas = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(4000)", "cache_size(-65536)"}

// openSQL brings the schema of the store up to date and opens the database
// itself, with the settings of the store.
func openSQL(ctx context.Context, dsn string) (*sql.DB, error) {
	st, err := setup.Open(ctx, dsn)
	if err != nil {
		return nil, err
	}
	if err := st.Close(); err != nil {
		return nil, err
	}
	path, isFile := strings.CutPrefix(dsn, "sqlite:")
	if !isFile {
		return sql.Open("pgx", dsn)
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_txlock": {"immediate"}, "_pragma": pragmas}.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func dumpRows(ctx context.Context, dsn string, w *bufio.Writer) error {
	db, err := openSQL(ctx, dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	var last int64
	if err := db.QueryRowContext(ctx, "SELECT value FROM counters WHERE name = 'event'").Scan(&last); err != nil {
		return err
	}
	first := transaction{}
	for k := range tables {
		if tables[k].from != "" {
			continue
		}
		if first[k], err = valuesOf(ctx, db, k, "FROM "+tables[k].name+" t ORDER BY t.id"); err != nil {
			return err
		}
	}
	if err := writeTransaction(w, &first); err != nil {
		return err
	}
	for at := int64(1); at <= last; at += entriesPerCommit {
		t := transaction{}
		for k := range tables {
			if tables[k].from == "" {
				continue
			}
			if t[k], err = valuesOf(ctx, db, k, tables[k].from, at, at+entriesPerCommit-1); err != nil {
				return err
			}
		}
		if err := writeTransaction(w, &t); err != nil {
			return err
		}
	}
	return nil
}

func valuesOf(ctx context.Context, db *sql.DB, table int, from string, args ...any) ([]any, error) {
	cols := tables[table].cols
	rows, err := db.QueryContext(ctx, "SELECT t."+strings.Join(cols, ", t.")+" "+from, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []any
	for rows.Next() {
		row, dest := make([]any, len(cols)), make([]any, len(cols))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		values = append(values, row...)
	}
	return values, rows.Err()
}

func insertRows(ctx context.Context, dsn string, perStatement int, ahead <-chan *transaction) error {
	db, err := openSQL(ctx, dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	place := func(n int) string { return "?" }
	if !strings.HasPrefix(dsn, "sqlite:") {
		place = func(n int) string { return "$" + strconv.Itoa(n) }
	}
	var full [tableCount]*sql.Stmt
	for k := range tables {
		if full[k], err = db.PrepareContext(ctx, insertText(k, perStatement, place)); err != nil {
			return err
		}
		defer full[k].Close()
	}
	for t := range ahead {
		if err := commitRows(ctx, db, t, &full, perStatement, place); err != nil {
			return err
		}
	}
	return nil
}

func insertText(table, rows int, place func(int) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES ", tables[table].name, strings.Join(tables[table].cols, ", "))
	n := 0
	for r := range rows {
		b.WriteString([...]string{", (", "("}[max(0, 1-r)])
		for c := range tables[table].cols {
			n++
			b.WriteString([...]string{", ", ""}[max(0, 1-c)] + place(n))
		}
		b.WriteString(")")
	}
	return b.String()
}

func commitRows(ctx context.Context, db *sql.DB, t *transaction, full *[tableCount]*sql.Stmt, perStatement int, place func(int) string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for k, values := range t {
		width := len(tables[k].cols)
		whole := tx.StmtContext(ctx, full[k])
		for len(values) > 0 {
			n := min(len(values), perStatement*width)
			if n == perStatement*width {
				_, err = whole.ExecContext(ctx, values[:n]...)
			} else {
				_, err = tx.ExecContext(ctx, insertText(k, n/width, place), values[:n]...)
			}
			if err != nil {
				return fmt.Errorf("insert into %s: %w", tables[k].name, err)
			}
			values = values[n:]
		}
		if tables[k].name == "events" {
			if _, err := tx.ExecContext(ctx, "UPDATE counters SET value = value + "+strconv.Itoa(len(t[k])/width)+" WHERE name = 'event'"); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// wipe empties a PostgreSQL database, so that the next run begins anew.
func wipe(ctx context.Context, dsn string) error {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
	return err
}
