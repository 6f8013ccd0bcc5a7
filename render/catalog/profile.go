package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Notes on where the columns of a text table are named; Dialect goes by them.
const (
	NoteNoHeader      = "the table has no header; columns are numbered"
	NoteAboveHeader   = "%d lines above the header were left out"
	NoteSeparatorLine = "the first line states the separator"
)

// Dialect is how a text table is written.
type Dialect struct {
	// Separator parts the columns, Encoding is the charset in lower case; "" where unknown.
	Separator, Encoding string
	// HeaderRow is the line that names the columns, from 1 on; 0 for a table without.
	HeaderRow int
}

// DialectOf reads what a profile says of a text table: its separator as profiles write it, its
// encoding and its notes. ok is false for data of another kind.
func DialectOf(separator, encoding string, notes []string) (d Dialect, ok bool) {
	if separator == "" {
		return d, false
	}
	d = Dialect{Separator: separator, Encoding: strings.ToLower(encoding), HeaderRow: 1}
	if separator == `\t` {
		d.Separator = "\t"
	}
	above, none := 0, false
	for _, note := range notes {
		n := 0
		switch _, err := fmt.Sscanf(note, NoteAboveHeader, &n); {
		case err == nil:
			above += n
		case note == NoteSeparatorLine:
			above++
		case note == NoteNoHeader:
			none = true
		}
	}
	if d.HeaderRow += above; none {
		d.HeaderRow = 0
	}
	return d, true
}

// Profile is what sampling an entry's data found.
type Profile struct {
	ID      string `json:"id"`
	EntryID string `json:"entry_id"`
	// Source is the URL that was sampled, Kind its format.
	Source        string            `json:"profile_source"`
	Kind          string            `json:"profile_kind"`
	DatasetID     string            `json:"dataset_id,omitempty"`
	Fields        []ProfileField    `json:"fields,omitempty"`
	SampleRecords []json.RawMessage `json:"sample_records,omitempty"`
	RecordCount   *int64            `json:"record_count"`
	DataSizeBytes *int64            `json:"data_size_bytes"`
	DatasetCount  *int64            `json:"dataset_count"`
	// CountEstimated tells that RecordCount was extrapolated from a sample.
	CountEstimated bool `json:"record_count_estimated,omitempty"`
	// SampledBytes and SampledRecords are how much the profile rests on, and
	// Truncated tells that the source has more than was read.
	SampledBytes   int64 `json:"sampled_bytes,omitempty"`
	SampledRecords int64 `json:"sampled_records,omitempty"`
	Truncated      bool  `json:"truncated,omitempty"`
	// Encoding and Separator are the dialect of a text table.
	Encoding  string `json:"encoding,omitempty"`
	Separator string `json:"separator,omitempty"`
	// Records is where the records were found: a path, a sheet, an element.
	Records string `json:"records,omitempty"`
	// BBox is west, south, east, north in degrees (RFC 7946, section 5).
	BBox []float64 `json:"bbox,omitempty"`
	// Series is a measure over time, where the sample is one; nil else.
	Series *Series `json:"series,omitempty"`
	// Notes are what a reader of the source should know, such as a row that
	// does not fit. They hold no values of the data.
	Notes         []string       `json:"notes,omitempty"`
	QueryExamples []QueryExample `json:"query_examples,omitempty"`
	// Status is ok, unsupported or error.
	Status           string       `json:"status"`
	ErrorMessage     string       `json:"error_message,omitempty"`
	ProfiledAt       time.Time    `json:"profiled_at,omitzero"`
	RunID            string       `json:"run_id,omitempty"`
	LicenseRaw       string       `json:"license_raw,omitempty"`
	LicenseID        string       `json:"license_id,omitempty"`
	FailureCount     int          `json:"consecutive_failure_count,omitempty"`
	LastErrorAt      time.Time    `json:"last_error_at,omitzero"`
	LastErrorMessage string       `json:"last_error_message,omitempty"`
	Previewable      bool         `json:"previewable"`
	PersonalData     PersonalData `json:"personal_data"`
	CreatedAt        time.Time    `json:"created_at"`
	UpdatedAt        time.Time    `json:"updated_at"`
}

