package wire

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// QualityScore is the answer of quality-score: every score with its "why".
type QualityScore struct {
	EntryID       string `json:"entry_id"`
	RubricVersion string `json:"rubric_version"`
	// Day is the UTC day since which all scores have these values, as far as days are stored.
	Day          string        `json:"day"`
	MQAScore     float64       `json:"mqa_score"`
	MQATier      string        `json:"mqa_tier"`
	TrustScore   float64       `json:"trust_score"`
	RankingScore float64       `json:"ranking_score"`
	Axes         []Axis        `json:"axes"`
	Verification ScoreInput    `json:"verification"`
	Freshness    Freshness     `json:"freshness"`
	Popularity   Popularity    `json:"popularity"`
	Formulas     []Formula     `json:"formulas"`
	Unknown      []string      `json:"unknown"`
	Advice       []ScoreAdvice `json:"advice"`
}

// Axis is one quality axis. Value is 0 to 100 with one decimal, null when
// unknown; an unknown axis counts 0.
type Axis struct {
	ID       string    `json:"id"`
	Label    string    `json:"label"`
	Weight   int       `json:"weight"`
	Value    *float64  `json:"value"`
	Note     *string   `json:"note"`
	Findings []Finding `json:"findings"`
}

// Finding is the outcome of one rule. Points and max are on the axis's scale.
type Finding struct {
	Rule     string        `json:"rule"`
	Meaning  string        `json:"meaning"`
	Outcome  score.Outcome `json:"outcome"`
	Points   float64       `json:"points"`
	Max      float64       `json:"max"`
	Field    string        `json:"field"`
	Evidence *string       `json:"evidence"`
}

// ScoreInput is a value that a total uses besides the axes.
type ScoreInput struct {
	Value *float64 `json:"value"`
	Note  string   `json:"note"`
}

// Freshness is an input with the UTC day on which it took its value: the day of the
// publisher's last change and the step that its age has reached; null without that day.
type Freshness struct {
	Value *float64 `json:"value"`
	Note  string   `json:"note"`
	Since *string  `json:"since"`
}

func newFreshness(s *snapshot.Scored) Freshness {
	r := &s.Result
	if !r.FreshnessKnown {
		return Freshness{Note: "the publisher states no date of modification"}
	}
	value, since := r.Freshness.Float(), r.FreshSince.Format(time.DateOnly)
	return Freshness{&value, "100 times 0.5 to the power of the age of the publisher's last change / 180; ages count in steps of days", &since}
}

// ScoredAt is the latest change among what NewQualityScore shows.
func ScoredAt(s *snapshot.Scored) time.Time {
	if s.Result.FreshSince.After(s.SettledAt) {
		return s.Result.FreshSince
	}
	return s.SettledAt
}

// Popularity is an input with what it was counted from; uses is null where
// nothing was counted.
type Popularity struct {
	Value *float64 `json:"value"`
	Note  string   `json:"note"`
	Uses  *Uses    `json:"uses"`
}

// Uses are how often readers used an entry in the days that popularity counts.
type Uses struct {
	Watches   int `json:"watches"`
	Citations int `json:"citations"`
	Proxied   int `json:"proxied"`
}

func newPopularity(s *snapshot.Scored) Popularity {
	var p Popularity
	if u := s.Row.Uses; u != nil {
		p.Uses = &Uses{u.Watches, u.Citations, u.Proxied}
	}
	value := s.Result.Popularity.Float()
	switch {
	case s.Result.PublicSector:
		p.Value, p.Note = &value, "always 0 for official data and not used"
	case s.Result.PopularityKnown:
		p.Value, p.Note = &value, fmt.Sprintf("100 times log10(1 + uses of %d days) / log10(1 + %d)", score.PopularityDays, score.PopularityFull)
	default:
		p.Note = "no uses were counted; its weight is shared out among the others"
	}
	return p
}

