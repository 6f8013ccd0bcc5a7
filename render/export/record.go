package export

import (
	"strings"
	"time"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Record is an entry in an export (specification, "Feeds and
// exports"). Its members stand in the order of Columns and have the values that
// the entry's own page shows.
type Record wire.ExportEntry

// Column is one column of the tabular exports.
type Column struct {
	Name string
	// Nullable tells whether an entry may have no value.
	Nullable bool
}

// Columns are the columns of every tabular export, in order.
var Columns = [...]Column{
	{"id", false}, {"name", false}, {"slug", false}, {"type", false}, {"description", true}, {"country_code", true},
	{"homepage_url", true}, {"docs_url", true}, {"repo_url", true}, {"free_access_class", false}, {"auth_type", false},
	{"status", false}, {"verification_state", false}, {"tags", false}, {"created_at", false}, {"updated_at", false},
	{"last_verified_at", true},
}

// Cells are the values of a record in the order of Columns, nil for null.
type Cells [len(Columns)]*string

// NewRecord makes the record of an entry.
func NewRecord(s *snapshot.Scored) Record {
	e := s.Entry()
	r := Record{
		ID: e.ID, Name: text(e.Name), Slug: e.Slug, Type: string(e.Type), Description: null(e.Description),
		CountryCode: null(e.CountryCode), HomepageURL: null(e.HomepageURL), DocsURL: null(e.DocsURL), RepoURL: null(e.RepoURL),
		FreeAccessClass: string(e.FreeAccessClass), AuthType: string(e.AuthType), Status: string(e.Status),
		VerificationState: string(s.Result.State), Tags: make([]string, len(e.Tags)),
		CreatedAt: stamp(e.CreatedAt), UpdatedAt: stamp(e.UpdatedAt),
	}
	for i, t := range e.Tags {
		r.Tags[i] = text(t)
	}
	if st := s.Row.State; st != nil && !st.LastCheckedAt.IsZero() {
		at := stamp(st.LastCheckedAt)
		r.LastVerifiedAt = &at
	}
	return r
}

// RecordOf makes a record of the cells of its row.
func RecordOf(v *Cells) *Record {
	return &Record{
		ID: *v[0], Name: *v[1], Slug: *v[2], Type: *v[3], Description: copied(v[4]), CountryCode: copied(v[5]), HomepageURL: copied(v[6]),
		DocsURL: copied(v[7]), RepoURL: copied(v[8]), FreeAccessClass: *v[9], AuthType: *v[10], Status: *v[11], VerificationState: *v[12],
		Tags: SplitTags(*v[13]), CreatedAt: *v[14], UpdatedAt: *v[15], LastVerifiedAt: copied(v[16]),
	}
}

func copied(cell *string) *string {
	if cell == nil {
		return nil
	}
	s := *cell
	return &s
}

// Cells are the record as a row of a table.
func (r *Record) Cells() Cells {
	tags := JoinTags(r.Tags)
	return Cells{&r.ID, &r.Name, &r.Slug, &r.Type, r.Description, r.CountryCode, r.HomepageURL, r.DocsURL, r.RepoURL,
		&r.FreeAccessClass, &r.AuthType, &r.Status, &r.VerificationState, &tags, &r.CreatedAt, &r.UpdatedAt, r.LastVerifiedAt}
}

// inTag and between swap the semicolon inside a tag with the comma, which no
// tag holds.
var (
	inTag   = strings.NewReplacer(";", ",")
	between = strings.NewReplacer(",", ";")
)

// JoinTags writes tags into one cell.
func JoinTags(tags []string) string {
	joined := strings.Join(tags, ";")
	if strings.Count(joined, ";") < len(tags) {
		return joined
	}
	parts := make([]string, len(tags))
	for i, t := range tags {
		parts[i] = inTag.Replace(t)
	}
	return strings.Join(parts, ";")
}

// SplitTags reads the tags of a cell.
func SplitTags(cell string) []string {
	if cell == "" {
		return []string{}
	}
	parts := strings.Split(cell, ";")
	for i, p := range parts {
		parts[i] = between.Replace(p)
	}
	return parts
}

// text makes sure that every form carries the same characters: what is not
// UTF-8 could be written into CSV but not into JSON. The store holds none.
func text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func null(s string) *string {
	if s == "" {
		return nil
	}
	s = text(s)
	return &s
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
