package catalog

// Agent is a body or a person as a source states it, matched with nothing.
type Agent struct {
	// Names are what it calls itself, by language.
	Names Texts `json:"names,omitempty"`
	// Aliases are further names that the source gives.
	Aliases []string `json:"aliases,omitempty"`
	// IRI is its persistent identifier; a blank node has none.
	IRI string `json:"iri,omitempty"`
	// Identifiers are further ones that the source states, such as the number
	// in a company register.
	Identifiers []string `json:"identifiers,omitempty"`
	// Type is the stated kind of body, a code of the EU table of publisher
	// types (NationalAuthority) or the IRI or word that stands there.
	Type string `json:"type,omitempty"`
	// HomepageURL is its own page.
	HomepageURL string `json:"homepage_url,omitempty"`
	// Person tells that the source says it is a natural person.
	Person bool `json:"person,omitempty"`
}

// AccessRights says who may have the data, as the publisher states it (EU
// access-right authority table; decisions-2 §C). It is empty when nothing is
// stated.
type AccessRights string

// Access rights.
const (
	RightsPublic     AccessRights = "PUBLIC"
	RightsRestricted AccessRights = "RESTRICTED"
	RightsNonPublic  AccessRights = "NON_PUBLIC"
)

// Excludes tells that the publisher says that not everybody gets it.
func (r AccessRights) Excludes() bool { return r == RightsRestricted || r == RightsNonPublic }

// AccessRightsValues lists the access rights.
func AccessRightsValues() []AccessRights {
	return []AccessRights{RightsPublic, RightsRestricted, RightsNonPublic}
}

// RelationKind says how an entry belongs to another thing.
type RelationKind string

// Kinds of relations. Each is kept at the entry whose source states it; the
// other direction follows from it.
const (
	// RelationServes leads from a service to a dataset that it serves.
	RelationServes RelationKind = "serves_dataset"
	// RelationServedBy leads from a dataset to a service that gives access to it.
	RelationServedBy RelationKind = "served_by"
	// RelationSeries leads from a dataset to its series.
	RelationSeries RelationKind = "in_series"
	// RelationDuplicate leads to an entry that may be the same thing.
	RelationDuplicate RelationKind = "possible_duplicate"
)

// RelationKinds lists the kinds of relations.
func RelationKinds() []RelationKind {
	return []RelationKind{RelationServes, RelationServedBy, RelationSeries, RelationDuplicate}
}

// Relation leads from an entry to another thing.
type Relation struct {
	Kind RelationKind `json:"kind"`
	// Ref is the upstream_ref of the other thing, as its source would have it.
	Ref string `json:"ref,omitempty"`
	// EntryID is set when the other thing is an entry of the register.
	EntryID string `json:"entry_id,omitempty"`
	// Title is what the source calls it, for one that is no entry.
	Title string `json:"title,omitempty"`
}
