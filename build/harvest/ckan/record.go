package ckan

import (
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
)

// record is a package of CKAN (the dictionary of package_show), with the
// fields that widespread extensions and single portals add.
type record struct {
	ID      source.Loose `json:"id"`
	Name    source.Loose `json:"name"`
	Type    source.Loose `json:"type"`
	State   source.Loose `json:"state"`
	Private source.Loose `json:"private"`
	// Draft marks unpublished records in some portals.
	Draft source.Loose `json:"draft"`
	// Success and Error are of an answer that failed, which is no package.
	Success *bool           `json:"success"`
	Error   json.RawMessage `json:"error"`
	// Count and Returned are of an answer without packages.
	Count json.RawMessage `json:"count"`

	Title           source.LooseTexts `json:"title"`
	TitleTranslated source.LooseTexts `json:"title_translated"`
	Notes           source.LooseTexts `json:"notes"`
	NotesTranslated source.LooseTexts `json:"notes_translated"`
	Version         source.Loose      `json:"version"`
	URL             source.Loose      `json:"url"`

	LicenseID    source.Loose `json:"license_id"`
	LicenseTitle source.Loose `json:"license_title"`
	LicenseURL   source.Loose `json:"license_url"`

	Organization    *organisation `json:"organization"`
	Author          source.Loose  `json:"author"`
	AuthorEmail     source.Loose  `json:"author_email"`
	Maintainer      source.Loose  `json:"maintainer"`
	MaintainerEmail source.Loose  `json:"maintainer_email"`
	ContactPerson   source.Loose  `json:"contact_person"`
	ContactEmail    source.Loose  `json:"contact_email"`

	Tags   []label `json:"tags"`
	Groups []label `json:"groups"`
	Extras extras  `json:"extras"`

	Created  source.Loose `json:"metadata_created"`
	Modified source.Loose `json:"metadata_modified"`

	Resources []resource `json:"resources"`

	// Fields of schemas: ckanext-scheming and ckanext-dcat, data.gov.uk,
	// Zurich, depositar.
	Issued             source.Loose     `json:"issued"`
	DcatModified       source.Loose     `json:"modified"`
	DateFirstPublished source.Loose     `json:"dateFirstPublished"`
	DateLastUpdated    source.Loose     `json:"dateLastUpdated"`
	Frequency          source.Loose     `json:"frequency"`
	UpdateFrequency    source.Loose     `json:"update_frequency"`
	AccrualPeriodicity source.Loose     `json:"accrual_periodicity"`
	UpdateInterval     source.Loose     `json:"updateInterval"`
	Theme              source.LooseList `json:"theme"`
	HVDCategory        source.LooseList `json:"hvd_category"`
	AccessRights       source.Loose     `json:"access_rights"`
	Spatial            spatial          `json:"spatial"`
	SpatialText        source.Loose     `json:"spatial_text"`
	TemporalFrom       source.Loose     `json:"temporal_coverage-from"`
	TemporalTo         source.Loose     `json:"temporal_coverage-to"`
	TemporalStart      source.Loose     `json:"temporal_start"`
	TemporalEnd        source.Loose     `json:"temporal_end"`
	StartTime          source.Loose     `json:"start_time"`
	EndTime            source.Loose     `json:"end_time"`
	Documentation      source.LooseList `json:"documentation"`

	// Fields of national schemas: of Switzerland, Finland, Canada, Italy, the Netherlands, Ireland,
	// Australia and Japan, and of ckanext-dcat with ckanext-scheming.
	Description      source.LooseTexts `json:"description"`
	Keywords         termsByLanguage   `json:"keywords"`
	Language         source.LooseList  `json:"language"`
	Publisher        parties           `json:"publisher"`
	PublisherName    source.Loose      `json:"publisher_name"`
	Creator          parties           `json:"creator"`
	CreatorName      source.Loose      `json:"creator_name"`
	HolderName       source.Loose      `json:"holder_name"`
	ContactPoints    parties           `json:"contact_points"`
	Contact          parties           `json:"contact"`
	ContactPoint     source.Loose      `json:"contact_point"`
	ContactPointName source.Loose      `json:"contact_point_name"`
	ContactPointMail source.Loose      `json:"contact_point_email"`
	ContactDashName  source.Loose      `json:"contact-name"`
	ContactDashMail  source.Loose      `json:"contact-email"`
	DateReleased     source.Loose      `json:"date_released"`
	DatePublished    source.Loose      `json:"date_published"`
	ReleaseDate      source.Loose      `json:"release_date"`
	DateUpdated      source.Loose      `json:"date_updated"`
	DateModified     source.Loose      `json:"date_modified"`
	LastModifiedDate source.Loose      `json:"last_modified_date"`
	UpdateFreq       source.Loose      `json:"update_freq"`
	FrequencyOf      source.Loose      `json:"frequency_of_update"`
	Restrictions     source.Loose      `json:"restrictions"`
	ThemePrimary     source.Loose      `json:"theme-primary"`
	ConformsTo       source.LooseList  `json:"conforms_to"`
	URI              source.Loose      `json:"uri"`
	GeographicCover  source.LooseList  `json:"geographical_coverage"`
	SpatialCoverage  places            `json:"spatial_coverage"`
	SpatialValue     source.LooseList  `json:"spatial_value"`
	GeonamesURL      source.Loose      `json:"geographical_geonames_url"`
	Temporals        periods           `json:"temporals"`
	TemporalCoverage periods           `json:"temporal_coverage"`
	TemporalFrom2    source.Loose      `json:"temporal_coverage_from"`
	TemporalTo2      source.Loose      `json:"temporal_coverage_to"`
	CoverageStart    source.Loose      `json:"time_period_coverage_start"`
	CoverageEnd      source.Loose      `json:"time_period_coverage_end"`

	thai
}

