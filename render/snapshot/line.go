package snapshot

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/score"
)

// Line is what the index keeps of one entry: what lists are filtered, sorted
// and counted by, what relations are computed from, and where the rendered
// list item lies.
type Line struct {
	ID     string `json:"id"`
	Slug   string `json:"slug"`
	Name   string `json:"name"`
	NameEn string `json:"name_en,omitempty"`
	// Sort is the folded name; a snapshot that was read does not keep it.
	Sort string `json:"sort"`
	// Titles are those in other languages of the interface (TitleIn).
	Titles []Title  `json:"titles,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	// From and To are the period that the data covers, in Unix seconds, 0 for an open end.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Box is the area that the data covers, nil where the source states none as a box.
	Box      *catalog.Box `json:"box,omitempty"`
	Serves   []string     `json:"serves,omitempty"`
	ServedBy []string     `json:"served_by,omitempty"`
	// MayBe are the entries of which it may be a duplicate.
	MayBe     []string     `json:"may_be,omitempty"`
	Successor string       `json:"successor,omitempty"`
	MQA       score.Tenths `json:"mqa"`
	Trust     score.Tenths `json:"trust"`
	Ranking   score.Tenths `json:"ranking"`
	// Gained is the growth of the ranking score over the last seven days.
	Gained score.Tenths `json:"gained,omitempty"`
	// Confidence is official_confidence, -1 when no proof was ever tried.
	Confidence int16 `json:"confidence"`
	// P50 is a latency in milliseconds, -1 when unknown; the times are Unix
	// seconds, 0 when unknown.
	P50            int32 `json:"p50"`
	Created        int64 `json:"created"`
	Updated        int64 `json:"updated"`
	Published      int64 `json:"published"`
	Verified       int64 `json:"verified,omitempty"`
	ContentChanged int64 `json:"content_changed,omitempty"`
	Changed        int64 `json:"changed"`
	// Shown is when what others show of the entry took its values: its publication, the
	// day of its quality score, or the change of its state, whichever is later.
	Shown int64 `json:"shown,omitempty"`
	// Checked is the time of its last check, which may be later than what is shown of checks.
	Checked int64  `json:"checked,omitempty"`
	Cells   Cells  `json:"cells"`
	Item    Span   `json:"item"`
	Digest  string `json:"digest,omitempty"`
	// Deprecated is since when the entry is deprecated, Sunset when its source
	// will stop, in Unix seconds; 0 for neither.
	Deprecated int64 `json:"deprecated,omitempty"`
	Sunset     int64 `json:"sunset,omitempty"`
	// Qualifier tells it from others of its name, "" when the name is unique.
	Qualifier string `json:"qualifier,omitempty"`
	// Member is the series that it may be in, nil for none.
	Member *Membership `json:"member,omitempty"`
	// Mend are what its publisher can mend, with the points that it brings (lint.Pack).
	Mend string `json:"mend,omitempty"`
	// Months tell how reliable it was (Reliability).
	Months string `json:"months,omitempty"`
	// Sums lie beside the snapshot.
	Sums Sums `json:"-"`
	// Traits are never nil, and never changed once a snapshot has the line.
	*Traits
}

// Traits are what an entry has in common with many others. Lines that are kept share them.
type Traits struct {
	Lang          string                    `json:"lang,omitempty"`
	Type          catalog.EntryType         `json:"type"`
	Status        catalog.Status            `json:"status"`
	State         catalog.VerificationState `json:"state"`
	Country       string                    `json:"country,omitempty"`
	InstitutionID string                    `json:"institution_id,omitempty"`
	InstType      catalog.InstitutionType   `json:"inst_type,omitempty"`
	Host          string                    `json:"host,omitempty"`
	FreeAccess    catalog.FreeAccessClass   `json:"free_access"`
	Auth          catalog.AuthType          `json:"auth"`
	Rights        catalog.AccessRights      `json:"rights,omitempty"`
	LicenseID     string                    `json:"license_id,omitempty"`
	Tier          catalog.MQATier           `json:"tier"`
	Maturity      catalog.Maturity          `json:"maturity"`
	Capability    catalog.CapabilityTier    `json:"capability"`
	Public        bool                      `json:"public,omitempty"`
	Formats       []string                  `json:"formats,omitempty"`
	// Resources are the formats of its files and endpoints (catalog.Entry.ResourceFormats).
	Resources []string `json:"resource_formats,omitempty"`
	Themes    []string `json:"themes,omitempty"`
	// HVD are codes of the categories of high-value datasets, Places those that the source
	// names, Frequency a code of how often the data is updated.
	HVD       []string `json:"hvd,omitempty"`
	Places    []string `json:"places,omitempty"`
	Frequency string   `json:"frequency,omitempty"`
	// Allows are what the licence permits.
	Allows []string `json:"allows,omitempty"`
	// Download tells that a file of it has an address.
	Download bool `json:"download,omitempty"`
	// Concepts are the canonical identifiers among the profiled fields.
	Concepts []string `json:"concepts,omitempty"`
	// Checkable tells that the entry has an address that can be asked.
	Checkable bool `json:"checkable,omitempty"`
	// LeftOut is why DCAT-AP cannot hold the entry, "" when it can.
	LeftOut string `json:"left_out,omitempty"`
}

// Cells tells for the fields of a list item, one bit each in the order of
// wire.Fields, which are empty and which were cut for the list.
type Cells struct {
	Empty     uint64 `json:"empty,string"`
	Truncated uint64 `json:"truncated,string,omitempty"`
}

// Span is a fragment of the items file.
type Span struct {
	Offset int64 `json:"at"`
	Length int   `json:"n"`
}

// Listed tells whether the entry stands in the default lists.
func (l *Line) Listed() bool { return l.Status == catalog.StatusActive }

// NewLine makes the index line of a scored entry. Its texts are those of the
// entry.
func NewLine(s *Scored, foldedName string) Line {
	e, r := s.Entry(), &s.Result
	l := Line{
		ID: e.ID, Slug: e.Slug, Name: e.Name, NameEn: e.NameEn, Sort: foldedName, Titles: titlesOf(e),
		Tags: filled(e.Tags), Successor: e.SuccessorID,
		MQA: r.MQA, Trust: r.Trust, Ranking: r.Ranking, Gained: gained(s), P50: -1, Confidence: -1,
		Created: unix(e.CreatedAt), Updated: unix(e.UpdatedAt), Published: unix(e.PublishedAt),
		ContentChanged: unix(e.ContentChangedAt), Changed: unix(s.ChangedAt), Shown: unix(s.shownSince()), Checked: unix(s.CheckedAt),
		Qualifier: s.Qualifier, Member: membership(e),
		Traits: &Traits{
			Type: e.Type, Status: e.Status, State: r.State, Country: e.CountryCode, Lang: e.NativeLang,
			InstitutionID: e.InstitutionID, Host: catalog.Host(e.PrimarySourceURL),
			FreeAccess: e.FreeAccessClass, Auth: e.AuthType, Rights: e.AccessRights, LicenseID: e.LicenseID, Allows: allowsOf(s.Licence),
			Tier: r.Tier, Maturity: r.Maturity.Level.Level, Capability: r.Capability, Public: r.PublicSector,
			Formats: filled(e.Formats), Resources: e.ResourceFormats(), Themes: filled(e.Themes), HVD: filled(e.HVDCategories), Places: placesOf(e),
			Frequency: frequencyOf(e), Download: downloadable(e),
		},
	}
	if e.Status == catalog.StatusActive {
		l.Mend = lint.Pack(lint.Gaps(r))
	}
	l.Months = monthsOf(s.Row, s.Day)
	if e.Status == catalog.StatusDeprecated {
		l.Deprecated, l.Sunset = unix(e.DeprecatedAt), unix(e.SunsetAt)
	}
	if b, ok := e.Extent(); ok {
		l.Box = &b
	}
	if d := e.Dataset; d != nil {
		l.From, l.To = unix(d.TemporalStart), unix(d.TemporalEnd)
	}
	if s.Institution != nil {
		l.InstType = catalog.InstitutionTypeOf(e.Publisher, s.Institution)
	}
	if r.Confidence != nil {
		l.Confidence = int16(*r.Confidence)
	}
	if r.P50 != nil {
		l.P50 = int32(*r.P50)
	}
	if s.Row.State != nil {
		l.Verified = unix(s.Row.State.LastCheckedAt)
	}
	for _, m := range e.Members {
		if m.EntryID != "" {
			l.Serves = append(l.Serves, m.EntryID)
		}
	}
	for _, x := range e.Relations {
		switch {
		case x.EntryID == "":
		case x.Kind == catalog.RelationServes && !slices.Contains(l.Serves, x.EntryID):
			l.Serves = append(l.Serves, x.EntryID)
		case x.Kind == catalog.RelationServedBy:
			l.ServedBy = append(l.ServedBy, x.EntryID)
		case x.Kind == catalog.RelationDuplicate:
			l.MayBe = append(l.MayBe, x.EntryID)
		}
	}
	if s.Row.Profile != nil {
		for _, f := range s.Row.Profile.Fields {
			if f.Concept != "" && f.Matches && !slices.Contains(l.Concepts, f.Concept) {
				l.Concepts = append(l.Concepts, f.Concept)
			}
		}
	}
	return l
}

// gainDays is the period of gained.
const gainDays = 7

// gained compares the ranking with the oldest one of the last seven days.
func gained(s *Scored) score.Tenths {
	since := s.Day.AddDate(0, 0, -gainDays).Format(time.DateOnly)
	for _, d := range s.Row.Scores {
		if d.Day >= since && d.Ranking != nil {
			return s.Result.Ranking - score.Tenths(*d.Ranking*10+0.5)
		}
	}
	return 0
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// filled is a list, nil when it is empty.
func filled(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}
