package udata

import (
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
)

// record is a dataset or a dataservice of the API; or a fixture, which holds a
// dataset with its organisation, files and dataservices beside it.
type record struct {
	ID          source.Loose     `json:"id"`
	Slug        source.Loose     `json:"slug"`
	Title       source.Loose     `json:"title"`
	Description source.Loose     `json:"description"`
	Tags        source.LooseList `json:"tags"`
	License     source.Loose     `json:"license"`
	Page        source.Loose     `json:"page"`
	WebURL      source.Loose     `json:"self_web_url"`
	Private     bool             `json:"private"`
	// Deleted and Archived are times, or null.
	Deleted    source.Loose `json:"deleted"`
	DeletedAt  source.Loose `json:"deleted_at"`
	Archived   source.Loose `json:"archived"`
	ArchivedAt source.Loose `json:"archived_at"`

	CreatedAt          source.Loose `json:"created_at"`
	CreatedInternal    source.Loose `json:"created_at_internal"`
	LastModified       source.Loose `json:"last_modified"`
	LastUpdate         source.Loose `json:"last_update"`
	ModifiedInternal   source.Loose `json:"last_modified_internal"`
	MetadataModifiedAt source.Loose `json:"metadata_modified_at"`

	Organization  *organisation `json:"organization"`
	ContactPoints contacts      `json:"contact_points"`
	ContactPoint  contacts      `json:"contact_point"`

	// Of datasets.
	Frequency        source.Loose     `json:"frequency"`
	TemporalCoverage json.RawMessage  `json:"temporal_coverage"`
	Spatial          *spatial         `json:"spatial"`
	Resources        []resource       `json:"resources"`
	Harvest          *harvest         `json:"harvest"`
	HVD              source.LooseList `json:"hvd_categories"`

	// Of dataservices.
	BaseAPIURL       source.Loose `json:"base_api_url"`
	MachineDoc       source.Loose `json:"machine_documentation_url"`
	EndpointDesc     source.Loose `json:"endpoint_description_url"`
	TechnicalDoc     source.Loose `json:"technical_documentation_url"`
	BusinessDoc      source.Loose `json:"business_documentation_url"`
	AccessType       source.Loose `json:"access_type"`
	AuthorizationURL source.Loose `json:"authorization_request_url"`
	RateLimiting     source.Loose `json:"rate_limiting"`
	ServiceFormat    source.Loose `json:"format"`

	// Of fixtures.
	Dataset      *record  `json:"dataset"`
	Dataservices []record `json:"dataservices"`
}

// service tells that a record is a dataservice.
func (r *record) service() bool {
	return r.BaseAPIURL != "" || r.AccessType != "" && r.Frequency == "" && r.Resources == nil ||
		r.MachineDoc != "" || r.EndpointDesc != "" || r.TechnicalDoc != ""
}

type organisation struct {
	ID   source.Loose `json:"id"`
	Name source.Loose `json:"name"`
	Slug source.Loose `json:"slug"`
	URL  source.Loose `json:"url"`
	// Number is the business number: the SIRET in France.
	Number source.Loose `json:"business_number_id"`
}

type harvest struct {
	RemoteURL  source.Loose `json:"remote_url"`
	CreatedAt  source.Loose `json:"created_at"`
	IssuedAt   source.Loose `json:"issued_at"`
	ModifiedAt source.Loose `json:"modified_at"`
}

type spatial struct {
	Zones []json.RawMessage `json:"zones"`
	Geom  json.RawMessage   `json:"geom"`
}

type resource struct {
	Title        source.Loose    `json:"title"`
	URL          source.Loose    `json:"url"`
	FileType     source.Loose    `json:"filetype"`
	Type         source.Loose    `json:"type"`
	Format       source.Loose    `json:"format"`
	Mime         source.Loose    `json:"mime"`
	FileSize     source.LooseInt `json:"filesize"`
	LastModified source.Loose    `json:"last_modified"`
}

// contacts are contact points; older answers have one.
type contacts []contact

type contact struct {
	Name  source.Loose `json:"name"`
	Email source.Loose `json:"email"`
	Form  source.Loose `json:"contact_form"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *contacts) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var one contact
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		*c = contacts{one}
		return nil
	}
	return json.Unmarshal(b, (*[]contact)(c))
}
