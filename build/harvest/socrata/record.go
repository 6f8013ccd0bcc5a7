package socrata

import "github.com/assay-register/assay/build/harvest/source"

// record is one result of the Discovery API.
type record struct {
	Resource struct {
		Name            source.Loose     `json:"name"`
		ID              source.Loose     `json:"id"`
		Description     source.Loose     `json:"description"`
		Attribution     source.Loose     `json:"attribution"`
		AttributionLink source.Loose     `json:"attribution_link"`
		ContactEmail    source.Loose     `json:"contact_email"`
		Type            source.Loose     `json:"type"`
		CreatedAt       source.Loose     `json:"createdAt"`
		UpdatedAt       source.Loose     `json:"updatedAt"`
		DataUpdatedAt   source.Loose     `json:"data_updated_at"`
		PublicationDate source.Loose     `json:"publication_date"`
		ViewType        source.Loose     `json:"lens_view_type"`
		DisplayType     source.Loose     `json:"lens_display_type"`
		BlobMimeType    source.Loose     `json:"blob_mime_type"`
		Hidden          bool             `json:"hide_from_data_json"`
		Provenance      source.Loose     `json:"provenance"`
		ColumnTypes     source.LooseList `json:"columns_datatype"`
		Obsolete        bool             `json:"obsolete"`
	} `json:"resource"`
	Classification struct {
		Categories     source.LooseList `json:"categories"`
		Tags           source.LooseList `json:"tags"`
		DomainCategory source.Loose     `json:"domain_category"`
		DomainTags     source.LooseList `json:"domain_tags"`
		DomainMetadata []pair           `json:"domain_metadata"`
	} `json:"classification"`
	Metadata struct {
		Domain  source.Loose `json:"domain"`
		License source.Loose `json:"license"`
	} `json:"metadata"`
	Permalink source.Loose `json:"permalink"`
	Link      source.Loose `json:"link"`
}

// pair is a field that one portal adds; its key is "Group_Field".
type pair struct {
	Key   source.Loose `json:"key"`
	Value source.Loose `json:"value"`
}
