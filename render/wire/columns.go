package wire

// ColumnKind is what the cells of a column hold.
type ColumnKind int

// Kinds of columns. A List is a JSON array of texts, an Object a JSON object of texts or
// lists of texts by language tag; a Boolean is true or false.
const (
	ColumnText ColumnKind = iota
	ColumnTime
	ColumnNumber
	ColumnInteger
	ColumnBoolean
	ColumnList
	ColumnObject
)

// RecordColumn is a column of the exports that hold full records.
type RecordColumn struct {
	Name string
	Kind ColumnKind
	// Of is the value in a record; null is a nil pointer or what is empty.
	Of func(r *Record) any
}

// RecordColumns are the columns that full records have in tables behind those of an
// ExportEntry, in order: the members of the same name of a Record, and those of its objects
// that a table is asked for (decisions-2 §G).
var RecordColumns = [...]RecordColumn{
	textColumn("name_en", func(r *Record) any { return r.NameEn }),
	textColumn("native_lang", func(r *Record) any { return r.NativeLang }),
	textColumn("title_qualifier", func(r *Record) any { return r.TitleQualifier }),
	column("titles", ColumnObject, func(r *Record) any { return r.Titles }),
	column("alternative_titles", ColumnList, func(r *Record) any { return r.AlternativeTitles }),
	textColumn("description_en", func(r *Record) any { return r.DescriptionEn }),
	column("descriptions", ColumnObject, func(r *Record) any { return r.Descriptions }),
	column("keywords", ColumnObject, func(r *Record) any { return r.Keywords }),
	column("languages", ColumnList, func(r *Record) any { return r.Languages }),
	textColumn("publisher_name", func(r *Record) any { return publisherIn(r).name }),
	textColumn("publisher_iri", func(r *Record) any { return publisherIn(r).iri }),
	textColumn("publisher_type", func(r *Record) any { return publisherIn(r).kind }),
	textColumn("publisher_basis", func(r *Record) any { return publisherIn(r).basis }),
	textColumn("institution_id", func(r *Record) any { return r.InstitutionID }),
	textColumn("institution_name", func(r *Record) any { return institutionIn(r).Name }),
	textColumn("institution_state", func(r *Record) any { return string(institutionIn(r).State) }),
	textColumn("institution_type", func(r *Record) any { return wordIn(r.InstitutionType) }),
	column("is_public_sector", ColumnBoolean, func(r *Record) any { return r.IsPublicSector }),
	column("official_confidence", ColumnInteger, func(r *Record) any { return r.OfficialConfidence }),
	textColumn("license_id", func(r *Record) any { return licenseIn(r).ID }),
	textColumn("license_title", func(r *Record) any { return licenseIn(r).Title }),
	textColumn("license_url", func(r *Record) any { return licenseIn(r).URL }),
	textColumn("license_open", func(r *Record) any { return licenseIn(r).Open }),
	textColumn("license_raw", func(r *Record) any { return r.LicenseRaw }),
	textColumn("access_rights", func(r *Record) any { return wordIn(r.AccessRights) }),
	textColumn("access_level", func(r *Record) any { return string(r.AccessLevel) }),
	column("formats", ColumnList, func(r *Record) any { return r.Formats }),
	column("themes", ColumnList, func(r *Record) any { return r.Themes }),
	column("hvd_categories", ColumnList, func(r *Record) any { return r.HVDCategories }),
	column("subjects", ColumnList, func(r *Record) any { return r.Subjects }),
	column("conforms_to", ColumnList, func(r *Record) any { return r.ConformsTo }),
	column("identifiers", ColumnList, func(r *Record) any { return r.Identifiers }),
	textColumn("primary_source_url", func(r *Record) any { return r.PrimarySourceURL }),
	textColumn("landing_page", func(r *Record) any { return datasetIn(r).LandingPage }),
	column("other_pages", ColumnList, func(r *Record) any { return datasetIn(r).OtherPages }),
	column("download_urls", ColumnList, func(r *Record) any {
		return ofFiles(r, func(d *Distribution) *string { return d.DownloadURL })
	}),
	column("access_urls", ColumnList, func(r *Record) any {
		return ofFiles(r, func(d *Distribution) *string { return d.AccessURL })
	}),
	column("distribution_licenses", ColumnList, func(r *Record) any {
		return ofFiles(r, func(d *Distribution) *string { return d.License })
	}),
	textColumn("api_base_url", func(r *Record) any { return apiIn(r).BaseURL }),
	textColumn("openapi_url", func(r *Record) any { return apiIn(r).OpenAPIURL }),
	textColumn("graphql_url", func(r *Record) any { return apiIn(r).GraphQLURL }),
	column("api_other_urls", ColumnList, func(r *Record) any { return apiIn(r).OtherURLs }),
	textColumn("terms_url", func(r *Record) any { return apiIn(r).TermsURL }),
	textColumn("api_spec_format", func(r *Record) any { return apiIn(r).SpecFormat }),
	textColumn("mcp_endpoint_url", func(r *Record) any { return orEmpty(r.MCPDetails).EndpointURL }),
	textColumn("frequency", func(r *Record) any { return either(datasetIn(r).Frequency, apiIn(r).Frequency) }),
	column("spatial", ColumnList, func(r *Record) any { return append(append([]string{}, datasetIn(r).Spatial...), apiIn(r).Spatial...) }),
	textColumn("temporal_start", func(r *Record) any { return datasetIn(r).TemporalStart }),
	textColumn("temporal_end", func(r *Record) any { return datasetIn(r).TemporalEnd }),
	textColumn("version", func(r *Record) any { return datasetIn(r).Version }),
	textColumn("contact_name", func(r *Record) any { return contactIn(r).Name }),
	textColumn("contact_email", func(r *Record) any { return contactIn(r).Email }),
	textColumn("contact_url", func(r *Record) any { return contactIn(r).URL }),
	column("published_at", ColumnTime, func(r *Record) any { return r.PublishedAt }),
	column("deprecated_at", ColumnTime, func(r *Record) any { return r.DeprecatedAt }),
	column("source_issued_at", ColumnTime, func(r *Record) any { return r.SourceIssuedAt }),
	column("source_modified_at", ColumnTime, func(r *Record) any { return r.SourceModifiedAt }),
	column("mqa_score", ColumnNumber, func(r *Record) any { return r.MQAScore }),
	textColumn("mqa_tier", func(r *Record) any { return string(r.MQATier) }),
	column("trust_score", ColumnNumber, func(r *Record) any { return r.TrustScore }),
	column("ranking_score", ColumnNumber, func(r *Record) any { return r.RankingScore }),
	textColumn("maturity", func(r *Record) any { return string(r.Maturity) }),
	textColumn("capability_tier", func(r *Record) any { return string(r.CapabilityTier) }),
}

