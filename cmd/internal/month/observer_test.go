//go:build unix

package month

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// observer looks into the store, only to learn when the register has come to
// rest; what is right is read as the world reads it.
type observer struct {
	store catalog.Store
}

// keys are the keys of all entries by id.
func (o observer) keys(ctx context.Context) (map[string]string, error) {
	keys := map[string]string{}
	err := o.store.View(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			keys[e.ID] = keyIn(e.Name)
			return nil
		})
	})
	return keys, err
}

// harvestedBefore are the sources of which no run ended in the hour after an
// instant.
func (o observer) harvestedBefore(ctx context.Context, at time.Time) (list []string, err error) {
	err = o.store.View(ctx, func(tx catalog.Tx) error {
		all, err := tx.Sources().All(ctx)
		for i := 0; err == nil && i < len(all); i++ {
			if !all[i].Enabled {
				continue
			}
			runs, fail := tx.Runs().Latest(ctx, all[i].ID, 1)
			if err = fail; len(runs) == 0 || runs[0].FinishedAt.Before(at) || runs[0].FinishedAt.Sub(at) > time.Hour {
				list = append(list, all[i].Key)
			}
		}
		return err
	})
	return list, err
}

// restless tells what is still to be done at an instant: entries of those that
// must be checked that were not checked since, probes that are due, and jobs that are
// due or under way.
func (o observer) restless(ctx context.Context, must map[string]bool, since, now time.Time) (list []string, err error) {
	err = o.store.View(ctx, func(tx catalog.Tx) error {
		checked := map[string]bool{}
		if err := tx.CheckStates().Scan(ctx, catalog.Range{}, func(s *catalog.CheckState) error {
			checked[s.EntryID] = !s.LastCheckedAt.Before(since)
			return nil
		}); err != nil {
			return err
		}
		missing := maps.Clone(must)
		if err := tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if !must[keyIn(e.Name)] {
				return nil
			}
			if delete(missing, keyIn(e.Name)); !checked[e.ID] {
				list = append(list, keyIn(e.Name)+" was not checked")
			}
			return nil
		}); err != nil {
			return err
		}
		for key := range missing {
			list = append(list, key+" is not stored")
		}
		due, err := tx.Probes().Due(ctx, now)
		if err != nil {
			return err
		}
		if due > 0 {
			list = append(list, fmt.Sprintf("%d probes are due", due))
		}
		jobs, err := tx.Jobs().List(ctx, catalog.JobFilter{})
		for _, j := range jobs {
			if j.State == catalog.JobRunning || j.State == catalog.JobQueued && !j.RunAt.After(now) {
				list = append(list, fmt.Sprintf("job %s is %s since %s, attempt %d", j.Kind, j.State, j.RunAt.Format(time.DateTime), j.Attempt))
			}
		}
		return err
	})
	return list, err
}
