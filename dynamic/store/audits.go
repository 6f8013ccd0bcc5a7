package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type audits struct{ c *conn }

var insertAudits = newInsert("audits", "number subject doc", "")

func (a audits) Append(ctx context.Context, rows ...catalog.AuditRow) error {
	if len(rows) == 0 {
		return nil
	}
	var last int64
	err := a.c.query(ctx, func(s scanner) error { return s.Scan(&last) },
		"UPDATE counters SET value = value + $1 WHERE name = 'audit' RETURNING value", len(rows))
	if err != nil {
		return fmt.Errorf("number %d audit rows: %w", len(rows), err)
	}
	numbered := make([]catalog.AuditRow, len(rows))
	for i, r := range rows {
		r.Number = last - int64(len(rows)-1-i)
		numbered[i] = r
	}
	return putDocs(ctx, a.c, insertAudits, numbered, func(r *catalog.AuditRow) []any { return []any{r.Number, r.Subject} })
}

func (a audits) Before(ctx context.Context, number int64, subject string, limit int) ([]catalog.AuditRow, error) {
	var list []catalog.AuditRow
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		var r catalog.AuditRow
		if err := s.Scan(&doc); err != nil {
			return err
		}
		if err := decodeInto(doc, &r); err != nil {
			return err
		}
		list = append(list, r)
		return nil
	}, "SELECT doc FROM audits WHERE ($1 = 0 OR number < $1) AND ($2 = '' OR subject = $2) ORDER BY number DESC LIMIT $3", number, subject, limit)
	if err != nil {
		return nil, fmt.Errorf("audit rows: %w", err)
	}
	return list, nil
}
