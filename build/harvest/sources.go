package harvest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/build/harvest/apigouvfr"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/ukapicatalogue"
	"github.com/assay-register/assay/render/catalog"
)

// ShippedSources lists the sources that ship with the product, marked official
// with their reasons (decisions §5). They have no clocks yet.
func ShippedSources() []catalog.Source {
	return []catalog.Source{
		{
			ID: SourceID("gb-api-catalogue"), Kind: ukapicatalogue.Kind, Title: "UK Government API Catalogue",
			URL: "https://www.api.gov.uk/", CountryCode: "GB", InstitutionID: InstitutionID("gb-government-digital-service"),
			Official: "Catalogue of public-sector APIs, each added by the organisation that runs it and reviewed by government staff.",
		},
		{
			ID: SourceID("fr-api-gouv"), Kind: apigouvfr.Kind, Title: "api.gouv.fr",
			URL: "https://api.gouv.fr/", CountryCode: "FR", InstitutionID: InstitutionID("fr-dinum"),
			Official: "Catalogue of the APIs of the French public service, run by the inter-ministerial digital directorate.",
		},
	}
}

// putSources stores sources that are new or changed. The creation time of a
// known one stays, and so does an administrator's word on whether it is
// official.
func putSources(ctx context.Context, tx catalog.Tx, list []catalog.Source, now time.Time) error {
	var changed []catalog.Source
	for _, s := range list {
		s.CreatedAt, s.UpdatedAt = now, now
		old, err := tx.Sources().Get(ctx, s.ID)
		switch {
		case errors.Is(err, catalog.ErrNotFound):
		case err != nil:
			return err
		default:
			s.CreatedAt, s.Official = old.CreatedAt, old.Official
			same := s
			same.UpdatedAt = old.UpdatedAt
			if equal(same, *old) {
				continue
			}
		}
		changed = append(changed, s)
	}
	if len(changed) == 0 {
		return nil
	}
	return tx.Sources().Put(ctx, changed...)
}

// register makes sure that the source of the run is in the store and has an
// id: one that was made up for a single run gets that of its kind and address.
func register(ctx context.Context, st catalog.Store, in *source.Input, now time.Time) error {
	s := &in.Source
	if s.ID == "" {
		s.ID = SourceID(s.Kind + "|" + first(s.URL, in.Name))
	}
	if s.Title == "" {
		s.Title = first(s.URL, in.Name)
	}
	err := st.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.Sources().Get(ctx, s.ID)
		if !errors.Is(err, catalog.ErrNotFound) {
			return err
		}
		made := *s
		made.CreatedAt, made.UpdatedAt = now, now
		return tx.Sources().Put(ctx, made)
	})
	if err != nil {
		return fmt.Errorf("register source %s: %w", s.ID, err)
	}
	return nil
}
