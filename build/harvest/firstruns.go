package harvest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// FirstRun is a source that a process reads for the first time.
type FirstRun struct {
	Source catalog.Source
	Run    catalog.HarvestRun
}

// Worker names the process.
func (f *FirstRun) Worker() string { return cmp.Or(workerOf(f.Run.Owner), "another process") }

// firstRunsLook is how many runs of a source are looked at.
const firstRunsLook = 100

// FirstRuns lists the enabled sources that living processes are reading for the
// first time: a build could not show yet what they list.
func FirstRuns(ctx context.Context, st catalog.Store, now time.Time) (list []FirstRun, err error) {
	err = st.View(ctx, func(tx catalog.Tx) error {
		list = nil
		all, err := tx.Sources().All(ctx)
		if err != nil {
			return err
		}
		for i := range all {
			if !all[i].Enabled {
				continue
			}
			runs, err := tx.Runs().Latest(ctx, all[i].ID, firstRunsLook)
			if err != nil {
				return err
			}
			reached := slices.ContainsFunc(runs, func(r catalog.HarvestRun) bool { return r.Reached() })
			if len(runs) > 0 && runs[0].Held(now) && !reached {
				list = append(list, FirstRun{all[i], runs[0]})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for sources that are read for the first time: %w", err)
	}
	return list, nil
}
