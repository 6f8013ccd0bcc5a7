package dump

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"
)

// row is a full record as Parquet holds it: the columns of export.FullColumns, lists as
// lists, times as instants in UTC and what depends on the language as JSON, so that a
// query engine need not parse them. Columns of few values are coded by a dictionary.
type row struct {
	ID                 string     `parquet:"id"`
	Name               string     `parquet:"name"`
	Slug               string     `parquet:"slug"`
	Type               string     `parquet:"type,dict"`
	Description        *string    `parquet:"description,optional"`
	CountryCode        *string    `parquet:"country_code,optional,dict"`
	HomepageURL        *string    `parquet:"homepage_url,optional"`
	DocsURL            *string    `parquet:"docs_url,optional"`
	RepoURL            *string    `parquet:"repo_url,optional"`
	FreeAccessClass    string     `parquet:"free_access_class,dict"`
	AuthType           string     `parquet:"auth_type,dict"`
	Status             string     `parquet:"status,dict"`
	VerificationState  string     `parquet:"verification_state,dict"`
	Tags               []string   `parquet:"tags,list"`
	CreatedAt          time.Time  `parquet:"created_at,timestamp(millisecond)"`
	UpdatedAt          time.Time  `parquet:"updated_at,timestamp(millisecond)"`
	LastVerifiedAt     *time.Time `parquet:"last_verified_at,optional,timestamp(millisecond)"`
	NameEn             *string    `parquet:"name_en,optional"`
	NativeLang         *string    `parquet:"native_lang,optional,dict"`
	TitleQualifier     *string    `parquet:"title_qualifier,optional"`
	Titles             *string    `parquet:"titles,optional"`
	AlternativeTitles  []string   `parquet:"alternative_titles,list"`
	DescriptionEn      *string    `parquet:"description_en,optional"`
	Descriptions       *string    `parquet:"descriptions,optional"`
	Keywords           *string    `parquet:"keywords,optional"`
	Languages          []string   `parquet:"languages,list"`
	PublisherName      *string    `parquet:"publisher_name,optional"`
	PublisherIRI       *string    `parquet:"publisher_iri,optional"`
	PublisherType      *string    `parquet:"publisher_type,optional,dict"`
	PublisherBasis     *string    `parquet:"publisher_basis,optional,dict"`
	InstitutionID      *string    `parquet:"institution_id,optional"`
	InstitutionName    *string    `parquet:"institution_name,optional"`
	InstitutionState   *string    `parquet:"institution_state,optional,dict"`
	InstitutionType    *string    `parquet:"institution_type,optional,dict"`
	IsPublicSector     bool       `parquet:"is_public_sector"`
	OfficialConfidence *int64     `parquet:"official_confidence,optional"`
	LicenseID          *string    `parquet:"license_id,optional,dict"`
	LicenseTitle       *string    `parquet:"license_title,optional,dict"`
	LicenseURL         *string    `parquet:"license_url,optional,dict"`
	LicenseOpen        *string    `parquet:"license_open,optional,dict"`
	LicenseRaw         *string    `parquet:"license_raw,optional"`
	AccessRights       *string    `parquet:"access_rights,optional,dict"`
	AccessLevel        *string    `parquet:"access_level,optional,dict"`
	Formats            []string   `parquet:"formats,list"`
	Themes             []string   `parquet:"themes,list"`
	HVDCategories      []string   `parquet:"hvd_categories,list"`
	Subjects           []string   `parquet:"subjects,list"`
	ConformsTo         []string   `parquet:"conforms_to,list"`
	Identifiers        []string   `parquet:"identifiers,list"`
	PrimarySourceURL   *string    `parquet:"primary_source_url,optional"`
	LandingPage        *string    `parquet:"landing_page,optional"`
	OtherPages         []string   `parquet:"other_pages,list"`
	DownloadURLs       []string   `parquet:"download_urls,list"`
	AccessURLs         []string   `parquet:"access_urls,list"`
	FileLicenses       []string   `parquet:"distribution_licenses,list"`
	APIBaseURL         *string    `parquet:"api_base_url,optional"`
	OpenAPIURL         *string    `parquet:"openapi_url,optional"`
	GraphQLURL         *string    `parquet:"graphql_url,optional"`
	APIOtherURLs       []string   `parquet:"api_other_urls,list"`
	TermsURL           *string    `parquet:"terms_url,optional"`
	APISpecFormat      *string    `parquet:"api_spec_format,optional,dict"`
	MCPEndpointURL     *string    `parquet:"mcp_endpoint_url,optional"`
	Frequency          *string    `parquet:"frequency,optional,dict"`
	Spatial            []string   `parquet:"spatial,list"`
	TemporalStart      *string    `parquet:"temporal_start,optional"`
	TemporalEnd        *string    `parquet:"temporal_end,optional"`
	Version            *string    `parquet:"version,optional"`
	ContactName        *string    `parquet:"contact_name,optional"`
	ContactEmail       *string    `parquet:"contact_email,optional"`
	ContactURL         *string    `parquet:"contact_url,optional"`
	PublishedAt        *time.Time `parquet:"published_at,optional,timestamp(millisecond)"`
	DeprecatedAt       *time.Time `parquet:"deprecated_at,optional,timestamp(millisecond)"`
	SourceIssuedAt     *time.Time `parquet:"source_issued_at,optional,timestamp(millisecond)"`
	SourceModifiedAt   *time.Time `parquet:"source_modified_at,optional,timestamp(millisecond)"`
	MQAScore           *float64   `parquet:"mqa_score,optional"`
	MQATier            *string    `parquet:"mqa_tier,optional,dict"`
	TrustScore         *float64   `parquet:"trust_score,optional"`
	RankingScore       *float64   `parquet:"ranking_score,optional"`
	Maturity           *string    `parquet:"maturity,optional,dict"`
	CapabilityTier     *string    `parquet:"capability_tier,optional,dict"`
}

