package score

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Input is what an entry is judged by.
type Input struct {
	Row *catalog.Row
	// Institution, Licence and Source are nil when the entry has none or the
	// register does not know it.
	Institution *catalog.Institution
	Licence     *catalog.Licence
	Source      *catalog.Source
	// Day is the start of the UTC day of the snapshot: what depends on time
	// moves once a day (decisions §2).
	Day time.Time

	// actions are what can be done with the entry, nil until they are known.
	actions []Action
}

// Outcome is the result of one rule.
type Outcome string

// Outcomes.
const (
	Met     Outcome = "met"
	NotMet  Outcome = "not_met"
	Unknown Outcome = "unknown"
)

func met(ok bool) Outcome {
	if ok {
		return Met
	}
	return NotMet
}

func (in *Input) entry() *catalog.Entry { return &in.Row.Entry }

// PublicSector tells whether the entry belongs to the public sector: a known
// public institution, not one that a catalogue only names, stands behind it, or an official source lists it, and it
// is not run by someone else (decisions §5).
func (in *Input) PublicSector() bool {
	if in.entry().ThirdParty {
		return false
	}
	return in.Institution.Known() || in.vouched()
}

// vouched tells whether an official source vouches for the entry: the one it
// comes from, or the one that let it in.
func (in *Input) vouched() bool {
	a := in.entry().Admission
	return in.Source != nil && in.Source.Official != "" || a != nil && a.Rule == catalog.AdmittedBySource
}
