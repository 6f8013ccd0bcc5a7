package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// verdict says whether a new entry is public, and why.
type verdict struct {
	status    catalog.Status
	rule      catalog.AdmissionRule
	reason    string
	rejection *source.Rejection
	// by is the rule of trust that decided, nil for none.
	by *catalog.TrustRule
}

// judge applies the rules of officialness to an entry that is not public yet,
// as this source lists it (decisions §5). Whatever is not run by a public body
// enters only by a moderator.
func (r *run) judge(c *candidate, e *catalog.Entry) verdict {
	v := r.official(c, e)
	if v.status == catalog.StatusPending {
		for i := range r.rules.trust {
			if t := &r.rules.trust[i]; t.Covers(e) {
				return verdict{status: catalog.StatusActive, rule: catalog.AdmittedByModerator, reason: t.Words(), by: t}
			}
		}
	}
	return v
}

// trusted are the rules in force by which moderators trust publishers of a source.
func trusted(ctx context.Context, tx catalog.Tx, sourceID string, now time.Time) ([]catalog.TrustRule, error) {
	all, err := tx.Moderations().Trust(ctx)
	if err != nil {
		return nil, fmt.Errorf("read rules of trust: %w", err)
	}
	return slices.DeleteFunc(all, func(t catalog.TrustRule) bool { return t.SourceID != sourceID || !t.InForce(now) }), nil
}

// official is what the rules of officialness say.
func (r *run) official(c *candidate, e *catalog.Entry) verdict {
	official, confidence, from := r.in.Source.Official, score.Confidence(e.Signals), r.opts.Thresholds
	inst, decided := r.rules.byID[e.InstitutionID], e.Admission
	switch {
	case decided != nil && decided.Rule == catalog.AdmittedByModerator:
		return verdict{status: catalog.StatusActive, rule: decided.Rule, reason: decided.Reason}
	case e.ThirdParty && (official != "" || confidence >= from.Quarantine):
		return verdict{status: catalog.StatusPending, reason: "not run by a public body: a moderator decides"}
	case confidence >= from.Approve && inst != nil:
		return verdict{status: catalog.StatusActive, rule: catalog.AdmittedByRule,
			reason: fmt.Sprintf("officialness %d of 100, %d are enough; institution %s", confidence, from.Approve, inst.Key)}
	case official != "":
		return verdict{status: catalog.StatusActive, rule: catalog.AdmittedBySource, reason: official}
	case confidence >= from.Quarantine:
		return verdict{status: catalog.StatusPending,
			reason: fmt.Sprintf("officialness %d of 100: a moderator decides from %d", confidence, from.Quarantine)}
	}
	return verdict{rejection: &source.Rejection{Place: c.place, Code: CodeNotOfficial,
		Reason: fmt.Sprintf("officialness %d of 100, at least %d are needed", confidence, from.Quarantine),
		Remedy: r.rules.remedy(e), UpstreamRef: c.entry.UpstreamRef}}
}

// remedy says what would make an entry provable. A government suffix is a hint
// that an institution is missing, never a proof of who it is.
func (r *resolver) remedy(e *catalog.Entry) string {
	const known = "name the public institution behind the source, or harvest it from a source marked official: --official REASON for a file of one run, official in assay.yaml for a source"
	if e.ThirdParty || e.InstitutionID != "" {
		return known
	}
	for _, u := range served(e) {
		if suffix, _, ok := r.domains.Suffix(catalog.Host(u)); ok {
			return fmt.Sprintf("%s lies under the government suffix %s: add the institution that owns it to the reference tables, or %s",
				catalog.Host(u), suffix, known)
		}
	}
	return known
}

// reconsider publishes an entry that waits for a moderator once the rule or an
// official source admits it.
func (r *run) reconsider(ctx context.Context, b *batchPlan, it *item, c *candidate) error {
	if it.entry.Status != catalog.StatusPending {
		return nil
	}
	v := r.judge(c, it.entry)
	if v.status != catalog.StatusActive {
		return nil
	}
	if v.by != nil { // a rule of trust does not undo what a moderator took back
		decided, err := b.tx.Moderations().Latest(ctx, it.entry.ID)
		if err != nil || decided[it.entry.ID].Kind == catalog.DecisionReopened {
			return err
		}
	}
	if err := b.load(ctx, it); err != nil {
		return err
	}
	kind, err := it.entry.Transition(catalog.Change{To: catalog.StatusActive, At: r.opts.Now})
	if err != nil {
		return err
	}
	v.apply(it.entry, &r.opts)
	it.audit = v.audit(it.entry.ID, r.opts.Now)
	it.rows, it.trail = append([]catalog.FieldRow{v.row(r.in)}, it.rows...), true
	it.events = append(it.events, catalog.Event{Type: kind, OccurredAt: r.opts.Now})
	return nil
}

// apply writes the verdict into the entry.
func (v *verdict) apply(e *catalog.Entry, opts *Options) {
	e.Status = v.status
	if v.status != catalog.StatusActive {
		e.StatusReason = v.reason
		return
	}
	e.Admission = &catalog.Admission{Rule: v.rule, Reason: v.reason, At: opts.Now}
	if v.by != nil {
		e.Admission.By = v.by.By
	}
	e.Publish(opts.Now, opts.PublishWindow)
}

// audit is the row of what a rule of trust admits, in the name of who made the rule; nil for
// what follows from the rules of the register.
func (v *verdict) audit(entryID string, now time.Time) *catalog.AuditRow {
	if v.by == nil {
		return nil
	}
	return &catalog.AuditRow{At: now, By: v.by.By, Name: v.by.Name, Action: "approveByTrustRule", Subject: entryID, Reason: v.reason, Details: json.RawMessage(`{"rule":` + strconv.Quote(v.by.ID) + `}`)}
}

// admissionBasis says on what each rule of admission rests: an official source
// vouches for what it lists.
var admissionBasis = map[catalog.AdmissionRule]catalog.Basis{
	catalog.AdmittedByRule: catalog.BasisComputed, catalog.AdmittedBySource: catalog.BasisInherited,
	catalog.AdmittedByModerator: catalog.BasisCurator,
}

// row is the provenance of the admission.
func (v *verdict) row(in *source.Input) catalog.FieldRow {
	row := catalog.FieldRow{Field: "admission", Basis: admissionBasis[v.rule], SourceID: in.Source.ID, SourceURL: in.Source.URL,
		Transform: string(v.rule), Note: v.reason, ObservedAt: in.Now}
	if v.status == catalog.StatusPending {
		row.Transform, row.Basis = "quarantine", catalog.BasisComputed
	}
	return row
}
