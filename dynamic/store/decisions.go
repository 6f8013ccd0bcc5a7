package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type decisions struct{ c *conn }

var insertDecisions = newInsert("publisher_decisions", "source_id n doc", "")

func (a decisions) Replace(ctx context.Context, sourceID string, list []catalog.PublisherDecision) error {
	if sourceID == "" || len(list) > catalog.PublisherDecisionsMax {
		return fmt.Errorf("%d decisions on publishers of source %q: the source is required, and at most %d of them are kept: %w",
			len(list), sourceID, catalog.PublisherDecisionsMax, catalog.ErrInvalid)
	}
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, 3*len(list))
	for n := range list {
		values = append(values, sourceID, n, docs[n])
	}
	if _, err := a.c.exec(ctx, "DELETE FROM publisher_decisions WHERE source_id = $1", sourceID); err != nil {
		return fmt.Errorf("replace decisions on publishers of source %s: %w", sourceID, err)
	}
	if _, err := a.c.insertRows(ctx, insertDecisions, values); err != nil {
		return fmt.Errorf("put decisions on publishers of source %s: %w", sourceID, err)
	}
	return nil
}

func (a decisions) Of(ctx context.Context, sourceID string) ([]catalog.PublisherDecision, error) {
	var list []catalog.PublisherDecision
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		if err := s.Scan(&doc); err != nil {
			return err
		}
		var d catalog.PublisherDecision
		err := decodeInto(doc, &d)
		list = append(list, d)
		return err
	}, "SELECT doc FROM publisher_decisions WHERE source_id = $1 ORDER BY n", sourceID)
	if err != nil {
		return nil, fmt.Errorf("decisions on publishers of source %s: %w", sourceID, err)
	}
	return list, nil
}
