package catalog

import "time"

// Provenance is the one document that says where each field of an entry comes
// from. Several rows for one field are several trails (two portals list the
// same source); the first is the one in force.
type Provenance struct {
	EntryID string     `json:"entry_id"`
	Rows    []FieldRow `json:"rows"`
}

// FieldRow is the origin of one field.
type FieldRow struct {
	Field string `json:"field"`
	Basis Basis  `json:"basis"`
	// SourceID is the source that delivered the value.
	SourceID  string `json:"source_id,omitempty"`
	SourceURL string `json:"source_url,omitempty"`
	// UpstreamField is the path in the upstream record.
	UpstreamField string `json:"upstream_field,omitempty"`
	// Transform says how the upstream value became ours; empty is "as is".
	Transform string `json:"transform,omitempty"`
	// Note explains a repair, a refusal or a decision.
	Note       string    `json:"note,omitempty"`
	ObservedAt time.Time `json:"observed_at,omitzero"`
}