const (
	// groupRows is the size of a row group: large enough for a scan to be
	// fast, small enough to wait in memory until it is full.
	groupRows = 20_000
	// groupBytes is how many bytes of values a row group has at most, but for its last
	// batch: descriptions may be long, and a group waits in memory.
	groupBytes = 16 << 20
	// batchRows is how many rows are handed to the writer at once.
	batchRows = 256
	// writeBuffer is how many bytes of a file are written at once.
	writeBuffer = 1 << 20
)

// unbounded are long texts that no query compares by range: their least and greatest values would be
// a fifth of what a reader must fetch before it knows where anything lies.
var unbounded = []string{"description", "description_en", "descriptions", "titles", "keywords"}

// newRow makes a row of the cells of a full record.
func newRow(cells []*string) (row, error) {
	c := cellsOf{values: cells}
	r := c.record()
	out := row{
		ID: r.ID, Name: r.Name, Slug: r.Slug, Type: r.Type, Description: r.Description, CountryCode: r.CountryCode,
		HomepageURL: r.HomepageURL, DocsURL: r.DocsURL, RepoURL: r.RepoURL, FreeAccessClass: r.FreeAccessClass, AuthType: r.AuthType,
		Status: r.Status, VerificationState: r.VerificationState, Tags: r.Tags, LastVerifiedAt: c.time("last_verified_at"),
		NameEn: c.text("name_en"), NativeLang: c.text("native_lang"), TitleQualifier: c.text("title_qualifier"), Titles: c.text("titles"),
		AlternativeTitles: c.list("alternative_titles"), DescriptionEn: c.text("description_en"), Descriptions: c.text("descriptions"), Keywords: c.text("keywords"),
		Languages: c.list("languages"), PublisherName: c.text("publisher_name"), PublisherIRI: c.text("publisher_iri"), PublisherType: c.text("publisher_type"),
		PublisherBasis: c.text("publisher_basis"), InstitutionID: c.text("institution_id"), InstitutionName: c.text("institution_name"), InstitutionState: c.text("institution_state"),
		InstitutionType: c.text("institution_type"), IsPublicSector: c.truth("is_public_sector"), OfficialConfidence: c.integer("official_confidence"), LicenseID: c.text("license_id"),
		LicenseTitle: c.text("license_title"), LicenseURL: c.text("license_url"), LicenseOpen: c.text("license_open"), LicenseRaw: c.text("license_raw"),
		AccessRights: c.text("access_rights"), AccessLevel: c.text("access_level"), Formats: c.list("formats"), Themes: c.list("themes"),
		HVDCategories: c.list("hvd_categories"), Subjects: c.list("subjects"), ConformsTo: c.list("conforms_to"), Identifiers: c.list("identifiers"),
		PrimarySourceURL: c.text("primary_source_url"), LandingPage: c.text("landing_page"), OtherPages: c.list("other_pages"), DownloadURLs: c.list("download_urls"), AccessURLs: c.list("access_urls"), FileLicenses: c.list("distribution_licenses"),
		APIBaseURL: c.text("api_base_url"), OpenAPIURL: c.text("openapi_url"), GraphQLURL: c.text("graphql_url"), APIOtherURLs: c.list("api_other_urls"), TermsURL: c.text("terms_url"), APISpecFormat: c.text("api_spec_format"), MCPEndpointURL: c.text("mcp_endpoint_url"),
		Frequency: c.text("frequency"), Spatial: c.list("spatial"), TemporalStart: c.text("temporal_start"), TemporalEnd: c.text("temporal_end"),
		Version: c.text("version"), ContactName: c.text("contact_name"), ContactEmail: c.text("contact_email"), ContactURL: c.text("contact_url"),
		PublishedAt: c.time("published_at"), DeprecatedAt: c.time("deprecated_at"), SourceIssuedAt: c.time("source_issued_at"), SourceModifiedAt: c.time("source_modified_at"),
		MQAScore: c.number("mqa_score"), MQATier: c.text("mqa_tier"), TrustScore: c.number("trust_score"), RankingScore: c.number("ranking_score"),
		Maturity: c.text("maturity"), CapabilityTier: c.text("capability_tier"),
	}
	if at := c.time("created_at"); at != nil {
		out.CreatedAt = *at
	}
	if at := c.time("updated_at"); at != nil {
		out.UpdatedAt = *at
	}
	return out, c.err
}

