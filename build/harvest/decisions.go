package harvest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// PublisherDecision says which institution the register took for a publisher of
// a source, and why.
type PublisherDecision struct {
	// Publisher is the name as the source writes it, IRI its own identifier.
	Publisher string `json:"publisher"`
	IRI       string `json:"iri,omitempty"`
	// InstitutionID, Key and State are of the institution, empty for none.
	InstitutionID string                   `json:"institution_id,omitempty"`
	Key           string                   `json:"key,omitempty"`
	State         catalog.InstitutionState `json:"state,omitempty"`
	// Rule is the evidence: identifier, name, domain, organisation, source id,
	// default or stated; empty for none.
	Rule string `json:"rule,omitempty"`
	// Evidence is what was found, or why none was taken.
	Evidence string `json:"evidence,omitempty"`
	// Records counts the records of the publisher.
	Records int `json:"records"`
}

// decisionsMax bounds the publishers of one source that are told apart.
const decisionsMax = 20000

// decisions counts what became of each publisher of a run.
type decisions struct {
	rows map[[4]string]*PublisherDecision
}

func newDecisions() *decisions { return &decisions{rows: map[[4]string]*PublisherDecision{}} }

func (x *decisions) count(c *candidate, inst *catalog.Institution, rule, evidence string) {
	if x == nil {
		return
	}
	if row := x.row(&c.entry, inst, rule, evidence); row != nil {
		row.Records++
	}
}

// row is that of a publisher with its institution; nil when there are too many.
func (x *decisions) row(e *catalog.Entry, inst *catalog.Institution, rule, evidence string) *PublisherDecision {
	d := PublisherDecision{Publisher: e.PublisherName, Rule: rule, Evidence: evidence}
	if e.Publisher != nil && !catalog.Skolem(e.Publisher.IRI) {
		d.IRI = e.Publisher.IRI
	}
	if inst != nil {
		d.InstitutionID, d.Key, d.State = inst.ID, inst.Key, cmp.Or(inst.State, catalog.InstitutionKnown)
	}
	at := [4]string{d.Publisher, d.IRI, d.InstitutionID, d.Rule}
	row := x.rows[at]
	if row == nil {
		if len(x.rows) >= decisionsMax {
			return nil
		}
		row = &d
		x.rows[at] = row
	}
	return row
}

// list are the decisions, those of most records first.
func (x *decisions) list() []PublisherDecision {
	if x == nil {
		return nil
	}
	out := make([]PublisherDecision, 0, len(x.rows))
	for _, d := range x.rows {
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b PublisherDecision) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Publisher, b.Publisher), strings.Compare(a.IRI, b.IRI),
			strings.Compare(a.InstitutionID, b.InstitutionID), strings.Compare(a.Rule, b.Rule))
	})
	return out
}