func column(name string, kind ColumnKind, of func(*Record) any) RecordColumn {
	return RecordColumn{name, kind, of}
}

func textColumn(name string, of func(*Record) any) RecordColumn { return column(name, ColumnText, of) }

// What a record may lack is as if it were empty.
func institutionIn(r *Record) *Institution { return orEmpty(r.Institution) }
func licenseIn(r *Record) *License         { return orEmpty(r.License) }
func datasetIn(r *Record) *DatasetDetails  { return orEmpty(r.DatasetDetails) }
func apiIn(r *Record) *APIDetails          { return orEmpty(r.APIDetails) }
func contactIn(r *Record) *Contact         { return orEmpty(r.Contact) }
func publisherIn(r *Record) (p statedPublisher) {
	if r.Publisher == nil {
		return p
	}
	return statedPublisher{r.Publisher.Name, r.Publisher.IRI, r.Publisher.Type, string(r.Publisher.Basis)}
}

// statedPublisher is who publishes an entry as a table shows it.
type statedPublisher struct {
	name      string
	iri, kind *string
	basis     string
}

func orEmpty[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

func wordIn[T ~string](p *T) string {
	if p == nil {
		return ""
	}
	return string(*p)
}

func either(a, b *string) *string {
	if a != nil {
		return a
	}
	return b
}

// ofFiles are the values of a member of the files that have it.
func ofFiles(r *Record, of func(*Distribution) *string) []string {
	list := []string{}
	for i := range datasetIn(r).Distributions {
		if u := of(&r.DatasetDetails.Distributions[i]); u != nil {
			list = append(list, *u)
		}
	}
	return list
}
