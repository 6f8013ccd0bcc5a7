package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
)

// conn runs the statements of one transaction: every one passes through exec
// or query, where the write lock is taken, text is checked and the errors of
// the driver become those of the catalog.
type conn struct {
	tx       *sql.Tx
	dialect  *Dialect
	prepared *statements
	// unprepared are the texts that were not.
	unprepared []string
	// locked tells that the transaction needs no (further) write lock.
	locked bool
}

// scanner is the row that a query stands on.
type scanner interface{ Scan(dest ...any) error }

// exec runs a statement and returns how many rows it touched.
func (c *conn) exec(ctx context.Context, text string, args ...any) (int64, error) {
	if err := c.lock(ctx); err != nil {
		return 0, err
	}
	return c.execFree(ctx, text, args...)
}

// execFree is exec without the write lock, for jobs.
func (c *conn) execFree(ctx context.Context, text string, args ...any) (int64, error) {
	if err := checkArgs(args); err != nil {
		return 0, err
	}
	var res sql.Result
	var err error
	if stmt := c.statement(text); stmt != nil {
		res, err = c.tx.StmtContext(ctx, stmt).ExecContext(ctx, args...)
	} else {
		res, err = c.tx.ExecContext(ctx, text, args...)
	}
	if err != nil {
		return 0, c.translate(err)
	}
	return res.RowsAffected()
}

// query calls row for each row of the answer. row must not use the
// transaction: PostgreSQL serves one answer at a time.
func (c *conn) query(ctx context.Context, row func(scanner) error, text string, args ...any) error {
	if err := c.lock(ctx); err != nil {
		return err
	}
	return c.queryFree(ctx, row, text, args...)
}

// queryFree is query without the write lock, for jobs.
func (c *conn) queryFree(ctx context.Context, row func(scanner) error, text string, args ...any) error {
	if err := checkArgs(args); err != nil {
		return err
	}
	var rows *sql.Rows
	var err error
	if stmt := c.statement(text); stmt != nil {
		rows, err = c.tx.StmtContext(ctx, stmt).QueryContext(ctx, args...)
	} else {
		rows, err = c.tx.QueryContext(ctx, text, args...)
	}
	if err != nil {
		return c.translate(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return c.translate(rows.Err())
}

// statement returns the prepared statement of a text; it notes the text where
// there is none.
func (c *conn) statement(text string) *sql.Stmt {
	stmt := c.prepared.get(text)
	if stmt == nil && len(c.unprepared) < maxLearned {
		c.unprepared = append(c.unprepared, text)
	}
	return stmt
}

// lock makes the transaction the only writer before its first statement, so
// that what it reads cannot change until it commits and event numbers follow
// the order of commits.
func (c *conn) lock(ctx context.Context) error {
	if c.locked || c.dialect.WriteLock == "" {
		return nil
	}
	if _, err := c.tx.ExecContext(ctx, c.dialect.WriteLock); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	c.locked = true
	return nil
}

// atomic runs a change of several statements; when it fails, none of them
// remains, and the transaction can go on on both databases.
func (c *conn) atomic(ctx context.Context, change func() error) error {
	if _, err := c.exec(ctx, "SAVEPOINT change"); err != nil {
		return err
	}
	err := change()
	if err != nil {
		// A cancelled context has undone the whole transaction already.
		if _, undo := c.exec(ctx, "ROLLBACK TO SAVEPOINT change"); undo != nil {
			return err
		}
	}
	if _, release := c.exec(ctx, "RELEASE SAVEPOINT change"); release != nil && err == nil {
		return release
	}
	return err
}

func (c *conn) translate(err error) error {
	if err != nil && c.dialect.Conflict(err) {
		return fmt.Errorf("%w: %w", catalog.ErrConflict, err)
	}
	return err
}

// checkArgs refuses text that only one of the databases would take.
func checkArgs(args []any) error {
	for _, a := range args {
		if s, ok := a.(string); ok && (strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s)) {
			return fmt.Errorf("text %.80q is not UTF-8 or holds NUL: %w", s, catalog.ErrInvalid)
		}
	}
	return nil
}
