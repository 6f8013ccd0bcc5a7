// Package setup turns flags, environment and the configuration file into
// settings, and opens what they name: the store and the logger.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// Logger writes to w as text or JSON; verbose adds what is only of interest
// when something is wrong.
func Logger(w io.Writer, format string, verbose bool) (*slog.Logger, error) {
	opts := &slog.HandlerOptions{Level: slog.LevelInfo}
	if verbose {
		opts.Level = slog.LevelDebug
	}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, opts)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, opts)), nil
	}
	return nil, fmt.Errorf("--log %s: use text or json", format)
}

// Open opens the store that a URL names: sqlite:PATH or postgres://…
func Open(ctx context.Context, url string) (catalog.Store, error) {
	scheme, rest, ok := strings.Cut(url, ":")
	switch {
	case ok && scheme == "sqlite" && rest != "":
		return openFile(ctx, strings.TrimPrefix(rest, "//"))
	case ok && (scheme == "postgres" || scheme == "postgresql"):
		return postgres.Open(ctx, url)
	}
	return nil, fmt.Errorf("--db: use sqlite:PATH or postgres://…, not %q", scheme)
}

// openFile opens a store in a file. What root has just made of it is handed to
// the owner of the folder.
func openFile(ctx context.Context, path string) (catalog.Store, error) {
	st, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := Hand(path, path+"-wal", path+"-shm"); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// StoreFile is the file of a store that is one: all that follows the scheme, as
// SQLite addresses have no parameters here.
func StoreFile(url string) (path string, ok bool) {
	rest, ok := strings.CutPrefix(url, "sqlite:")
	return strings.TrimPrefix(rest, "//"), ok
}
