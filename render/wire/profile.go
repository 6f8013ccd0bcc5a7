package wire

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// DataProfile is what sampling the entry's data found (specification,
// "data_profile").
type DataProfile struct {
	ID                      string         `json:"id"`
	EntryID                 string         `json:"entry_id"`
	ProfileSource           string         `json:"profile_source"`
	ProfileKind             string         `json:"profile_kind"`
	DatasetID               *string        `json:"dataset_id"`
	Fields                  []ProfileField `json:"fields"`
	FieldCount              int            `json:"field_count"`
	SampleRecords           []any          `json:"sample_records"`
	RecordCount             *int64         `json:"record_count"`
	DataSizeBytes           *int64         `json:"data_size_bytes"`
	DatasetCount            *int64         `json:"dataset_count"`
	QueryExamples           []QueryExample `json:"query_examples"`
	Status                  string         `json:"status"`
	ErrorMessage            *string        `json:"error_message"`
	ProfiledAt              *string        `json:"profiled_at"`
	RunID                   *string        `json:"run_id"`
	CreatedAt               *string        `json:"created_at"`
	UpdatedAt               *string        `json:"updated_at"`
	LicenseRaw              *string        `json:"license_raw"`
	LicenseID               *string        `json:"license_id"`
	ConsecutiveFailureCount int            `json:"consecutive_failure_count"`
	LastErrorAt             *string        `json:"last_error_at"`
	LastErrorMessage        *string        `json:"last_error_message"`
	Previewable             bool           `json:"previewable"`
	PersonalData            PersonalData   `json:"personal_data"`
	// Estimated tells that record_count was extrapolated; SampledBytes and
	// SampledRecords are what the profile rests on, Truncated that there is
	// more.
	Estimated      bool      `json:"record_count_estimated"`
	SampledBytes   *int64    `json:"sampled_bytes"`
	SampledRecords *int64    `json:"sampled_records"`
	Truncated      bool      `json:"truncated"`
	Encoding       *string   `json:"encoding"`
	Separator      *string   `json:"separator"`
	BBox           []float64 `json:"bbox"`
	Notes          []string  `json:"notes"`
	Series         *Series   `json:"series"`
}

// Spread is the distribution of the sampled values of a column.
type Spread struct {
	Values  int64        `json:"values"`
	Missing int64        `json:"missing"`
	Bins    []int64      `json:"bins"`
	Top     []ValueCount `json:"top"`
}

// ValueCount is a value and how many sampled records have it.
type ValueCount struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// Series is a column of numbers over one of time.
type Series struct {
	Time   string        `json:"time"`
	Value  string        `json:"value"`
	Points []SeriesPoint `json:"points"`
}

// SeriesPoint is a number at a time.
type SeriesPoint struct {
	At string  `json:"at"`
	V  float64 `json:"v"`
}

// ProfileField is one column of the data.
type ProfileField struct {
	Name          string  `json:"name"`
	Type          string  `json:"type"`
	Label         *string `json:"label"`
	Concept       *string `json:"concept"`
	Description   *string `json:"description"`
	DescriptionEn *string `json:"description_en"`
	// Matches tells that sampled values passed the concept's format and check
	// digit.
	Matches  bool    `json:"matches"`
	Nullable bool    `json:"nullable"`
	Items    *string `json:"items"`
	Min      *string `json:"min"`
	Max      *string `json:"max"`
	Distinct *int64  `json:"distinct"`
	// Personal is the class of personal data, null for none.
	Personal *string `json:"personal"`
	Spread   *Spread `json:"spread"`
}

// QueryExample is one request a reader can try.
type QueryExample struct {
	URL         string  `json:"url"`
	Curl        string  `json:"curl"`
	Label       string  `json:"label"`
	Method      string  `json:"method"`
	Description *string `json:"description"`
}

// PersonalData is the verdict on columns that can identify a person.
type PersonalData struct {
	Status              string          `json:"status"`
	Basis               *string         `json:"basis"`
	Grain               *string         `json:"grain"`
	Allowed             bool            `json:"allowed"`
	Columns             PersonalColumns `json:"columns"`
	Publication         *string         `json:"publication"`
	PublicationEvidence *string         `json:"publication_evidence"`
	Notice              *string         `json:"notice"`
}