// Formula says how a total is made of the published values: the sum of weight
// times value, divided by the sum of the weights, rounded half up to 0.1.
type Formula struct {
	Score string `json:"score"`
	// AppliesTo says which entries it is for, null for all.
	AppliesTo *string       `json:"applies_to"`
	Terms     []FormulaTerm `json:"terms"`
}

// FormulaTerm is one weighted input of a total.
type FormulaTerm struct {
	Input  string `json:"input"`
	Weight int    `json:"weight"`
}

// ScoreAdvice is a step that would raise mqa_score, with the points it brings.
type ScoreAdvice struct {
	Rule   string  `json:"rule"`
	Advice string  `json:"advice"`
	Gain   float64 `json:"gain"`
}

// NewQualityScore explains the scores of an entry.
func NewQualityScore(s *snapshot.Scored) QualityScore {
	r := &s.Result
	verification := r.Verification.Float()
	q := QualityScore{
		EntryID: s.Entry().ID, RubricVersion: score.RubricVersion, Day: s.ScoredSince().Format(time.DateOnly),
		MQAScore: r.MQA.Float(), MQATier: string(r.Tier), TrustScore: r.Trust.Float(), RankingScore: r.Ranking.Float(),
		Verification: ScoreInput{&verification, verificationNote() + "; the state is " + string(r.State)},
		Freshness:    newFreshness(s),
		Popularity:   newPopularity(s),
		Unknown:      []string{}, Advice: []ScoreAdvice{}, Axes: make([]Axis, 0, len(r.Axes)), Formulas: newFormulas(score.FormulasOf(r)),
	}
	for i := range r.Axes {
		a := newAxis(&r.Axes[i])
		if a.Value == nil {
			q.Unknown = append(q.Unknown, a.ID)
		}
		q.Axes = append(q.Axes, a)
		for _, f := range r.Axes[i].Findings {
			if f.Gain > 0 {
				q.Advice = append(q.Advice, ScoreAdvice{f.Rule, f.Advice, f.Gain.Float()})
			}
		}
	}
	return q
}

var verificationNote = sync.OnceValue(func() string {
	var parts []string
	for _, s := range catalog.VerificationStates() {
		parts = append(parts, fmt.Sprintf("%s %d", s, score.VerificationPoints(s)/10))
	}
	return strings.Join(parts, ", ")
})

func newAxis(a *score.Axis) Axis {
	out := Axis{ID: string(a.ID), Label: a.Label, Weight: a.Weight, Note: nullAt(&a.Note), Findings: make([]Finding, len(a.Findings))}
	if a.Known {
		v := a.Value.Float()
		out.Value = &v
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		out.Findings[i] = Finding{f.Rule, f.Meaning, f.Outcome, f.Points.Float(), f.Max.Float(), f.Field, nullAt(&f.Evidence)}
	}
	return out
}

func newFormulas(list []score.Formula) []Formula {
	out := make([]Formula, len(list))
	for i, f := range list {
		out[i] = Formula{Score: f.Score, AppliesTo: null(f.For), Terms: make([]FormulaTerm, len(f.Terms))}
		for j, t := range f.Terms {
			out[i].Terms[j] = FormulaTerm(t)
		}
	}
	return out
}

// QualityHistory is the answer of quality-history: a point for each UTC day on which a
// score took another value (decisions-2 §F).
type QualityHistory struct {
	EntryID string         `json:"entry_id"`
	Days    []QualityPoint `json:"days"`
}

// QualityPoint holds the scores from one day on.
type QualityPoint struct {
	Day          string   `json:"day"`
	MQAScore     float64  `json:"mqa_score"`
	TrustScore   float64  `json:"trust_score"`
	RankingScore *float64 `json:"ranking_score"`
	Officialness *float64 `json:"officialness"`
	Availability *float64 `json:"availability"`
	Metadata     *float64 `json:"metadata_completeness"`
	Licence      *float64 `json:"licence_clarity"`
	Agent        *float64 `json:"agent_readiness"`
}

