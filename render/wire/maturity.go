package wire

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// Maturity is the reading of the maturity ladder for one entry.
type Maturity struct {
	EntryID          string               `json:"entry_id"`
	Granularity      string               `json:"granularity"`
	GranularityLabel string               `json:"granularity_label"`
	Level            catalog.Maturity     `json:"level"`
	LevelIndex       int                  `json:"level_index"`
	LevelLabel       string               `json:"level_label"`
	Meaning          string               `json:"meaning"`
	CountsAsCoverage bool                 `json:"counts_as_coverage"`
	BlockedBy        *catalog.Maturity    `json:"blocked_by"`
	Rungs            []Rung               `json:"rungs"`
	Officialness     MaturityOfficialness `json:"officialness"`
	SourceFamily     SourceFamily         `json:"source_family"`
	GeneratedAt      *string              `json:"generated_at"`
}

// Rung is one step of the ladder.
type Rung struct {
	Level            catalog.Maturity `json:"level"`
	LevelIndex       int              `json:"level_index"`
	Label            string           `json:"label"`
	Meaning          string           `json:"meaning"`
	Evidence         string           `json:"evidence"`
	CountsAsCoverage bool             `json:"counts_as_coverage"`
	Met              bool             `json:"met"`
	Reached          bool             `json:"reached"`
	Criterion        string           `json:"criterion"`
}

// MaturityOfficialness says what the officialness of the entry rests on.
type MaturityOfficialness struct {
	Basis           catalog.OfficialnessBasis `json:"basis"`
	Label           string                    `json:"label"`
	ProofConfidence *int                      `json:"proof_confidence"`
	ProvenThreshold int                       `json:"proven_threshold"`
	InstitutionID   *string                   `json:"institution_id"`
	Definition      string                    `json:"definition"`
}

// SourceFamily is the host that serves the primary source: a per-host reading
// that is never combined with the per-entry one.
type SourceFamily struct {
	Key   string `json:"key"`
	Label string `json:"label"`
}

var basisLabels = map[catalog.OfficialnessBasis][2]string{
	catalog.OfficialNot:       {"Not official", "The entry is not known to belong to the public sector."},
	catalog.OfficialProven:    {"Proven for this item", "The proof signals of this item reach the threshold and its institution is known."},
	catalog.OfficialInherited: {"Inherited from the catalogue", "An official catalogue or a known institution vouches for the item; its own proof is below the threshold."},
}

func newMaturity(s *snapshot.Scored) Maturity {
	e, r := s.Entry(), &s.Result
	level := r.Maturity.Level
	host := catalog.Host(e.PrimarySourceURL)
	m := Maturity{
		EntryID: e.ID, Granularity: "entry", GranularityLabel: "One entry", Level: level.Level, LevelIndex: level.Index,
		LevelLabel: level.Label, Meaning: level.Meaning, CountsAsCoverage: level.Coverage,
		SourceFamily: SourceFamily{Key: host, Label: host}, GeneratedAt: stamp(s.SettledAt),
		Officialness: MaturityOfficialness{
			Basis: r.Basis, Label: basisLabels[r.Basis][0], Definition: basisLabels[r.Basis][1],
			ProofConfidence: r.Confidence, ProvenThreshold: score.ProvenThreshold, InstitutionID: null(e.InstitutionID),
		},
	}
	if r.Maturity.BlockedBy != "" {
		m.BlockedBy = &r.Maturity.BlockedBy
	}
	for _, rung := range r.Maturity.Rungs {
		m.Rungs = append(m.Rungs, Rung{rung.Level, rung.Index, rung.Label, rung.Meaning, rung.Evidence, rung.Coverage,
			rung.Met, rung.Reached, rung.Criterion})
	}
	return m
}