// PersonalColumns groups the columns by what they can tell about a person.
type PersonalColumns struct {
	DirectIdentifiers []string `json:"direct_identifiers"`
	FamilyNames       []string `json:"family_names"`
	GivenNames        []string `json:"given_names"`
	Attributes        []string `json:"attributes"`
	UnresolvedNames   []string `json:"unresolved_names"`
	Measures          []string `json:"measures"`
	EntityIdentifiers []string `json:"entity_identifiers"`
}

func newProfile(s *snapshot.Scored) *DataProfile {
	p := s.Row.Profile
	if p == nil {
		return nil
	}
	out := &DataProfile{
		ID: p.ID, EntryID: p.EntryID, ProfileSource: p.Source, ProfileKind: p.Kind, DatasetID: null(p.DatasetID),
		Fields: []ProfileField{}, FieldCount: len(p.Fields), SampleRecords: []any{}, RecordCount: p.RecordCount,
		DataSizeBytes: p.DataSizeBytes, DatasetCount: p.DatasetCount, QueryExamples: []QueryExample{}, Status: p.Status,
		ErrorMessage: null(p.ErrorMessage), ProfiledAt: stamp(p.ProfiledAt), RunID: null(p.RunID),
		CreatedAt: stamp(p.CreatedAt), UpdatedAt: stamp(p.UpdatedAt), LicenseRaw: null(p.LicenseRaw),
		LicenseID: null(p.LicenseID), ConsecutiveFailureCount: p.FailureCount, LastErrorAt: stamp(p.LastErrorAt),
		LastErrorMessage: null(p.LastErrorMessage), PersonalData: newPersonal(&p.PersonalData),
		Estimated: p.CountEstimated, SampledBytes: number(p.SampledBytes), SampledRecords: number(p.SampledRecords), Truncated: p.Truncated,
		Encoding: null(p.Encoding), Separator: null(p.Separator), BBox: append([]float64{}, p.BBox...), Notes: list(p.Notes),
	}
	if out.Previewable, _ = p.Preview(redistribution(s)); out.Previewable {
		for _, r := range p.SampleRecords {
			out.SampleRecords = append(out.SampleRecords, decoded(r))
		}
		out.Series = newSeries(p.Series)
	}
	for _, f := range p.Fields {
		var spread *Spread
		if out.Previewable {
			spread = newSpread(f.Spread)
		}
		out.Fields = append(out.Fields, ProfileField{f.Name, f.Type, null(f.Label), null(f.Concept), null(f.Description), null(f.DescriptionEn),
			f.Matches, f.Nullable, null(f.Items), null(f.Min), null(f.Max), f.Distinct, null(f.Personal), spread})
	}
	for _, q := range p.QueryExamples {
		out.QueryExamples = append(out.QueryExamples, QueryExample{q.URL, q.Curl, q.Label, q.Method, null(q.Description)})
	}
	return out
}

func newSpread(s *catalog.Spread) *Spread {
	if s == nil {
		return nil
	}
	out := &Spread{s.Values, s.Missing, append([]int64{}, s.Bins...), []ValueCount{}}
	for _, v := range s.Top {
		out.Top = append(out.Top, ValueCount(v))
	}
	return out
}

func newSeries(s *catalog.Series) *Series {
	if s == nil {
		return nil
	}
	out := &Series{s.Time, s.Value, []SeriesPoint{}}
	for _, p := range s.Points {
		out.Points = append(out.Points, SeriesPoint(p))
	}
	return out
}

func newPersonal(p *catalog.PersonalData) PersonalData {
	c := &p.Columns
	return PersonalData{p.Status, null(p.Basis), null(p.Grain), p.Allowed, PersonalColumns{
		list(c.DirectIdentifiers), list(c.FamilyNames), list(c.GivenNames), list(c.Attributes),
		list(c.UnresolvedNames), list(c.Measures), list(c.EntityIdentifiers)},
		null(p.Publication), null(p.PublicationEvidence), null(p.Notice)}
}

// redistribution is whether the licence allows passing the data on.
func redistribution(s *snapshot.Scored) catalog.Right {
	if s.Licence == nil {
		return catalog.RightUnknown
	}
	return s.Licence.Redistribution
}
