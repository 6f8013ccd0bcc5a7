package build

import (
	"context"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// readHarvests reads the latest runs of each source that had begun by an
// instant.
func readHarvests(ctx context.Context, tx catalog.Tx, sources []catalog.Source, at time.Time) ([]snapshot.Harvested, error) {
	list := make([]snapshot.Harvested, len(sources))
	for i := range sources {
		list[i].Source = sources[i]
		var err error
		if list[i].Runs, err = tx.Runs().Latest(ctx, sources[i].ID, snapshot.RunsShown); err != nil {
			return nil, err
		}
		list[i].Runs = slices.DeleteFunc(list[i].Runs, func(r catalog.HarvestRun) bool { return r.StartedAt.After(at) })
	}
	return list, nil
}

// usedSources leaves out the sources that the register only knows: those that
// are not enabled, were never harvested and that no entry came from, such as
// most of those that ship with the program.
func usedSources(list []snapshot.Harvested, named map[string]bool) []snapshot.Harvested {
	return slices.DeleteFunc(list, func(h snapshot.Harvested) bool {
		return !h.Source.Enabled && len(h.Runs) == 0 && !named[h.Source.ID]
	})
}