// schema is that of the table, which many parts share.
var schema = sync.OnceValue(func() *parquet.Schema { return parquet.NewSchema("entries", parquet.SchemaOf(row{})) })

// table is a Parquet file under way.
type table struct {
	w     *parquet.GenericWriter[row]
	batch []row
	// held are the bytes of the row group so far.
	held int
}

// newTable begins a Parquet file of rows in id order, which it says in its footer beside some facts.
func newTable(out io.Writer, facts [][2]string) *table {
	options := []parquet.WriterOption{
		schema(), parquet.CreatedBy("assay-register/assay", "1", "export"), parquet.MaxRowsPerRowGroup(groupRows),
		parquet.Compression(&parquet.Zstd), parquet.WriteBufferSize(writeBuffer),
		parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending("id"))),
	}
	for _, name := range unbounded {
		options = append(options, parquet.SkipPageBounds(name))
	}
	for _, m := range facts {
		options = append(options, parquet.KeyValueMetadata(m[0], m[1]))
	}
	return &table{w: parquet.NewGenericWriter[row](out, options...), batch: make([]row, 0, batchRows)}
}

// add writes rows.
func (t *table) add(ctx context.Context, rows iter.Seq2[[]*string, error]) error {
	for cells, err := range rows {
		if err = cmp.Or(err, ctx.Err()); err == nil {
			err = t.one(cells)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one writes the row of some cells.
func (t *table) one(cells []*string) error {
	made, err := newRow(cells)
	if err != nil {
		return fmt.Errorf("row of entry %s: %w", *cells[0], err)
	}
	for _, cell := range cells {
		if cell != nil {
			t.held += len(*cell)
		}
	}
	if t.batch = append(t.batch, made); len(t.batch) == batchRows {
		return t.flush()
	}
	return nil
}

func (t *table) flush() error {
	_, err := t.w.Write(t.batch)
	if t.batch = t.batch[:0]; t.held >= groupBytes {
		t.held, err = 0, errors.Join(err, t.w.Flush())
	}
	return err
}

// close ends the file.
func (t *table) close() error { return errors.Join(t.flush(), t.w.Close()) }

// tableOf writes a Parquet file of rows.
func tableOf(ctx context.Context, out io.Writer, rows iter.Seq2[[]*string, error], facts [][2]string) error {
	t := newTable(out, facts)
	return errors.Join(t.add(ctx, rows), t.close())
}
