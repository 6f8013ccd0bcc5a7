package wire

import (
	"fmt"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// Core are the members that list items and single entries share
// (specification, "Entry").
type Core struct {
	ID                   string                    `json:"id"`
	Slug                 string                    `json:"slug"`
	Name                 string                    `json:"name"`
	Type                 catalog.EntryType         `json:"type"`
	Description          *string                   `json:"description"`
	HomepageURL          *string                   `json:"homepage_url"`
	DocsURL              *string                   `json:"docs_url"`
	Tags                 []string                  `json:"tags"`
	Status               catalog.Status            `json:"status"`
	VerificationState    catalog.VerificationState `json:"verification_state"`
	LastVerifiedAt       *string                   `json:"last_verified_at"`
	RankingScore         *float64                  `json:"ranking_score"`
	IsPublicSector       bool                      `json:"is_public_sector"`
	CountryCode          *string                   `json:"country_code"`
	InstitutionID        *string                   `json:"institution_id"`
	InstitutionType      *catalog.InstitutionType  `json:"institution_type"`
	OfficialConfidence   *int                      `json:"official_confidence"`
	ProofSummary         *string                   `json:"proof_summary"`
	FreeAccessClass      catalog.FreeAccessClass   `json:"free_access_class"`
	AuthType             catalog.AuthType          `json:"auth_type"`
	RepoURL              *string                   `json:"repo_url"`
	LogoURL              *string                   `json:"logo_url"`
	PrimarySourceURL     *string                   `json:"primary_source_url"`
	ExtractionConfidence string                    `json:"extraction_confidence"`
	CreatedAt            *string                   `json:"created_at"`
	UpdatedAt            *string                   `json:"updated_at"`
	PublishedAt          *string                   `json:"published_at"`
	LastRankedAt         *string                   `json:"last_ranked_at"`
	LastUptimeAt         *string                   `json:"last_uptime_at"`
	DeprecatedAt         *string                   `json:"deprecated_at"`
	LastSeenAt           *string                   `json:"last_seen_at"`
	LastValidatedAt      *string                   `json:"last_validated_at"`
	PopularityScore      string                    `json:"popularity_score"`
	MaintenanceScore     string                    `json:"maintenance_score"`
	SourceSeedURL        *string                   `json:"source_seed_url"`
	GeographicScope      catalog.GeographicScope   `json:"geographic_scope"`
	NameEn               *string                   `json:"name_en"`
	DescriptionEn        *string                   `json:"description_en"`
	NativeLang           *string                   `json:"native_lang"`
	AccessLevel          catalog.AccessLevel       `json:"access_level"`
	Formats              []string                  `json:"formats"`
	CapabilityTier       catalog.CapabilityTier    `json:"capability_tier"`
	TrustScore           float64                   `json:"trust_score"`
	MergedIntoEntryID    *string                   `json:"merged_into_entry_id"`
	IdentityKey          string                    `json:"identity_key"`
	UpstreamRef          *string                   `json:"upstream_ref"`
	MaturityIndex        int                       `json:"maturity_index"`
	CountsAsCoverage     bool                      `json:"maturity_counts_as_coverage"`
	MQAScore             float64                   `json:"mqa_score"`
	MQATier              catalog.MQATier           `json:"mqa_tier"`
	AccessRights         *catalog.AccessRights     `json:"access_rights"`
}

// ItemTail are the members that only list items have.
type ItemTail struct {
	Maturity       catalog.Maturity `json:"maturity"`
	SearchVector   string           `json:"search_vector"`
	TitleQualifier *string          `json:"title_qualifier"`
}

// Item is one element of an EntriesPage.
type Item struct {
	Core
	ItemTail
}

// ListTextMax is the longest description in a list item, in bytes; the entry's
// own page has the whole text. What was cut is counted in cells.truncated.
const ListTextMax = 600

func newCore(s *snapshot.Scored) Core {
	e, r := s.Entry(), &s.Result
	ranking := r.Ranking.Float()
	c := Core{
		ID: e.ID, Slug: e.Slug, Name: e.Name, Type: e.Type, Description: null(e.Description),
		HomepageURL: null(e.HomepageURL), DocsURL: null(e.DocsURL), Tags: list(e.Tags), Status: e.Status,
		VerificationState: r.State, RankingScore: &ranking, IsPublicSector: r.PublicSector,
		CountryCode: null(e.CountryCode), InstitutionID: null(e.InstitutionID),
		OfficialConfidence: r.Confidence, ProofSummary: null(r.Proof), FreeAccessClass: e.FreeAccessClass,
		AuthType: e.AuthType, RepoURL: null(e.RepoURL), LogoURL: null(e.LogoURL),
		PrimarySourceURL: null(e.PrimarySourceURL), ExtractionConfidence: hundredths(e.ExtractionConfidence),
		CreatedAt: stamp(e.CreatedAt), UpdatedAt: stamp(e.UpdatedAt), PublishedAt: stamp(e.PublishedAt),
		LastRankedAt: stamp(s.RankedSince()), DeprecatedAt: stamp(e.DeprecatedAt), PopularityScore: r.PopularityScore,
		MaintenanceScore: r.Maintenance, SourceSeedURL: null(e.SourceSeedURL), GeographicScope: r.Scope,
		NameEn: null(e.NameEn), DescriptionEn: null(e.DescriptionEn), NativeLang: null(e.NativeLang),
		AccessLevel: r.Access.Level, Formats: list(e.Formats), CapabilityTier: r.Capability,
		TrustScore: r.Trust.Float(), MergedIntoEntryID: null(e.MergedIntoID), IdentityKey: e.IdentityKey,
		UpstreamRef: null(e.UpstreamRef), MaturityIndex: r.Maturity.Level.Index,
		CountsAsCoverage: r.Maturity.Level.Coverage, MQAScore: r.MQA.Float(), MQATier: r.Tier,
	}
	if e.AccessRights != "" {
		c.AccessRights = &e.AccessRights
	}
	if t := catalog.InstitutionTypeOf(e.Publisher, s.Institution); t != "" {
		c.InstitutionType = &t
	}
	if st := s.Row.State; st != nil {
		c.LastVerifiedAt, c.LastUptimeAt = stamp(st.LastCheckedAt), stamp(st.SucceededAt)
	}
	return c
}

// EncodeItem writes the list item of an entry and says which of its cells are
// empty or cut.
func EncodeItem(s *snapshot.Scored) ([]byte, snapshot.Cells, error) {
	e := s.Entry()
	item := Item{Core: newCore(s), ItemTail: ItemTail{
		Maturity:       s.Result.Maturity.Level.Level,
		SearchVector:   search.Vector(e.Name, e.NameEn, e.Description, e.DescriptionEn, strings.Join(e.Tags, " ")),
		TitleQualifier: null(s.Qualifier),
	}}
	var cells snapshot.Cells
	for _, t := range []struct {
		field string
		text  **string
	}{{"description", &item.Description}, {"description_en", &item.DescriptionEn}} {
		if *t.text != nil && len(**t.text) > ListTextMax {
			short := cut(**t.text, ListTextMax)
			*t.text = &short
			cells.Truncated |= 1 << fieldBit[t.field]
		}
	}
	cells.Empty = emptyCells(&item)
	body, err := jsonx.Marshal(&item)
	if err != nil {
		return nil, cells, fmt.Errorf("item of entry %s: %w", e.ID, err)
	}
	return body, cells, nil
}

// cut shortens text to at most n bytes at a character boundary, with an
// ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimRight(strings.ToValidUTF8(s[:n-3], ""), " \n\t") + "…"
}

func null(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// nullAt is null of a text that stays where it is.
func nullAt(s *string) *string {
	if *s == "" {
		return nil
	}
	return s
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339)
	return &s
}

func hundredths(n int) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }
