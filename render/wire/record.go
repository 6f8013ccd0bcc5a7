package wire

import (
	"strings"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// Record is a line of the NDJSON export: a list item with every text whole, and
// what the entry's own page says of its publisher, terms, languages and files.
type Record struct {
	Core
	ItemTail
	RecordTail
}

// RecordTail are the members of a Record that list items do not have; those of
// the same name in Entry are the same.
type RecordTail struct {
	PublisherName    *string         `json:"publisher_name"`
	Publisher        *Publisher      `json:"publisher"`
	Institution      *Institution    `json:"institution"`
	License          *License        `json:"license"`
	LicenseRaw       *string         `json:"license_raw"`
	Themes           []string        `json:"themes"`
	HVDCategories    []string        `json:"hvd_categories"`
	Contact          *Contact        `json:"contact"`
	SourceIssuedAt   *string         `json:"source_issued_at"`
	SourceModifiedAt *string         `json:"source_modified_at"`
	APIDetails       *APIDetails     `json:"api_details"`
	DatasetDetails   *DatasetDetails `json:"dataset_details"`
	MCPDetails       *MCPDetails     `json:"mcp_details"`
	Stated
}

// NewRecord makes the record of an entry.
func NewRecord(s *snapshot.Scored) Record {
	e := s.Entry()
	return Record{
		Core: newCore(s),
		ItemTail: ItemTail{
			Maturity:       s.Result.Maturity.Level.Level,
			SearchVector:   search.Vector(e.Name, e.NameEn, e.Description, e.DescriptionEn, strings.Join(e.Tags, " ")),
			TitleQualifier: null(s.Qualifier),
		},
		RecordTail: RecordTail{
			PublisherName: null(e.PublisherName), Publisher: newPublisher(s), Institution: NewInstitution(s.Institution),
			License: newLicense(s.Licence), LicenseRaw: null(e.LicenseRaw), Themes: list(e.Themes), HVDCategories: list(e.HVDCategories), Contact: newContact(e.Contact),
			SourceIssuedAt: stamp(e.SourceIssuedAt), SourceModifiedAt: stamp(e.SourceModifiedAt),
			APIDetails: newAPI(e), DatasetDetails: newDataset(e), MCPDetails: newMCP(e), Stated: newStated(e),
		},
	}
}
