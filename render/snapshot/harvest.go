package snapshot

import "github.com/assay-register/assay/render/catalog"

// RunsShown is how many runs of a source are public.
const RunsShown = 50

// Harvested is a source with its latest runs, newest first. The harvest log
// lies beside a snapshot: it is read at the same instant, but a run that
// changed no entry leaves the snapshot what it is.
type Harvested struct {
	Source catalog.Source
	Runs   []catalog.HarvestRun
}
