package catalog

// Row is everything the register knows about one entry at one instant: the
// input of a snapshot.
type Row struct {
	// Entry has the curator's overrides laid over it.
	Entry      Entry
	Overrides  []Override
	Provenance Provenance
	State      *CheckState
	// Checks are those of the last 30 days, oldest first.
	Checks []Check
	// Days are the stored sums of earlier days, oldest first.
	Days    []CheckDay
	Profile *Profile
	Targets []Target
	// Evidence lists kept manifests, without their bodies.
	Evidence []Evidence
	// Contracts are the versions of what clients depend on, without the contracts
	// themselves.
	Contracts []ContractVersion
	// Scores are the days before the snapshot's, oldest first.
	Scores []ScoreDay
	// Uses are those of the days that popularity counts, nil where the register
	// has counted none of any entry.
	Uses *Uses
	// Incidents are those of the entry, the latest EntryIncidents, oldest first.
	Incidents []Incident
	// Said is what owners say of it, oldest first, with what proved who they are.
	Said []Said
	// Reports are those that readers see, oldest first.
	Reports []Report
	// Today is what the store already holds for the snapshot's day, if any.
	Today *ScoreDay
	// Ahead tells that the store has sums or uses of the snapshot's day or of later ones, which
	// count from the next day on.
	Ahead bool
}
