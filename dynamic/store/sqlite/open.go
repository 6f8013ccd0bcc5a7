// Package sqlite opens the store in one SQLite file, without a server: the
// default. The SQL is in package store; here is what only SQLite needs.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"

	driver "modernc.org/sqlite"

	"github.com/assay-register/assay/dynamic/store"
	"github.com/assay-register/assay/render/catalog"
)

// Extended result codes of a violated key.
const (
	constraintPrimaryKey = 1555
	constraintUnique     = 2067
)

// Result codes that pass: another process writes for long, the disk is full,
// fails, is mounted for reading only or is away, descriptors are short.
const (
	busy     = 5
	readOnly = 8
	ioError  = 10
	full     = 13
	cantOpen = 14
	protocol = 15
)

// dollar matches a place in the shared SQL text, limit a place that is a limit.
var (
	dollar = regexp.MustCompile(`\$[0-9]+`)
	limit  = regexp.MustCompile(`LIMIT (\?|\$[0-9]+)`)
)

var dialect = store.Dialect{
	Prepare:  lasting,
	View:     sql.TxOptions{ReadOnly: true},
	Conflict: isConflict,
	// A transaction that began is never undone for the sake of another one.
	Retry:       func(error) bool { return false },
	Unavailable: isUnavailable,
}

// Settings of the two handles. With synchronous FULL a commit is on the disk
// before it is acknowledged.
var (
	writePragmas = []string{"journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(4000)", "cache_size(-8192)"}
	readPragmas  = []string{"query_only(1)", "cache_size(-2048)"}
)

// Open opens the store in the file, which it creates and brings to the newest
// schema as needed. Several processes may open the same file.
func Open(ctx context.Context, path string) (catalog.Store, error) {
	if path == "" || path == ":memory:" {
		return nil, fmt.Errorf("open SQLite store %q: name a file: %w", path, catalog.ErrInvalid)
	}
	s, err := open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open SQLite store %s: %w", path, advised(path, err))
	}
	return s, nil
}

// advised adds what helps to an error that says that a file may not be written.
func advised(path string, err error) error {
	var e *driver.Error
	code := 0
	if errors.As(err, &e) {
		code = e.Code() & 0xff
	}
	if code != readOnly && code != cantOpen && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	dir, absErr := filepath.Abs(filepath.Dir(path))
	if absErr != nil {
		return err
	}
	return fmt.Errorf("%w; let the user of this process write the file and the folder %s, where files come to lie beside it", err, dir)
}

func open(ctx context.Context, path string) (_ *store.Store, err error) {
	var handles []*sql.DB
	defer func() {
		if err != nil {
			for _, h := range handles {
				_ = h.Close()
			}
		}
	}()
	if err := keepPrivate(path); err != nil {
		return nil, err
	}
	write, err := handle(path, writePragmas...)
	if err != nil {
		return nil, err
	}
	handles = append(handles, write)
	// One connection: writers queue up in Go instead of polling the file.
	write.SetMaxOpenConns(1)
	if err := migrate(ctx, write, path); err != nil {
		return nil, err
	}
	read, err := handle(path, readPragmas...)
	if err != nil {
		return nil, err
	}
	handles = append(handles, read)
	read.SetMaxIdleConns(max(4, runtime.NumCPU()))
	return store.New(ctx, read, write, dialect, func() error { return nil })
}

// unnamed gives a statement places without names: to SQLite $1 is a name, and
// the driver looks up the name of each place in a list, which with 1,000 of
// them costs more than the insert itself. A text whose places do not stand in
// order keeps them.
func unnamed(text string) string {
	places := 0
	ordered := true
	plain := dollar.ReplaceAllStringFunc(text, func(place string) string {
		places++
		ordered = ordered && place == "$"+strconv.Itoa(places)
		return "?"
	})
	if !ordered {
		return text
	}
	return plain
}

// lasting gives a statement the form in which its plan lasts: without names, and
// with sums for limits. Of a limit that is a bare place SQLite looks at the value,
// and would plan the prepared statement anew each time that it is run
// (sqlite3VdbeSetVarmask).
func lasting(text string) string { return limit.ReplaceAllString(unnamed(text), "LIMIT ${1} + 0") }

// handle opens a database handle with the settings on each connection.
func handle(path string, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	q := url.Values{"_txlock": {"immediate"}, "_pragma": append([]string{"busy_timeout(10000)"}, pragmas...)}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: q.Encode()}
	return sql.Open("sqlite", u.String())
}

func isConflict(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && (e.Code() == constraintPrimaryKey || e.Code() == constraintUnique)
}

// isUnavailable looks at the primary code, which is the low byte of an extended
// one.
func isUnavailable(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && slices.Contains([]int{busy, readOnly, ioError, full, cantOpen, protocol}, e.Code()&0xff)
}