// NewQualityHistory lists the stored days, and the snapshot's own, that brought another
// score.
func NewQualityHistory(s *snapshot.Scored) QualityHistory {
	h := QualityHistory{EntryID: s.Entry().ID, Days: []QualityPoint{}}
	today := s.Day.Format(time.DateOnly)
	days := slices.DeleteFunc(slices.Clone(s.Row.Scores), func(d catalog.ScoreDay) bool { return d.Day >= today })
	var last *catalog.ScoreDay
	for _, d := range append(days, s.ScoreDay()) {
		if last != nil && last.Same(&d) {
			continue
		}
		last = &d
		h.Days = append(h.Days, QualityPoint{d.Day, d.MQA, d.Trust, d.Ranking, d.Axes[0], d.Axes[1], d.Axes[2], d.Axes[3], d.Axes[4]})
	}
	return h
}

// Provenance is the answer of provenance: the source of each field.
type Provenance struct {
	EntryID   string          `json:"entry_id"`
	Fields    []ProvenanceRow `json:"fields"`
	Overrides []OverrideRow   `json:"overrides"`
	// VerifyURL is the page that leads to the record as its source published it, and checks the evidence.
	VerifyURL string `json:"verify_url"`
}

// ProvenanceRow is the origin of one field; several rows of one field are
// several trails, the first in force.
type ProvenanceRow struct {
	Field         string        `json:"field"`
	Basis         catalog.Basis `json:"basis"`
	Derived       bool          `json:"derived"`
	Source        *string       `json:"source"`
	SourceURL     *string       `json:"source_url"`
	UpstreamField *string       `json:"upstream_field"`
	Transform     *string       `json:"transform"`
	Note          *string       `json:"note"`
	ObservedAt    *string       `json:"observed_at"`
}

// OverrideRow is a curator's edit.
type OverrideRow struct {
	Field     string  `json:"field"`
	Value     any     `json:"value"`
	Reason    string  `json:"reason"`
	At        *string `json:"at"`
	RevokedAt *string `json:"revoked_at"`
}

// NewProvenance lists where each field of an entry comes from: the stored
// trails, then the fields that the register computes.
func NewProvenance(s *snapshot.Scored) Provenance {
	rows := s.Row.Provenance.Rows
	p := Provenance{EntryID: s.Entry().ID, Fields: make([]ProvenanceRow, 0, len(rows)+len(fields)), Overrides: []OverrideRow{},
		VerifyURL: s.Site.BaseURL + "/verify?entry=" + s.Entry().ID}
	var stored uint64
	var seen time.Time
	var seenAt *string
	for i := range rows {
		row := &rows[i]
		if bit, ok := fieldBit[row.Field]; ok {
			stored |= 1 << bit
		}
		source := nullAt(&row.SourceID)
		if s.Source != nil && row.SourceID == s.Source.ID {
			source = nullAt(&s.Source.Title)
		}
		if i == 0 || !row.ObservedAt.Equal(seen) { // most are seen together
			seen, seenAt = row.ObservedAt, stamp(row.ObservedAt)
		}
		p.Fields = append(p.Fields, ProvenanceRow{row.Field, row.Basis, row.Basis != stated, source, nullAt(&row.SourceURL),
			nullAt(&row.UpstreamField), nullAt(&row.Transform), nullAt(&row.Note), seenAt})
	}
	for i := range fields {
		if f := &fields[i]; f.basis != stated && stored>>i&1 == 0 {
			p.Fields = append(p.Fields, ProvenanceRow{Field: f.name, Basis: f.basis, Derived: true, Transform: nullAt(&f.transform)})
		}
	}
	for _, o := range s.Row.Overrides {
		p.Overrides = append(p.Overrides, OverrideRow{o.Field, decoded(o.Value), o.Reason, stamp(o.CreatedAt), stamp(o.RevokedAt)})
	}
	return p
}
