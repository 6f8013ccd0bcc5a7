package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver of PostgreSQL
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // registers the driver of SQLite

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/migrations"
	"github.com/assay-register/assay/render/catalog"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// database is one of the two kinds of store.
type database struct {
	name, driver, folder string
	dialect              goose.Dialect
	// address makes an empty database and returns the names by which the driver
	// and the store open it.
	address func(t *testing.T) (dsn, url string)
	open    func(ctx context.Context, url string) (catalog.Store, error)
}

var databases = []database{
	{"sqlite", "sqlite", "sqlite", goose.DialectSQLite3, func(t *testing.T) (string, string) {
		path := filepath.Join(t.TempDir(), "old.db")
		return path, path
	}, sqlite.Open},
	{"postgres", "pgx", "postgres", goose.DialectPostgres, func(t *testing.T) (string, string) {
		url := pgtest.NewURL(t)
		return url, url
	}, postgres.Open},
}

// TestUpgradeInPlace opens stores that earlier releases filled, upgrades them
// and finds everything in them again.
func TestUpgradeInPlace(t *testing.T) {
	for _, d := range databases {
		for _, release := range []int64{2, 4, 14, 16} {
			t.Run(fmt.Sprintf("%s from schema %d", d.name, release), func(t *testing.T) {
				t.Parallel()
				dsn, url := d.address(t)
				data := fill(t, d, dsn, release)
				before := rows(t, d, dsn, tables(data))
				st, err := d.open(t.Context(), url)
				if err != nil {
					t.Fatal(err)
				}
				kept(t, before, rows(t, d, dsn, before))
				found(t, st, data)
				changeable(t, st)
				if err := st.Close(); err != nil {
					t.Fatal(err)
				}
				again, err := d.open(t.Context(), url)
				if err != nil {
					t.Fatal(err)
				}
				found(t, again, data)
				if err := again.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// literal is how SQLite writes bytes.
var literal = regexp.MustCompile(`\bX'([0-9a-f]*)'`)

// fill makes the schema of a release and writes its rows.
func fill(t *testing.T, d database, dsn string, release int64) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", fmt.Sprintf("schema-%d.sql", release)))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(d.driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files, err := fs.Sub(migrations.Files, d.folder)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(d.dialect, db, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), release); err != nil {
		t.Fatal(err)
	}
	for statement := range strings.Lines(string(data)) {
		if strings.HasPrefix(statement, "--") {
			continue
		}
		if d.name == "postgres" {
			statement = literal.ReplaceAllString(statement, `'\x$1'`)
		}
		if _, err := db.ExecContext(t.Context(), strings.TrimSuffix(statement, ";\n")); err != nil {
			t.Fatalf("%.100s: %v", statement, err)
		}
	}
	return string(data)
}

// found looks for what the rows hold through the contracts of today.
func found(t *testing.T, st catalog.Store, data string) {
	t.Helper()
	want := func(table string) int {
		return len(regexp.MustCompile(`(?m)^INSERT INTO `+table+` `).FindAllString(data, -1))
	}
	got := map[string]int{}
	var ids, slugs []string
	err := st.View(t.Context(), func(tx catalog.Tx) error {
		ctx := t.Context()
		if err := tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			got["entries"]++
			ids, slugs = append(ids, e.ID), append(slugs, e.Slug)
			recognised(t, tx, e)
			if e.Name == "" || e.Revision == 0 || e.CreatedAt.IsZero() {
				t.Errorf("entry %s came without its fields: %+v", e.ID, e)
			}
			return nil
		}); err != nil {
			return err
		}
		if err := tx.Checks().Scan(ctx, catalog.Range{}, time.Time{}, func(*catalog.Check) error { got["checks"]++; return nil }); err != nil {
			return err
		}
		if err := tx.Scores().Scan(ctx, catalog.Range{}, func(*catalog.ScoreDay) error { got["scores"]++; return nil }); err != nil {
			return err
		}
		events, err := tx.Events().After(ctx, 0, 1000)
		if err != nil {
			return err
		}
		got["events"] = len(events)
		owners, err := tx.Entries().BySlug(ctx, slugs...)
		if err != nil {
			return err
		}
		got["slugs"] = len(owners)
		institutions, err := tx.Institutions().All(ctx)
		if err != nil {
			return err
		}
		got["institutions"] = len(institutions)
		sources, err := tx.Sources().All(ctx)
		got["sources"] = len(sources)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for table, n := range got {
		if n < want(table) || n == 0 {
			t.Errorf("%d %s of %d are there after the upgrade", n, table, want(table))
		}
	}
	if !slices.IsSorted(ids) {
		t.Errorf("the entries come in the order %v", ids)
	}
}

// recognised finds an entry by all that a harvest would look it up by.
func recognised(t *testing.T, tx catalog.Tx, e *catalog.Entry) {
	t.Helper()
	keys := slices.DeleteFunc(append(slices.Concat(e.UpstreamAliases, e.Identifiers), e.UpstreamRef, e.MatchKey), func(k string) bool { return k == "" })
	found, err := tx.Entries().Match(t.Context(), keys...)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if !slices.Contains(found[k], e.ID) {
			t.Errorf("entry %s is not found by %q", e.Slug, k)
		}
	}
}

// changeable writes to an upgraded store: numbers go on where they ended.
func changeable(t *testing.T, st catalog.Store) {
	t.Helper()
	err := st.Update(t.Context(), func(tx catalog.Tx) error {
		last, err := tx.Events().Last(t.Context())
		if err != nil {
			return err
		}
		var entry catalog.Entry
		if err := tx.Entries().Scan(t.Context(), catalog.Range{}, func(e *catalog.Entry) error { entry = *e; return nil }); err != nil {
			return err
		}
		entry.Description += " Upgraded."
		event := catalog.Event{Type: catalog.EventUpdated, OccurredAt: entry.UpdatedAt}
		if err := tx.Entries().Put(t.Context(), catalog.Write{Entry: &entry, Events: []catalog.Event{event}}); err != nil {
			return err
		}
		if entry.Revision != last+1 {
			t.Errorf("the change after event %d has revision %d", last, entry.Revision)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
