package entries

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/wire"
)

// Checks answers with the probes of an entry up to the last one, which the snapshot, whose
// pages move once a day, may not show yet (decisions-2 §F). Where it does, where there is no
// such entry, and while the store is away, static answers.
func Checks(library *query.Library, store catalog.Store, now func() time.Time, static web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("id")
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		i := s.ByID(id)
		if i < 0 || r.URL.RawQuery != "" {
			return static(w, r)
		}
		row, err := checked(r.Context(), store, id, time.Unix(s.Lines[i].Verified, 0), now())
		if err != nil || row == nil {
			return static(w, r)
		}
		body, err := wire.Seal(wire.NewChecks(row, now().UTC().Truncate(24*time.Hour)), row.State.UpdatedAt, true)
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheMutable, Snapshot: s.ID}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}

// checked reads the checks of an entry, nil if there are none that are later than those shown.
func checked(ctx context.Context, store catalog.Store, id string, shown, now time.Time) (row *catalog.Row, err error) {
	err = store.View(ctx, func(tx catalog.Tx) error {
		row = nil
		state, err := tx.CheckStates().Get(ctx, id)
		if errors.Is(err, catalog.ErrNotFound) || err == nil && state.LastCheckedAt.Truncate(time.Second).Equal(shown) {
			return nil
		}
		if err != nil {
			return err
		}
		row = &catalog.Row{Entry: catalog.Entry{ID: id}, State: state}
		since := score.Since(score.Since(now.UTC().Truncate(24 * time.Hour)))
		return errors.Join(
			tx.Checks().Scan(ctx, catalog.Only(id), since, func(c *catalog.Check) error {
				row.Checks = append(row.Checks, *c)
				return nil
			}),
			tx.Checks().ScanDays(ctx, catalog.Only(id), func(d *catalog.CheckDay) error {
				row.Days = append(row.Days, *d)
				return nil
			}))
	})
	return row, err
}
