package search

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
)

// postgres answers with PostgreSQL's full-text search in its best plain
// setting: unaccent, one weight for each part, GIN; where fewer than ten fit,
// titles that are similar by their trigrams follow.
type postgres struct {
	pool     *pgxpool.Pool
	pending  [][]any
	indexing time.Duration
}

func newPostgres(b testing.TB) *postgres {
	b.Helper()
	pool, err := pgxpool.New(context.Background(), pgtest.NewURL(b))
	check(b, err)
	b.Cleanup(pool.Close)
	p := &postgres{pool: pool}
	for _, s := range []string{
		`CREATE EXTENSION unaccent`, `CREATE EXTENSION pg_trgm`,
		`CREATE TEXT SEARCH CONFIGURATION folded (COPY = simple)`,
		`ALTER TEXT SEARCH CONFIGURATION folded ALTER MAPPING FOR hword, hword_part, word, asciiword, asciihword, hword_asciipart WITH unaccent, simple`,
		`CREATE TABLE doc (id text, title text, tags text, institution text, body text, type text, country text, kind text, state text,
			tag text[], format text[], ranking real, item text, tsv tsvector)`,
	} {
		_, err := pool.Exec(context.Background(), s)
		check(b, err)
	}
	return p
}

func (p *postgres) add(d *document) error {
	l := &d.line
	clean := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "\x00", "")) }
	p.pending = append(p.pending, []any{d.id, clean(d.title), clean(d.tags), clean(d.institution), clean(d.body), string(l.Type), l.Country, string(l.InstType),
		string(l.State), nonNil(l.Tags), nonNil(l.Formats), l.Ranking.Float(), string(d.item)})
	if len(p.pending) < 5000 {
		return nil
	}
	return p.flush()
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (p *postgres) flush() error {
	began := time.Now()
	_, err := p.pool.CopyFrom(context.Background(), pgx.Identifier{"doc"}, []string{"id", "title", "tags", "institution", "body", "type", "country", "kind", "state",
		"tag", "format", "ranking", "item"}, pgx.CopyFromRows(p.pending))
	p.pending = p.pending[:0]
	p.indexing += time.Since(began)
	return err
}

func (p *postgres) finish(b testing.TB) {
	b.Helper()
	check(b, p.flush())
	began := time.Now()
	for _, s := range []string{
		`UPDATE doc SET tsv = setweight(to_tsvector('folded', title), 'A') || setweight(to_tsvector('folded', tags), 'B') ||
			setweight(to_tsvector('folded', institution), 'C') || setweight(to_tsvector('folded', left(body, 500000)), 'D')`,
		`UPDATE doc SET title = unaccent(title)`, `VACUUM FULL doc`,
		`CREATE INDEX ON doc USING gin (tsv)`, `CREATE INDEX ON doc USING gin (title gin_trgm_ops)`, `CREATE INDEX ON doc (country, type)`, `ANALYZE doc`,
	} {
		_, err := p.pool.Exec(context.Background(), s)
		check(b, err)
	}
	p.indexing += time.Since(began)
}

func (p *postgres) find(ctx context.Context, q string, n int) ([]string, error) {
	q = strings.ToLower(q)
	ids, err := p.ids(ctx, `SELECT id FROM doc, websearch_to_tsquery('folded', $1) q WHERE tsv @@ q
		ORDER BY ts_rank_cd('{0.1, 0.3, 0.5, 1}', tsv, q, 1) DESC, ranking DESC, id LIMIT $2`, q, n)
	if err != nil || len(ids) >= n {
		return ids, err
	}
	more, err := p.ids(ctx, `SELECT id FROM doc WHERE unaccent($1) <% title ORDER BY word_similarity(unaccent($1), title) DESC, similarity(unaccent($1), title) DESC, id LIMIT $2`, q, n)
	for _, id := range more {
		if len(ids) < n && !contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

func (p *postgres) ids(ctx context.Context, sql string, args ...any) ([]string, error) {
	rows, err := p.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