type organisation struct {
	Name  source.Loose      `json:"name"`
	Title source.LooseTexts `json:"title"`
	// Translated are names by language (ckanext-fluent).
	Translated source.LooseTexts `json:"title_translated"`
	URL        source.Loose      `json:"url"`
	State      source.Loose      `json:"state"`
}

// label is a tag or a group.
type label struct {
	Name        source.Loose      `json:"name"`
	DisplayName source.Loose      `json:"display_name"`
	Title       source.LooseTexts `json:"title"`
	State       source.Loose      `json:"state"`
}

// UnmarshalJSON takes tags that are bare texts, too.
func (l *label) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '{' {
		return json.Unmarshal(b, &l.Name)
	}
	type plain label
	return json.Unmarshal(b, (*plain)(l))
}

func (l *label) text() string {
	for _, s := range []source.Loose{l.DisplayName, first(l.Title), l.Name} {
		if s != "" {
			return string(s)
		}
	}
	return ""
}

type resource struct {
	Name         source.LooseTexts `json:"name"`
	Description  source.LooseTexts `json:"description"`
	URL          source.Loose      `json:"url"`
	DownloadURL  source.Loose      `json:"download_url"`
	URLType      source.Loose      `json:"url_type"`
	Format       source.Loose      `json:"format"`
	Mimetype     source.Loose      `json:"mimetype"`
	Size         source.LooseInt   `json:"size"`
	State        source.Loose      `json:"state"`
	LastModified source.Loose      `json:"last_modified"`
	License      source.Loose      `json:"license"`

	Title          source.LooseTexts `json:"title"`
	NameTranslated source.LooseTexts `json:"name_translated"`
	AccessURL      source.Loose      `json:"access_url"`
	LicenseID      source.Loose      `json:"license_id"`
	LicenseType    source.Loose      `json:"license_type"`
	Rights         source.Loose      `json:"rights"`
	MediaType      source.Loose      `json:"media_type"`
	Modified       source.Loose      `json:"modified"`
	Language       source.LooseList  `json:"language"`
	ByteSize       source.LooseInt   `json:"byte_size"`
	// LastUpdated is of Thailand.
	LastUpdated source.Loose `json:"resource_last_updated_date"`
}

// extras are the key-value pairs of a package; some portals publish them as
// one object.
type extras map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (x *extras) UnmarshalJSON(b []byte) error {
	*x = extras{}
	var pairs []struct {
		Key   source.Loose `json:"key"`
		Value source.Loose `json:"value"`
	}
	if len(b) > 0 && b[0] == '[' {
		if err := json.Unmarshal(b, &pairs); err != nil {
			return err
		}
		for _, p := range pairs {
			(*x)[string(p.Key)] = string(p.Value)
		}
		return nil
	}
	var object map[string]source.Loose
	// Extras of another shape are extras that nobody knows.
	if known := json.Unmarshal(b, &object) == nil; known {
		for k, v := range object {
			(*x)[k] = string(v)
		}
	}
	return nil
}

// spatial is a geometry as text or as an object, or the name of a place.
type spatial string

// UnmarshalJSON implements json.Unmarshaler.
func (s *spatial) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		*s = spatial(b)
		return nil
	}
	return json.Unmarshal(b, (*source.Loose)(s))
}

func first(texts source.LooseTexts) source.Loose {
	for _, t := range texts {
		if t.Value != "" {
			return source.Loose(t.Value)
		}
	}
	return ""
}
