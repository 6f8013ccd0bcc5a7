package search

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the engine beside ours

	"github.com/assay-register/assay/render/search"
)

// fts5 answers with SQLite's FTS5 in its best plain setting: accents removed,
// one weight for each column, all words first, then any.
type fts5 struct {
	db       *sql.DB
	tx       *sql.Tx
	insert   *sql.Stmt
	indexing time.Duration
	n        int
	ids      []string
}

func newFTS5(b testing.TB) *fts5 {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "fts.db")+"?_pragma=journal_mode(off)&_pragma=synchronous(off)")
	check(b, err)
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { db.Close() })
	_, err = db.Exec(`CREATE VIRTUAL TABLE doc USING fts5(title, tags, institution, body, content='', tokenize="unicode61 remove_diacritics 2", prefix='2 3')`)
	check(b, err)
	return &fts5{db: db}
}

// add inserts a document, 5,000 to a transaction.
func (f *fts5) add(d *document) (err error) {
	began := time.Now()
	defer func() { f.indexing += time.Since(began) }()
	if f.tx == nil {
		if f.tx, err = f.db.Begin(); err != nil {
			return err
		}
		if f.insert, err = f.tx.Prepare(`INSERT INTO doc (rowid, title, tags, institution, body) VALUES (?, ?, ?, ?, ?)`); err != nil {
			return err
		}
	}
	f.n++
	f.ids = append(f.ids, d.id)
	if _, err := f.insert.Exec(f.n, d.title, d.tags, d.institution, d.body); err != nil || f.n%5000 != 0 {
		return err
	}
	return f.commit()
}

func (f *fts5) commit() error {
	if f.tx == nil {
		return nil
	}
	err := errors.Join(f.insert.Close(), f.tx.Commit())
	f.tx = nil
	return err
}

func (f *fts5) finish(b testing.TB) {
	b.Helper()
	check(b, f.commit())
	began := time.Now()
	_, err := f.db.Exec(`INSERT INTO doc(doc) VALUES ('optimize')`)
	f.indexing += time.Since(began)
	check(b, err)
}

func (f *fts5) find(ctx context.Context, q string, n int) ([]string, error) {
	var words []string
	for _, w := range search.Terms(q) {
		words = append(words, `"`+w+`"`)
	}
	if len(words) == 0 {
		return nil, nil
	}
	words[len(words)-1] += "*"
	for _, between := range []string{" AND ", " OR "} {
		ids, err := f.query(ctx, strings.Join(words, between), n)
		if err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	return nil, nil
}

func (f *fts5) query(ctx context.Context, match string, n int) ([]string, error) {
	rows, err := f.db.QueryContext(ctx, `SELECT rowid FROM doc WHERE doc MATCH ? ORDER BY bm25(doc, 10, 5, 3, 1) LIMIT ?`, match, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var i int
		if err := rows.Scan(&i); err != nil {
			return nil, err
		}
		ids = append(ids, f.ids[i-1])
	}
	return ids, rows.Err()
}
