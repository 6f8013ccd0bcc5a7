package wire

import (
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
)

// Links are the addresses of a list's neighbours, as absolute paths under the
// host of the register; next and prev are null at the ends. They name the
// snapshot, so that a reader who pages sees one catalog (decisions §2).
type Links struct {
	Self  string  `json:"self"`
	First string  `json:"first"`
	Prev  *string `json:"prev"`
	Next  *string `json:"next"`
	Last  string  `json:"last"`
}

// PageHead are the members of an EntriesPage after items.
type PageHead struct {
	Total               int           `json:"total"`
	Page                int           `json:"page"`
	Limit               int           `json:"limit"`
	TotalPages          int           `json:"total_pages"`
	Snapshot            string        `json:"snapshot"`
	Links               Links         `json:"links"`
	FieldProvenanceNote string        `json:"field_provenance_note"`
	FieldProvenance     ProvenanceMap `json:"field_provenance"`
}

// EntriesPage is the documented shape of a list answer without its manifest;
// EncodePage writes it from rendered items.
type EntriesPage struct {
	Items []Item `json:"items"`
	PageHead
}

// TotalPages is how many pages of limit entries a list has, 0 for an empty one.
func TotalPages(total, limit int) int { return (total + limit - 1) / limit }

// EncodePage writes one page of a list with its manifest. lines are the
// entries of the page; the head's provenance map is made here.
func EncodePage(c *snapshot.Catalog, lines []*snapshot.Line, head PageHead, changed time.Time, live bool) ([]byte, error) {
	body, err := appendPage(nil, c, lines, head)
	if err != nil {
		return nil, err
	}
	return SealBytes(body, changed, live)
}

// PageIn is EncodePage for a static page that is written into an empty slice.
func PageIn(room []byte, c *snapshot.Catalog, lines []*snapshot.Line, head PageHead, changed time.Time) (Sealed, error) {
	body, err := appendPage(room, c, lines, head)
	if err != nil {
		return Sealed{}, err
	}
	return sealed(body, jsonx.Elements(body), changed), nil
}

// pageBegins is what the items of a page follow, one comma between two of them, and ItemsAt how
// many bytes that are.
const (
	pageBegins = `{"items":[`
	ItemsAt    = len(pageBegins)
)

func appendPage(b []byte, c *snapshot.Catalog, lines []*snapshot.Line, head PageHead) ([]byte, error) {
	b = append(b, pageBegins...)
	cells := make([]snapshot.Cells, len(lines))
	for i, l := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		item, err := c.ReadItem(l)
		if err != nil {
			return nil, err
		}
		b = append(b, item...)
		cells[i] = l.Cells
	}
	head.Snapshot, head.FieldProvenanceNote, head.FieldProvenance = c.ID, ProvenanceNote, NewProvenanceMap(cells)
	b = append(b, ']')
	tail := len(b)
	b, err := jsonx.Append(b, &head)
	if err != nil {
		return nil, err
	}
	b[tail] = ',' // the members of the head follow those of the page
	return b, nil
}

// PinnedPath is the path, under the site's prefix, of a pinned list page.
func PinnedPath(site snapshot.Site, snapshotID string, page int) string {
	return Path(site, "/s/"+snapshotID+"/api/v1/entries/pages/"+strconv.Itoa(page))
}

// Path puts the path of the base URL before a route.
func Path(site snapshot.Site, route string) string { return basePath(site.BaseURL) + route }

// basePath is what follows scheme and host: "https://example.org/register"
// gives "/register".
func basePath(base string) string {
	_, rest, _ := strings.Cut(base, "://")
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return ""
	}
	return strings.TrimSuffix(rest[i:], "/")
}

// Ref is another entry in short. It leaves out ranking_score, which would move the pages of
// all neighbours of an entry with its age.
type Ref struct {
	ID                string  `json:"id"`
	Slug              string  `json:"slug"`
	Name              string  `json:"name"`
	NameEn            *string `json:"name_en"`
	Type              string  `json:"type"`
	CountryCode       *string `json:"country_code"`
	VerificationState string  `json:"verification_state"`
	MQAScore          float64 `json:"mqa_score"`
	MQATier           string  `json:"mqa_tier"`
}

// NewRef is the short form of an index line.
func NewRef(l *snapshot.Line) Ref {
	return Ref{l.ID, l.Slug, l.Name, nullAt(&l.NameEn), string(l.Type), nullAt(&l.Country), string(l.State), l.MQA.Float(), string(l.Tier)}
}

// AppendScript writes the reference; a page may hold a hundred.
func (r *Ref) AppendScript(b []byte) []byte {
	b = jsonx.AppendText(append(b, `{"id":`...), r.ID)
	b = jsonx.AppendText(append(b, `,"slug":`...), r.Slug)
	b = jsonx.AppendText(append(b, `,"name":`...), r.Name)
	b = orNull(append(b, `,"name_en":`...), r.NameEn)
	b = jsonx.AppendText(append(b, `,"type":`...), r.Type)
	b = orNull(append(b, `,"country_code":`...), r.CountryCode)
	b = jsonx.AppendText(append(b, `,"verification_state":`...), r.VerificationState)
	b = jsonx.AppendNumber(append(b, `,"mqa_score":`...), r.MQAScore)
	b = jsonx.AppendText(append(b, `,"mqa_tier":`...), r.MQATier)
	return append(b, '}')
}

func orNull(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return jsonx.AppendText(b, *s)
}

// Relations is the answer of relations: facts that tie entries together.
type Relations struct {
	EntryID    string      `json:"entry_id"`
	Items      []Relation  `json:"items"`
	MergedFrom []Tombstone `json:"merged_from"`
	// Series is the series that the entry belongs to, null for none.
	Series *EntrySeries `json:"series"`
}

// Relation is one tie. Kind is successor, predecessor, serves, served_by,
// same_institution or same_host.
type Relation struct {
	Kind   string `json:"kind"`
	Label  string `json:"label"`
	Entry  Ref    `json:"entry"`
	Reason string `json:"reason"`
}

// Related is the answer of related and of alternatives: other entries with the
// reasons why they are close. The points are comparable only within one answer.
type Related struct {
	EntryID string         `json:"entry_id"`
	Items   []RelatedEntry `json:"items"`
}

// RelatedEntry is one close entry.
type RelatedEntry struct {
	Points  int     `json:"points"`
	Reasons Reasons `json:"reasons"`
	Entry   Ref     `json:"entry"`
}

// Reasons say what two entries share.
type Reasons struct {
	Tags            []string `json:"tags"`
	Fields          []string `json:"fields"`
	SameInstitution bool     `json:"same_institution"`
	SameHost        bool     `json:"same_host"`
	SameCountry     bool     `json:"same_country"`
	Text            string   `json:"text"`
}
