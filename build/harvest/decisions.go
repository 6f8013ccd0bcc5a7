package harvest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// decisions counts what became of each publisher of a run.
type decisions struct {
	rows map[[4]string]*catalog.PublisherDecision
	// portal is the institution that runs the source, where that lists what others
	// publish, else "".
	portal string
}

func newDecisions() *decisions { return &decisions{rows: map[[4]string]*catalog.PublisherDecision{}} }

func (x *decisions) count(c *candidate, inst *catalog.Institution, rule, evidence string) {
	if x == nil {
		return
	}
	if row := x.row(&c.entry, inst, rule, evidence); row != nil {
		row.Records++
	}
}

// row is that of a publisher with its institution; nil when there are too many.
func (x *decisions) row(e *catalog.Entry, inst *catalog.Institution, rule, evidence string) *catalog.PublisherDecision {
	d := catalog.PublisherDecision{Publisher: e.PublisherName, Rule: rule, Evidence: evidence}
	if e.Publisher != nil && !catalog.Skolem(e.Publisher.IRI) {
		d.IRI = e.Publisher.IRI
	}
	if inst != nil {
		d.InstitutionID, d.Key, d.State = inst.ID, inst.Key, cmp.Or(inst.State, catalog.InstitutionKnown)
		d.Portal = inst.ID == x.portal
	}
	at := [4]string{d.Publisher, d.IRI, d.InstitutionID, d.Rule}
	row := x.rows[at]
	if row == nil {
		if len(x.rows) >= catalog.PublisherDecisionsMax {
			return nil
		}
		row = &d
		x.rows[at] = row
	}
	return row
}

// list are the decisions, those of most records first.
func (x *decisions) list() []catalog.PublisherDecision {
	if x == nil {
		return nil
	}
	out := make([]catalog.PublisherDecision, 0, len(x.rows))
	for _, d := range x.rows {
		out = append(out, *d)
	}
	slices.SortFunc(out, inOrder)
	return out
}

// inOrder puts those of most records first.
func inOrder(a, b catalog.PublisherDecision) int {
	return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Publisher, b.Publisher), strings.Compare(a.IRI, b.IRI),
		strings.Compare(a.InstitutionID, b.InstitutionID), strings.Compare(a.Rule, b.Rule))
}

// keepDecisions stores what the run decided about publishers. A run that did not
// read the source from its beginning to its end says nothing about those that it
// did not meet.
func (r *run) keepDecisions(ctx context.Context, tx catalog.Tx) error {
	if r.rules == nil {
		return nil
	}
	list := r.rules.decisions.list()
	if len(list) == 0 {
		return nil
	}
	if r.report.State != catalog.RunComplete || !r.row.Since.IsZero() || r.row.Resumed > 0 {
		met := make(map[[2]string]bool, len(list))
		for i := range list {
			met[[2]string{list[i].Publisher, list[i].IRI}] = true
		}
		old, err := tx.PublisherDecisions().Of(ctx, r.in.Source.ID)
		if err != nil {
			return err
		}
		for _, d := range old {
			if !met[[2]string{d.Publisher, d.IRI}] && len(list) < catalog.PublisherDecisionsMax {
				list = append(list, d)
			}
		}
		slices.SortFunc(list, inOrder)
	}
	return tx.PublisherDecisions().Replace(ctx, r.in.Source.ID, list)
}
