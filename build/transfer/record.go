// Package transfer writes the whole catalog as lines of JSON and reads it
// back, losslessly both ways: `assay export` and `assay import`.
//
// A line is an object with its kind and the record under the name of the kind:
// {"kind":"entry","entry":{…},"provenance":{…}}. The first line of an export
// is the header of the register. A line without a kind is a bare entry.
package transfer

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx/plain"
)

// Format is the version of the file format.
const Format = 1

// Register is the header of an export.
type Register struct {
	// Format is the version of the file format.
	Format int `json:"format"`
	// LastEvent is the number of the last event.
	LastEvent int64 `json:"last_event"`
}

// record is one line.
type record struct {
	Kind        string               `json:"kind"`
	Register    *Register            `json:"register,omitempty"`
	Institution *catalog.Institution `json:"institution,omitempty"`
	Licence     *catalog.Licence     `json:"licence,omitempty"`
	Source      *catalog.Source      `json:"source,omitempty"`
	HarvestRun  *catalog.HarvestRun  `json:"harvest_run,omitempty"`
	HarvestSeen *HarvestSeen         `json:"harvest_seen,omitempty"`
	Entry       *catalog.Entry       `json:"entry,omitempty"`
	Provenance  *catalog.Provenance  `json:"provenance,omitempty"`
	CheckState  *catalog.CheckState  `json:"check_state,omitempty"`
	Profile     *catalog.Profile     `json:"profile,omitempty"`
	Override    *catalog.Override    `json:"override,omitempty"`
	Target      *catalog.Target      `json:"target,omitempty"`
	Evidence    *catalog.Evidence    `json:"evidence,omitempty"`
	ScoreDay    *catalog.ScoreDay    `json:"score_day,omitempty"`
	UseDay      *catalog.UseDay      `json:"use_day,omitempty"`
	CheckDay    *catalog.CheckDay    `json:"check_day,omitempty"`
	Check       *catalog.Check       `json:"check,omitempty"`
	Incident    *catalog.Incident    `json:"incident,omitempty"`
	Event       *catalog.Event       `json:"event,omitempty"`
	// trail stands for Provenance where that names the entry and has not been
	// taken apart.
	trail plain.Doc[catalog.Provenance]
}

// provenance takes the provenance apart; it is nil where the line has none.
func (r *record) provenance() *catalog.Provenance {
	if p := (catalog.Provenance{}); r.trail != "" && r.trail.Read(&p) {
		return &p
	}
	return r.Provenance
}

// The kinds of lines, in the order in which an export has them: what is
// referred to comes before what refers to it.
const (
	kindRegister    = "register"
	kindInstitution = "institution"
	kindLicence     = "licence"
	kindSource      = "source"
	kindHarvestRun  = "harvest_run"
	kindHarvestSeen = "harvest_seen"
	kindEntry       = "entry"
	kindCheckState  = "check_state"
	kindProfile     = "profile"
	kindOverride    = "override"
	kindTarget      = "target"
	kindEvidence    = "evidence"
	kindScoreDay    = "score_day"
	kindUseDay      = "use_day"
	kindCheckDay    = "check_day"
	kindCheck       = "check"
	kindIncident    = "incident"
	kindEvent       = "event"
)

// members tells for each kind whether its record is there.
func (r *record) members() map[string]bool {
	return map[string]bool{
		kindRegister: r.Register != nil, kindInstitution: r.Institution != nil, kindLicence: r.Licence != nil,
		kindSource: r.Source != nil, kindEntry: r.Entry != nil, kindCheckState: r.CheckState != nil,
		kindProfile: r.Profile != nil, kindOverride: r.Override != nil, kindTarget: r.Target != nil,
		kindEvidence: r.Evidence != nil, kindScoreDay: r.ScoreDay != nil, kindCheck: r.Check != nil, kindEvent: r.Event != nil,
		kindCheckDay: r.CheckDay != nil, kindHarvestRun: r.HarvestRun != nil, kindHarvestSeen: r.HarvestSeen != nil, kindUseDay: r.UseDay != nil,
		kindIncident: r.Incident != nil,
	}
}

// owner is the id of the entry that a record belongs to, "" for a record of
// its own.
func (r *record) owner() string {
	switch r.Kind {
	case kindCheckState:
		return r.CheckState.EntryID
	case kindProfile:
		return r.Profile.EntryID
	case kindOverride:
		return r.Override.EntryID
	case kindTarget:
		return r.Target.EntryID
	case kindEvidence:
		return r.Evidence.EntryID
	case kindScoreDay:
		return r.ScoreDay.EntryID
	case kindUseDay:
		return r.UseDay.EntryID
	case kindCheckDay:
		return r.CheckDay.EntryID
	case kindCheck:
		return r.Check.EntryID
	case kindIncident:
		return r.Incident.EntryID
	case kindEvent:
		return r.Event.EntryID
	}
	return ""
}
