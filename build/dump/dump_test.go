package dump

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// all makes every export as a build does.
func all(t testing.TB, c *snapshot.Catalog) map[string][]byte {
	t.Helper()
	return after(t, c, nil)
}

// after makes every export as a build does whose site has some parts already, by their routes.
func after(t testing.TB, c *snapshot.Catalog, before map[string][]byte) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	held := func(route string, w io.Writer) error {
		_, err := w.Write(before[route])
		return err
	}
	emit := func(f artifact.File) error {
		b := bytes.NewBuffer(f.Body)
		if had := before[f.Route]; had != nil {
			b.Write(had)
		} else if f.Stream != nil {
			if err := f.Stream(b); err != nil {
				return err
			}
		}
		out[f.Route] = b.Bytes()
		if f.Gzip != "" {
			out[f.Gzip] = []byte("a gzip copy of " + f.Route)
		}
		if have := artifact.TypeOf(artifact.Path(f.Route, f.Type)); have != f.Type {
			t.Errorf("%s is %s on disk and %s in the log", f.Route, have, f.Type)
		}
		return nil
	}
	sums := func(route string) ([sha256.Size]byte, int64, bool) {
		body, ok := out[route]
		return sha256.Sum256(body), int64(len(body)), ok
	}
	dir := filepath.Join(t.TempDir(), "dump")
	must(t, errors.Join(export.Aggregates(c, emit), Whole(context.Background(), c, dir, sums, held, emit)))
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory of the dumps stays: %v", err)
	}
	return out
}

// TestEqualContent compares all forms with the JSON export.
func TestEqualContent(t *testing.T) {
	for name, rows := range map[string][]*catalog.Row{"hostile": exporttest.Rows(), "none": nil, "many": exporttest.Many(1000)} {
		t.Run(name, func(t *testing.T) {
			c := exporttest.Freeze(t, rows)
			files := all(t, c)
			want := exporttest.ReadJSON(t, files[export.RouteJSON])
			if len(want) != len(c.Lines) {
				t.Fatalf("%d records of %d entries", len(want), len(c.Lines))
			}
			facts := map[string]string{}
			for _, m := range meta(c) {
				facts[m[0]] = m[1]
			}
			same(t, "CSV", want, exporttest.ReadCSV(t, files[export.RouteCSV]))
			if n := len(exporttest.ReadNDJSON(t, files[export.RouteNDJSON])); n != len(want) {
				t.Errorf("%d lines of NDJSON", n)
			}
			got, factsOf := readSQLite(t, files[RouteSQLite])
			same(t, "SQLite", want, got)
			same(t, "facts of SQLite", facts, factsOf)
			got, factsOf = readParquet(t, files[RouteParquet])
			same(t, "Parquet", want, got)
			same(t, "facts of Parquet", facts, factsOf)
		})
	}
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s differs (-JSON +%s):\n%s", what, what, d)
	}
}

func TestEqualBytes(t *testing.T) {
	a, b := all(t, exporttest.Freeze(t, exporttest.Many(3000))), all(t, exporttest.Freeze(t, exporttest.Many(3000)))
	if len(a) != 18 || len(b) != len(a) {
		t.Errorf("%d files", len(a))
	}
	for route := range a {
		if !bytes.Equal(a[route], b[route]) {
			t.Errorf("%s differs when it is made again", route)
		}
	}
}

// TestDatabaseHeader reads the header of the file format (sqlite.org/fileformat2).
func TestDatabaseHeader(t *testing.T) {
	body := all(t, exporttest.Freeze(t, exporttest.Rows()))[RouteSQLite]
	word := func(at int) uint32 { return binary.BigEndian.Uint32(body[at:]) }
	for what, pair := range map[string][2]uint32{
		"page size": {uint32(binary.BigEndian.Uint16(body[16:])), 4096}, "no WAL": {uint32(body[18])<<8 | uint32(body[19]), 0x0101},
		"pages": {word(28), uint32(len(body) / 4096)}, "free pages": {word(36), 0}, "UTF-8": {word(56), 1},
		"user version": {word(60), userVersion}, "application": {word(68), applicationID},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %x, want %x", what, pair[0], pair[1])
		}
	}
}

func TestSchema(t *testing.T) {
	rendertest.Golden(t, "schema.txt", []byte(schemas(t, all(t, exporttest.Freeze(t, exporttest.Rows())))))
}

// TestChecksums reads the list as sha256sum does: names are relative to it.
func TestChecksums(t *testing.T) {
	files := all(t, exporttest.Freeze(t, exporttest.Rows()))
	seen := map[string]bool{RouteChecksums: true, wire.RouteParquetParts: true} // which are lists themselves
	for line := range strings.Lines(string(files[RouteChecksums])) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		route := path.Join(path.Dir(RouteChecksums), name)
		body, there := files[route]
		got := sha256.Sum256(body)
		if !ok || !there || seen[route] || hex.EncodeToString(got[:]) != sum {
			t.Errorf("line %q names %s", line, route)
		}
		seen[route] = true
	}
	if len(seen) != len(files) {
		t.Errorf("%d of %d files have a checksum", len(seen)-1, len(files)-1)
	}
	none := func(string) ([sha256.Size]byte, int64, bool) { return [sha256.Size]byte{}, 0, false }
	if _, err := checksums(nil, none); err == nil {
		t.Error("a list without the sums was made")
	}
}

func TestFailuresLeaveNothing(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	full := exporttest.Freeze(t, exporttest.Many(10))
	bad := exporttest.Freeze(t, exporttest.Many(10))
	clear(bad.Streams)
	refuse := errors.New("full disk")
	for name, c := range map[string]struct {
		ctx     context.Context
		catalog *snapshot.Catalog
		emit    func(artifact.File) error
		want    error
	}{
		"cancelled": {ctx, full, func(artifact.File) error { return nil }, context.Canceled},
		"no pieces": {context.Background(), bad, func(artifact.File) error { return nil }, catalog.ErrInvalid},
		"full disk": {context.Background(), full, func(artifact.File) error { return refuse }, refuse},
	} {
		dir := filepath.Join(t.TempDir(), "dump")
		if err := Whole(c.ctx, c.catalog, dir, nil, nil, c.emit); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the directory stays", name)
		}
	}
}
