package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// listing describes how records of one table are read in order.
type listing[T any] struct {
	from string
	// keys are the columns of the order; the first is the entry id, all
	// together are unique.
	keys []string
	// rest are the further columns.
	rest []string
	// page is how many rows are held at a time.
	page int
	// decode makes the record of a row's values, keys first. Its texts may share
	// the memory of its document only when shared says so.
	decode func(row []any, out *T, shared bool) error
}

// docs is the listing of a table whose record is the document in column doc.
func docs[T any](from string, keys ...string) *listing[T] {
	return &listing[T]{from: from, keys: keys, rest: []string{"doc"}, page: 256,
		decode: func(row []any, out *T, shared bool) error { return decodeDoc(row[len(keys)], out, shared) }}
}

func decodeDoc[T any](value any, out *T, shared bool) error {
	doc, ok := value.(string)
	switch {
	case !ok:
		return fmt.Errorf("decode %T: the column holds %T", out, value)
	case shared:
		return decodeShared(doc, out)
	}
	return decodeInto(doc, out)
}

// filter is one more condition, with a single %s for its argument's place.
type filter struct {
	cond string
	arg  any
}

// scan calls fn for each record of the range in order. It reads page by page,
// so that fn may use the transaction and memory does not grow with the range.
func (l *listing[T]) scan(ctx context.Context, c *conn, r catalog.Range, f *filter, fn func(*T) error) error {
	cursor := []any{r.After}
	for {
		text, args := l.query(cursor, r.Through, f)
		rows, err := l.rows(ctx, c, text, args)
		if err != nil {
			return fmt.Errorf("scan %s: %w", l.from, err)
		}
		records, err := l.decodeRows(rows, r.Fleeting)
		if err != nil {
			return fmt.Errorf("scan %s: %w", l.from, err)
		}
		for i := range records {
			if err := fn(&records[i]); err != nil {
				return err
			}
		}
		if len(rows) < l.page {
			return nil
		}
		cursor = rows[len(rows)-1][:len(l.keys)]
	}
}

// query is the text of the page behind the cursor, which holds the first key
// or all keys.
func (l *listing[T]) query(cursor []any, through string, f *filter) (string, []any) {
	args := append([]any(nil), cursor...)
	var b strings.Builder
	b.WriteString("SELECT " + strings.Join(append(l.keys[:len(l.keys):len(l.keys)], l.rest...), ", ") + " FROM " + l.from)
	b.WriteString(" WHERE (" + strings.Join(l.keys[:len(cursor)], ", ") + ") > ")
	writePlaces(&b, 1, len(cursor))
	and := func(cond string, arg any) {
		args = append(args, arg)
		b.WriteString(" AND " + strings.Replace(cond, "%s", "$"+strconv.Itoa(len(args)), 1))
	}
	if through != "" {
		and(l.keys[0]+" <= %s", through)
	}
	if f != nil {
		and(f.cond, f.arg)
	}
	b.WriteString(" ORDER BY " + strings.Join(l.keys, ", ") + " LIMIT " + strconv.Itoa(l.page))
	return b.String(), args
}

func (l *listing[T]) rows(ctx context.Context, c *conn, text string, args []any) ([][]any, error) {
	width := len(l.keys) + len(l.rest)
	var rows [][]any
	dest := make([]any, width)
	err := c.query(ctx, func(s scanner) error {
		row := make([]any, width)
		for i := range row {
			dest[i] = &row[i]
		}
		rows = append(rows, row)
		return s.Scan(dest...)
	}, text, args...)
	return rows, err
}

func (l *listing[T]) decodeAll(rows [][]any) ([]T, error) { return l.decodeRows(rows, false) }

func (l *listing[T]) decodeRows(rows [][]any, shared bool) ([]T, error) {
	records := make([]T, len(rows))
	err := share(len(rows), func(from, to int) error {
		for i := from; i < to; i++ {
			if err := l.decode(rows[i], &records[i], shared); err != nil {
				return fmt.Errorf("%v: %w", rows[i][:len(l.keys)], err)
			}
		}
		return nil
	})
	return records, err
}

// one reads the record that the condition on its first place finds.
func (l *listing[T]) one(ctx context.Context, c *conn, column, key string) (*T, error) {
	text := "SELECT " + strings.Join(append(l.keys[:len(l.keys):len(l.keys)], l.rest...), ", ") +
		" FROM " + l.from + " WHERE " + column + " = $1"
	rows, err := l.rows(ctx, c, text, []any{key})
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", l.from, key, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s %q: %w", l.from, key, catalog.ErrNotFound)
	}
	out := new(T)
	if err := l.decode(rows[0], out, false); err != nil {
		return nil, fmt.Errorf("%s %q: %w", l.from, key, err)
	}
	return out, nil
}

// all reads a whole small table, of which the caller keeps all records or none.
func (l *listing[T]) all(ctx context.Context, c *conn) ([]T, error) {
	var list []T
	err := l.scan(ctx, c, catalog.Range{Fleeting: true}, nil, func(v *T) error {
		list = append(list, *v)
		return nil
	})
	return list, err
}