// ProfileField is one column of a profiled dataset.
type ProfileField struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Label string `json:"label,omitempty"`
	// Concept is the canonical identifier scheme the field is linked to.
	Concept       string `json:"concept,omitempty"`
	Description   string `json:"description,omitempty"`
	DescriptionEn string `json:"description_en,omitempty"`
	// Matches tells that sampled values passed the concept's format and check digit.
	Matches bool `json:"matches,omitempty"`
	// Nullable tells that a sampled record has no value here.
	Nullable bool `json:"nullable,omitempty"`
	// Items is the type of the members of an array.
	Items string `json:"items,omitempty"`
	// Min and Max are the bounds of the sampled numbers and dates, in the form
	// of the type; empty where they could tell about a person.
	Min string `json:"min,omitempty"`
	Max string `json:"max,omitempty"`
	// Distinct is how many different values were sampled, nil if unknown or if
	// it was not counted to the end.
	Distinct *int64 `json:"distinct,omitempty"`
	// Personal is the class of personal data, empty for none, and
	// PersonalConfidence how sure that is, from 0 to 1.
	Personal           string  `json:"personal,omitempty"`
	PersonalConfidence float64 `json:"personal_confidence,omitempty"`
	// Spread says how the sampled values are distributed; nil where they are
	// masked, or not known.
	Spread *Spread `json:"spread,omitempty"`
}

// Spread is the distribution of the sampled values of a field.
type Spread struct {
	// Values is how many sampled records have a value, Missing how many have
	// none.
	Values  int64 `json:"values"`
	Missing int64 `json:"missing,omitempty"`
	// Bins count numbers and dates in equally wide ranges from Min to Max of the
	// field.
	Bins []int64 `json:"bins,omitempty"`
	// Top are the most frequent values of a field whose values repeat, the most
	// frequent first.
	Top []ValueCount `json:"top,omitempty"`
}

// ValueCount is a value and how many sampled records have it.
type ValueCount struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// Series is one field of numbers over one of time; every record is a point.
type Series struct {
	// Time and Value name the fields.
	Time  string `json:"time"`
	Value string `json:"value"`
	// Points are in order of time.
	Points []SeriesPoint `json:"points"`
}

// SeriesPoint is a number at a time, which is a year, month, day or instant in
// the form of ISO 8601.
type SeriesPoint struct {
	At string  `json:"at"`
	V  float64 `json:"v"`
}

// QueryExample is one request a reader can try.
type QueryExample struct {
	URL         string `json:"url"`
	Curl        string `json:"curl"`
	Label       string `json:"label"`
	Method      string `json:"method"`
	Description string `json:"description,omitempty"`
}

// PersonalData is the verdict on columns that can identify a person.
type PersonalData struct {
	Status              string          `json:"status"`
	Basis               string          `json:"basis,omitempty"`
	Grain               string          `json:"grain,omitempty"`
	Allowed             bool            `json:"allowed"`
	Columns             PersonalColumns `json:"columns"`
	Publication         string          `json:"publication,omitempty"`
	PublicationEvidence string          `json:"publication_evidence,omitempty"`
	Notice              string          `json:"notice,omitempty"`
}

// What PersonalData.Notice says of the rows of a sample.
const (
	NoticeMasked   = "Values that can identify a person, or that could not be decided, are masked: the shape is kept, the value is not."
	NoticeWithheld = "Sample rows are withheld: the data hold special categories of personal data about single persons."
)

// PersonalColumns groups column names by what they can tell about a person.
type PersonalColumns struct {
	DirectIdentifiers []string `json:"direct_identifiers,omitempty"`
	FamilyNames       []string `json:"family_names,omitempty"`
	GivenNames        []string `json:"given_names,omitempty"`
	Attributes        []string `json:"attributes,omitempty"`
	UnresolvedNames   []string `json:"unresolved_names,omitempty"`
	Measures          []string `json:"measures,omitempty"`
	EntityIdentifiers []string `json:"entity_identifiers,omitempty"`
}

// Statuses of a profile.
const (
	ProfileOK          = "ok"
	ProfileUnsupported = "unsupported"
	ProfileError       = "error"
)

// Preview tells whether the sample rows may be shown, and if not, why: there
// must be rows, none withheld for the sake of persons, and a licence that does
// not forbid passing them on. An unknown licence does not: a few masked rows
// describe the data, they do not replace them. A nil profile has none.
func (p *Profile) Preview(redistribution Right) (allowed bool, reason string) {
	switch {
	case p == nil:
		return false, "the data were not sampled"
	case p.Status != ProfileOK:
		return false, "the data could not be read"
	case !p.PersonalData.Allowed:
		return false, "the rows are withheld because they are about single persons"
	case len(p.SampleRecords) == 0:
		return false, "the sample has no rows"
	case redistribution == RightNo:
		return false, "the licence forbids passing the data on"
	}
	return true, ""
}
