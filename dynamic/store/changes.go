package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// changes reads what the triggers of the schema note. Writers follow each other, so
// what is written after a mark bears its number or a later one.
type changes struct{ c *conn }

func (a changes) Mark(ctx context.Context) (string, error) {
	var number int64
	err := a.c.query(ctx, func(s scanner) error { return s.Scan(&number) }, "UPDATE counters SET value = value + 1 WHERE name = 'mark' RETURNING value")
	if err != nil {
		return "", fmt.Errorf("number a mark: %w", err)
	}
	name := rand.Text()
	if _, err := a.c.exec(ctx, "INSERT INTO change_marks (number, name) VALUES ($1, $2)", number, name); err != nil {
		return "", fmt.Errorf("set mark %d: %w", number, err)
	}
	if _, err := a.c.exec(ctx, "DELETE FROM change_marks WHERE number <= $1", number-catalog.MarksKept); err != nil {
		return "", fmt.Errorf("forget marks: %w", err)
	}
	return strconv.FormatInt(number, 10) + "-" + name, nil
}

func (a changes) Since(ctx context.Context, mark string) (ids []string, err error) {
	digits, name, _ := strings.Cut(mark, "-")
	number, known := int64(0), false
	if number, err = strconv.ParseInt(digits, 10, 64); err == nil {
		err = a.c.query(ctx, func(s scanner) error {
			var one int
			known = true
			return s.Scan(&one)
		}, "SELECT 1 FROM change_marks WHERE number = $1 AND name = $2", number, name)
	}
	if !known && (err == nil || errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange)) {
		err = catalog.ErrNotFound
	}
	if err == nil {
		err = a.c.query(ctx, func(s scanner) error {
			var id string
			err := s.Scan(&id)
			ids = append(ids, id)
			return err
		}, "SELECT entry_id FROM entry_changes WHERE mark >= $1 ORDER BY entry_id", number)
	}
	if err != nil {
		return nil, fmt.Errorf("changes since mark %q: %w", mark, err)
	}
	return ids, nil
}
