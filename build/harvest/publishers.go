package harvest

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

// Publishers tells of the stored entries of a source which institution the
// register took for each stated publisher, and why, those of most entries first.
// The reason is that of the first entry of each, from its provenance.
func Publishers(ctx context.Context, st catalog.Store, sourceID string) ([]catalog.PublisherDecision, error) {
	var found *decisions
	err := st.View(ctx, func(tx catalog.Tx) error {
		found = newDecisions()
		institutions, err := tx.Institutions().All(ctx)
		if err != nil {
			return err
		}
		byID := make(map[string]*catalog.Institution, len(institutions))
		for i := range institutions {
			byID[institutions[i].ID] = &institutions[i]
		}
		first := map[*catalog.PublisherDecision]string{}
		err = tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.SourceID != sourceID || e.Status == catalog.StatusRemoved {
				return nil
			}
			row := found.row(e, byID[e.InstitutionID], "", "")
			if row == nil {
				return nil
			}
			if row.Records++; row.Records == 1 {
				first[row] = e.ID
			}
			return nil
		})
		if err != nil {
			return err
		}
		for row, id := range first {
			if row.Rule, row.Evidence, err = whyInstitution(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("publishers of source %s: %w", sourceID, err)
	}
	return found.list(), nil
}

// whyInstitution is how the institution of an entry was found, and by what.
func whyInstitution(ctx context.Context, tx catalog.Tx, id string) (how, evidence string, err error) {
	p, err := tx.Provenances().Get(ctx, id)
	if errors.Is(err, catalog.ErrNotFound) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Field == "institution_id" {
			return cmp.Or(r.Transform, string(r.Basis)), r.Note, nil
		}
	}
	return "", "", nil
}
