package dump

import (
	"bytes"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
)

// readSQLite reads the records and the facts about the snapshot.
func readSQLite(t testing.TB, body []byte) ([]export.Record, map[string]string) {
	t.Helper()
	db := openSQLite(t, body)
	for _, pragma := range []string{"integrity_check", "quick_check"} {
		var verdict string
		must(t, db.QueryRow("PRAGMA "+pragma).Scan(&verdict))
		if verdict != "ok" {
			t.Fatalf("%s: %s", pragma, verdict)
		}
	}
	var out []export.Record
	var names []string
	for _, c := range export.Columns {
		names = append(names, c.Name)
	}
	rows, err := db.Query("SELECT " + strings.Join(names, ", ") + " FROM entries ORDER BY rowid")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var cells export.Cells
		into := make([]any, len(cells))
		for i := range cells {
			into[i] = &cells[i]
		}
		must(t, rows.Scan(into...))
		out = append(out, exporttest.FromCells(&cells))
	}
	must(t, rows.Err())
	return out, readMeta(t, db)
}

// openSQLite opens a copy of the database that nothing can write to.
func openSQLite(t testing.TB, body []byte) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "read.sqlite")
	must(t, os.WriteFile(path, body, 0o600))
	u := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro&immutable=1"}
	db, err := sql.Open("sqlite", u.String())
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

func readMeta(t testing.TB, db *sql.DB) map[string]string {
	t.Helper()
	rows, err := db.Query("SELECT key, value FROM snapshot_meta")
	must(t, err)
	defer rows.Close()
	facts := map[string]string{}
	for rows.Next() {
		var key, value string
		must(t, rows.Scan(&key, &value))
		facts[key] = value
	}
	must(t, rows.Err())
	return facts
}

// readParquet reads the records and the facts about the snapshot.
func readParquet(t testing.TB, body []byte) ([]export.Record, map[string]string) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)))
	must(t, err)
	facts := map[string]string{}
	for _, kv := range f.Metadata().KeyValueMetadata {
		facts[kv.Key] = kv.Value
	}
	rows, err := parquet.Read[row](bytes.NewReader(body), int64(len(body)))
	must(t, err)
	stamp := func(at time.Time) string { return at.UTC().Format(time.RFC3339) }
	var out []export.Record
	for i := range rows {
		r := &rows[i]
		record := export.Record{ID: r.ID, Name: r.Name, Slug: r.Slug, Type: r.Type, Description: r.Description, CountryCode: r.CountryCode,
			HomepageURL: r.HomepageURL, DocsURL: r.DocsURL, RepoURL: r.RepoURL, FreeAccessClass: r.FreeAccessClass, AuthType: r.AuthType,
			Status: r.Status, VerificationState: r.VerificationState, Tags: r.Tags, CreatedAt: stamp(r.CreatedAt), UpdatedAt: stamp(r.UpdatedAt)}
		if record.Tags == nil {
			record.Tags = []string{}
		}
		if r.LastVerifiedAt != nil {
			at := stamp(*r.LastVerifiedAt)
			record.LastVerifiedAt = &at
		}
		out = append(out, record)
	}
	return out, facts
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
