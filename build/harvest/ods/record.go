package ods

import "github.com/assay-register/assay/build/harvest/source"

// record is a dataset of the Explore API.
type record struct {
	ID          source.Loose     `json:"dataset_id"`
	HasRecords  *bool            `json:"has_records"`
	DataVisible *bool            `json:"data_visible"`
	Visibility  source.Loose     `json:"visibility"`
	Features    source.LooseList `json:"features"`
	Attachments []attachment     `json:"attachments"`
	Exports     []attachment     `json:"alternative_exports"`
	Metas       struct {
		Default defaults `json:"default"`
		DCAT    dcat     `json:"dcat"`
		DCATAP  dcat     `json:"dcat_ap"`
	} `json:"metas"`
	// Dataset is the dataset in version 2.0.
	Dataset *record `json:"dataset"`
}

type attachment struct {
	Title    source.Loose `json:"title"`
	ID       source.Loose `json:"id"`
	URL      source.Loose `json:"url"`
	MimeType source.Loose `json:"mimetype"`
}

// defaults is the template of metadata that each portal has.
type defaults struct {
	Title           source.LooseTexts `json:"title"`
	Description     source.LooseTexts `json:"description"`
	Theme           source.LooseList  `json:"theme"`
	Keyword         source.LooseTerms `json:"keyword"`
	License         source.Loose      `json:"license"`
	LicenseURL      source.Loose      `json:"license_url"`
	Language        source.Loose      `json:"language"`
	Publisher       source.Loose      `json:"publisher"`
	References      source.LooseList  `json:"references"`
	Territory       source.LooseList  `json:"territory"`
	Modified        source.Loose      `json:"modified"`
	DataProcessed   source.Loose      `json:"data_processed"`
	UpdateFrequency source.Loose      `json:"update_frequency"`
	RecordsCount    source.LooseInt   `json:"records_count"`
}

// dcat is the template of DCAT metadata, which portals switch on.
type dcat struct {
	Created       source.Loose     `json:"created"`
	Issued        source.Loose     `json:"issued"`
	Creator       source.Loose     `json:"creator"`
	Periodicity   source.Loose     `json:"accrualperiodicity"`
	Spatial       source.LooseList `json:"spatial"`
	Temporal      source.Loose     `json:"temporal"`
	TemporalStart source.Loose     `json:"temporal_coverage_start"`
	TemporalEnd   source.Loose     `json:"temporal_coverage_end"`
	ContactName   source.Loose     `json:"contact_name"`
	ContactEmail  source.Loose     `json:"contact_email"`
	Theme         source.LooseList `json:"theme"`
	HVD           source.LooseList `json:"hvd_category"`
}
