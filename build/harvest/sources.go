package harvest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/build/harvest/apigouvfr"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/ukapicatalogue"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// ShippedSources lists the sources that ship with the product, marked official
// with their reasons (decisions §5), by key. They have no clocks yet, and none
// is enabled.
func ShippedSources() ([]catalog.Source, error) {
	rows, err := reference.Sources()
	if err != nil {
		return nil, fmt.Errorf("read sources: %w", err)
	}
	list := make([]catalog.Source, len(rows))
	for i, r := range rows {
		list[i] = catalog.Source{ID: SourceID(r.Key), Key: r.Key, Kind: r.Kind, Title: r.Title, URL: r.URL, Endpoint: r.Endpoint, CountryCode: r.CountryCode, Official: r.Official, Portal: r.Portal}
		if r.Institution != "" {
			list[i].InstitutionID = InstitutionID(r.Institution)
		}
	}
	return list, nil
}

// putSources stores sources that are new or changed. The creation time of a
// known one stays, and so do an administrator's words: whether it is official,
// enabled, and when it is due. A row of the configuration file stays whole.
func putSources(ctx context.Context, tx catalog.Tx, list []catalog.Source, now time.Time) error {
	var changed []catalog.Source
	for _, s := range list {
		s.CreatedAt, s.UpdatedAt = now, now
		old, err := tx.Sources().Get(ctx, s.ID)
		switch {
		case errors.Is(err, catalog.ErrNotFound):
		case err != nil:
			return err
		case old.Configured, old.Managed:
			continue
		default:
			s.CreatedAt, s.Official, s.Enabled, s.Schedule = old.CreatedAt, old.Official, old.Enabled, old.Schedule
			if same(&s, old) {
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

// same tells whether two rows of a source differ in nothing but the time.
func same(s, old *catalog.Source) bool {
	c := *s
	c.UpdatedAt = old.UpdatedAt
	return equal(c, *old)
}

// Configure makes the rows of the store those of a configuration file. A row
// that the file had and has no longer stays, without being due any more.
func Configure(ctx context.Context, st catalog.Store, list []catalog.Source, now time.Time) error {
	err := st.Update(ctx, func(tx catalog.Tx) error {
		stored, err := tx.Sources().All(ctx)
		if err != nil {
			return err
		}
		known, named := map[string]catalog.Source{}, map[string]bool{}
		for _, s := range stored {
			known[s.ID] = s
		}
		var changed []catalog.Source
		keep := func(s catalog.Source) {
			s.CreatedAt, s.UpdatedAt = now, now
			old, ok := known[s.ID]
			if ok {
				s.CreatedAt = old.CreatedAt
			}
			if !ok || !same(&s, &old) {
				changed = append(changed, s)
			}
		}
		for _, s := range list {
			named[s.ID], s.Configured = true, true
			keep(s)
		}
		for _, s := range stored {
			if s.Configured && !named[s.ID] {
				s.Configured, s.Enabled = false, false
				keep(s)
			}
		}
		if len(changed) == 0 {
			return nil
		}
		return tx.Sources().Put(ctx, changed...)
	})
	if err != nil {
		return fmt.Errorf("store the configured sources: %w", err)
	}
	return nil
}

// register makes sure that the source of the run is in the store and has an
// id: one that was made up for a single run gets that of its kind and address.
func register(ctx context.Context, st catalog.Store, in *source.Input, now time.Time) error {
	s := &in.Source
	if s.ID == "" {
		s.ID = SourceID(s.Kind + "|" + cmp.Or(s.URL, in.Name))
	}
	if s.Title == "" {
		s.Title = cmp.Or(s.URL, in.Name)
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

// OwnKinds are the kinds that a single catalogue publishes.
func OwnKinds() []string { return []string{apigouvfr.Kind, ukapicatalogue.Kind} }
