// Package store holds the SQL of the catalog of record: one portable text for
// SQLite and PostgreSQL, a file per aggregate. The packages below it open the
// databases and say in what they differ.
//
// Keys are columns, the rest of a record is its JSON in one text column. Times
// in key columns count microseconds, so two times within the same microsecond
// are the same key. An Update that touches anything but jobs runs alone, on
// both databases; job statements are safe beside each other and do not wait.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// maxTries bounds how often an Update is run when the database undoes it.
const maxTries = 8

// Store implements catalog.Store over database/sql.
type Store struct {
	read, write *sql.DB
	dialect     Dialect
	// ofRead and ofWrite are the prepared statements of the handles.
	ofRead, ofWrite *statements
	close           func() error
}

var _ catalog.Store = (*Store)(nil)

// New makes a store of two handles, which may be the same one, whose schema is
// up to date, and of what is to be done after they were closed.
func New(ctx context.Context, read, write *sql.DB, d Dialect, afterClose func() error) (*Store, error) {
	s := &Store{read: read, write: write, dialect: d, close: afterClose,
		ofRead: newStatements(read, d.Prepare), ofWrite: newStatements(write, d.Prepare)}
	if d.Prepare == nil {
		return s, nil
	}
	for _, text := range frequent() {
		if err := s.ofWrite.prepare(ctx, text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Update implements catalog.Store.
func (s *Store) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	for try := 1; ; try++ {
		err := s.run(ctx, s.ofWrite, &s.dialect.Update, fn)
		if err == nil || try == maxTries || !s.dialect.Retry(err) {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// View implements catalog.Store. The state is the one at fn's first read.
func (s *Store) View(ctx context.Context, fn func(catalog.Tx) error) error {
	return s.run(ctx, s.ofRead, &s.dialect.View, fn)
}

// Close implements catalog.Store.
func (s *Store) Close() error {
	errs := []error{s.ofRead.close(), s.ofWrite.close(), s.read.Close()}
	if s.write != s.read {
		errs = append(errs, s.write.Close())
	}
	return errors.Join(append(errs, s.close())...)
}

// run runs fn in a transaction and prepares what it ran often.
func (s *Store) run(ctx context.Context, prepared *statements, opts *sql.TxOptions, fn func(catalog.Tx) error) error {
	prepared.catchUp(ctx)
	c := &conn{dialect: &s.dialect, prepared: prepared, locked: opts.ReadOnly}
	err := c.run(ctx, opts, fn)
	prepared.learn(c.unprepared)
	return s.classify(ctx, err)
}

// classify says of an error that the store is away, unless the caller gave up
// or the error says more.
func (s *Store) classify(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, catalog.ErrUnavailable) || !s.dialect.Unavailable(err) {
		return err
	}
	return fmt.Errorf("%w: %w", catalog.ErrUnavailable, err)
}

func (c *conn) run(ctx context.Context, opts *sql.TxOptions, fn func(catalog.Tx) error) error {
	sqlTx, err := c.begin(ctx, opts)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	// After a commit this does nothing; it serves errors and panics of fn.
	defer func() { _ = sqlTx.Rollback() }()
	c.tx = sqlTx
	if err := fn(tx{c}); err != nil {
		return err
	}
	if opts.ReadOnly {
		return nil
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// staleMax bounds how many connections of the pool are found broken before one begins.
const staleMax = 64

// begin begins a transaction. A server that was restarted leaves broken connections in
// the pool: nothing was done by them yet, so the next one is taken.
func (c *conn) begin(ctx context.Context, opts *sql.TxOptions) (tx *sql.Tx, err error) {
	for range staleMax {
		tx, err = c.prepared.db.BeginTx(ctx, opts)
		if err == nil || ctx.Err() != nil || c.dialect.Stale == nil || !c.dialect.Stale(err) {
			return tx, err
		}
	}
	return tx, err
}

// pause waits a little longer before every further try, each process its own
// time, so that those that collided do not meet again.
func pause(ctx context.Context, try int) error {
	limit := time.Millisecond << min(try, 6)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(limit) + time.Millisecond):
		return nil
	}
}
