package catalog

import "context"

// PublisherDecision says which institution the register took for a publisher of
// a source, and why.
type PublisherDecision struct {
	// Publisher is the name as the source writes it, IRI its own identifier.
	Publisher string `json:"publisher"`
	IRI       string `json:"iri,omitempty"`
	// InstitutionID, Key and State are of the institution, empty for none.
	InstitutionID string           `json:"institution_id,omitempty"`
	Key           string           `json:"key,omitempty"`
	State         InstitutionState `json:"state,omitempty"`
	// Rule is the evidence: identifier, name, domain, organisation, source id,
	// default or stated; empty for none.
	Rule string `json:"rule,omitempty"`
	// Evidence is what was found, or why none was taken.
	Evidence string `json:"evidence,omitempty"`
	// Portal tells that the institution runs the source, which lists what others
	// publish: it may be taken for the publisher of what it only hosts.
	Portal bool `json:"portal,omitempty"`
	// Records counts the records of the publisher in the run that met it last.
	Records int `json:"records"`
}

// PublisherDecisionsMax bounds the decisions of one source.
const PublisherDecisionsMax = 20000

// PublisherDecisions stores what harvests decided about the publishers of sources.
type PublisherDecisions interface {
	// Replace writes the decisions of a source, in their order, in the place of
	// those before; more than PublisherDecisionsMax are ErrInvalid.
	Replace(ctx context.Context, sourceID string, list []PublisherDecision) error
	// Of returns the decisions of a source in their order, none for one that is unknown.
	Of(ctx context.Context, sourceID string) ([]PublisherDecision, error)
}
