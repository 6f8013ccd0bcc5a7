package wire

import "github.com/assay-register/assay/render/catalog"

// Decision is what became of a publisher of a source.
type Decision struct {
	Publisher     string                    `json:"publisher"`
	IRI           *string                   `json:"iri"`
	InstitutionID *string                   `json:"institution_id"`
	Key           *string                   `json:"institution_key"`
	State         *catalog.InstitutionState `json:"state"`
	Rule          *string                   `json:"rule"`
	Evidence      *string                   `json:"evidence"`
	Portal        bool                      `json:"portal"`
	Records       int                       `json:"records"`
}

// DecisionsPage is a page of the decisions on the publishers of a source, those of
// most records first.
type DecisionsPage struct {
	Source string     `json:"source"`
	Items  []Decision `json:"items"`
	// Total counts the decisions that the filters leave, Records their records.
	Total   int     `json:"total"`
	Records int     `json:"records"`
	Next    *string `json:"next"`
}

// decisionNone stands for publishers for which no institution was taken.
const decisionNone = "none"

// DecisionParams are those of the decisions on publishers.
func DecisionParams() []Param {
	return append(AdminListParams(),
		Param{Name: "state", In: "query", Kind: KindString, Enum: append(words(catalog.InstitutionStates()), decisionNone),
			Description: "Only publishers for which an institution of this state was taken, or `none`."},
		Param{Name: "portal", In: "query", Kind: KindString, Enum: []string{"true"},
			Description: "Only publishers for which the one that runs the source was taken, where the source lists what others publish."},
		Param{Name: "q", In: "query", Kind: KindString, Description: "Only publishers with these letters in name, IRI, evidence or key; case does not matter.", Example: "statistics"})
}

// NewDecision is the view of a decision.
func NewDecision(d *catalog.PublisherDecision) Decision {
	out := Decision{Publisher: d.Publisher, IRI: null(d.IRI), InstitutionID: null(d.InstitutionID), Key: null(d.Key), Rule: null(d.Rule),
		Evidence: null(d.Evidence), Portal: d.Portal, Records: d.Records}
	if d.State != "" {
		out.State = &d.State
	}
	return out
}

// Fits tells whether a decision is of a state that DecisionParams names; "" is any.
func (d *Decision) Fits(state string) bool {
	switch {
	case state == "":
		return true
	case d.State == nil:
		return state == decisionNone
	}
	return string(*d.State) == state
}
