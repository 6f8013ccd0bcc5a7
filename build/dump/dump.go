// Package dump makes the exports that need a writer of their own: a SQLite
// database and a Parquet file of all visible entries, the same table in parts where it is
// large with a list that leads to them, and the checksums of every export. Besides the stores it is the one place that opens a database.
//
// Equal snapshots give equal bytes. The SQLite file is filled in id order in
// one transaction, has a fixed page size and no journal; the Parquet files have
// row groups that depend on their rows only, and a fixed name of their maker. Neither holds a clock value. The bytes still depend on the versions of
// the two libraries: SQLite, zstd and snappy promise the format, not the bytes.
//
// Rows are read, converted and written a few hundred at a time, so memory does
// not grow with the catalog.
package dump

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Routes of the dumps. The first two have a gzip copy at the
// route with ".gz" added.
const (
	RouteSQLite    = "/api/v1/export/entries.sqlite"
	RouteParquet   = "/api/v1/export/entries.parquet"
	RouteChecksums = "/api/v1/export/checksums.txt"
)

// Sums tells the SHA-256 and the size, in bytes, of a file that was emitted before.
type Sums func(route string) (sum [sha256.Size]byte, size int64, ok bool)

// Held writes a document that was emitted and not asked for its bytes, since the site had one of an equal basis.
type Held func(route string, w io.Writer) error

// Whole makes the dumps in a new directory dir and emits them: the database, the parts of a large table, the table of all
// entries, which quotes these, and last the list of the parts and the checksums of all exports. The exports of
// render/export must have been emitted before.
func Whole(ctx context.Context, c *snapshot.Catalog, dir string, sums Sums, held Held, emit func(artifact.File) error) (err error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	database := filepath.Join(dir, filepath.Base(RouteSQLite))
	if err := writeSQLite(ctx, c, database, export.FullRows(c)); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	if err := errors.Join(emit(whole(RouteSQLite, artifact.SQLite, reading(database))), os.Remove(database)); err != nil {
		return err
	}
	parts := partsOf(c)
	list, err := writeParts(ctx, c, dir, parts, held, emit)
	if err != nil {
		return err
	}
	if err := emit(whole(RouteParquet, artifact.Parquet, together(ctx, c, parts))); err != nil {
		return err
	}
	return lists(c, list, sums, emit)
}

// whole is a document of all entries with a gzip copy.
func whole(route, media string, stream func(io.Writer) error) artifact.File {
	return artifact.File{Route: route, Type: media, Class: export.Class, Stream: stream, Gzip: route + ".gz"}
}

// lists emits what leads to the exports: the list of the parts of the table, and the checksums.
func lists(c *snapshot.Catalog, parts []wire.ParquetPart, sums Sums, emit func(artifact.File) error) error {
	if parts == nil {
		parts = wholePart(c)
	}
	of, err := partsList(c, parts, sums)
	if err != nil {
		return err
	}
	sum, err := checksums(parts, sums)
	if err != nil {
		return err
	}
	return errors.Join(emit(of), emit(artifact.File{Route: RouteChecksums, Type: artifact.Text, Class: export.Class, Body: sum}))
}

// reading streams a file from the disk.
func reading(path string) func(io.Writer) error {
	return func(w io.Writer) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}
}

// summed are the routes in the list of checksums, in its order.
func summed(parts []wire.ParquetPart) (out []string) {
	for _, r := range []string{export.RouteCSV, export.RouteSafe, export.RouteFull, export.RouteFullSafe, export.RouteJSON, export.RouteNDJSON, RouteParquet, RouteSQLite} {
		out = append(out, r, r+".gz")
	}
	for _, p := range parts {
		if p.URL != RouteParquet {
			out = append(out, p.URL)
		}
	}
	return out
}

// checksums is a list as sha256sum writes and checks it. A file is named by
// its address relative to that of the list, which is also where wget puts it;
// sha256sum --check --ignore-missing suits those who took only some.
func checksums(parts []wire.ParquetPart, sums Sums) ([]byte, error) {
	var b bytes.Buffer
	for _, route := range summed(parts) {
		sum, _, ok := sums(route)
		if !ok {
			return nil, fmt.Errorf("checksums: %s was not emitted", route)
		}
		fmt.Fprintf(&b, "%x  %s\n", sum, relative(route))
	}
	return b.Bytes(), nil
}

func relative(route string) string {
	if name, ok := strings.CutPrefix(route, "/api/v1/export/"); ok {
		return name
	}
	return "../" + strings.TrimPrefix(route, "/api/v1/")
}
