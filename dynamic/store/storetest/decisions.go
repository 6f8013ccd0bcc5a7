package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var decisionTests = map[string]func(*testing.T, catalog.Store){"PublisherDecisions": testDecisions}

// testDecisions: the decisions of a source keep their order, are replaced as a
// whole, and leave those of other sources alone.
func testDecisions(t *testing.T, s catalog.Store) {
	var many []catalog.PublisherDecision
	for i := range 1200 {
		many = append(many, catalog.PublisherDecision{Publisher: fmt.Sprint("Office ", (i*7)%1200), Records: i})
	}
	many[1] = filled[catalog.PublisherDecision](t, 1)
	put := func(source string, list []catalog.PublisherDecision) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error {
			return tx.PublisherDecisions().Replace(ctx, source, list)
		})
	}
	put("a", many)
	put("b", many[:2])
	put("a", many[1:])
	put("c", many[:3])
	put("c", nil)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		for source, want := range map[string][]catalog.PublisherDecision{"a": many[1:], "b": many[:2], "c": nil, "nobody": nil} {
			got, err := tx.PublisherDecisions().Of(ctx, source)
			wantErr(t, source, err, nil)
			wantEqual(t, source, got, want)
		}
		return nil
	})
	for source, list := range map[string][]catalog.PublisherDecision{"": many[:1], "a": make([]catalog.PublisherDecision, catalog.PublisherDecisionsMax+1)} {
		err := s.Update(t.Context(), func(tx catalog.Tx) error { return tx.PublisherDecisions().Replace(t.Context(), source, list) })
		wantErr(t, fmt.Sprintf("%d of %q", len(list), source), err, catalog.ErrInvalid)
	}
}
