package schemaorg

const context = "https://schema.org"

// named is a reference to something that has a name.
type named struct {
	Type string `json:"@type,omitempty"`
	ID   string `json:"@id,omitempty"`
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
	// SameAs are the persistent identifiers of an organisation that are addresses, Identifier the others.
	Identifier []string `json:"identifier,omitempty"`
	SameAs     []string `json:"sameAs,omitempty"`
	// Geo is where a place is.
	Geo *shape `json:"geo,omitempty"`
}

// shape is schema.org/GeoShape.
type shape struct {
	Type string `json:"@type"`
	Box  string `json:"box"`
}

// webPage is a page about what another page describes.
type webPage struct {
	Context    string `json:"@context"`
	Type       string `json:"@type"`
	InLanguage string `json:"inLanguage"`
	MainEntity named  `json:"mainEntity"`
}

// thing are the members of every block (schema.org/Thing).
type thing struct {
	Context       string   `json:"@context"`
	Type          string   `json:"@type"`
	ID            string   `json:"@id"`
	Name          string   `json:"name"`
	AlternateName string   `json:"alternateName,omitempty"`
	Description   string   `json:"description,omitempty"`
	URL           string   `json:"url"`
	Identifier    []string `json:"identifier,omitempty"`
	SameAs        []string `json:"sameAs,omitempty"`
}

// work are the members of what somebody made (schema.org/CreativeWork).
type work struct {
	InLanguage          string   `json:"inLanguage,omitempty"`
	Keywords            []string `json:"keywords,omitempty"`
	License             string   `json:"license,omitempty"`
	IsAccessibleForFree *bool    `json:"isAccessibleForFree,omitempty"`
	Version             string   `json:"version,omitempty"`
	CreativeWorkStatus  string   `json:"creativeWorkStatus,omitempty"`
	DatePublished       string   `json:"datePublished,omitempty"`
	DateModified        string   `json:"dateModified,omitempty"`
	Creator             *named   `json:"creator,omitempty"`
	Publisher           *named   `json:"publisher,omitempty"`
}

// download is one file of a dataset (schema.org/DataDownload).
type download struct {
	Type           string `json:"@type"`
	ContentURL     string `json:"contentUrl"`
	EncodingFormat string `json:"encodingFormat,omitempty"`
	ContentSize    string `json:"contentSize,omitempty"`
	DateModified   string `json:"dateModified,omitempty"`
}

// dataset is schema.org/Dataset with what Google Dataset Search reads.
type dataset struct {
	thing
	work
	TemporalCoverage      string     `json:"temporalCoverage,omitempty"`
	SpatialCoverage       []named    `json:"spatialCoverage,omitempty"`
	Distribution          []download `json:"distribution,omitempty"`
	IncludedInDataCatalog named      `json:"includedInDataCatalog"`
	SubjectOf             *download  `json:"subjectOf,omitempty"`
}

// organization is schema.org/Organization or a kind of it.
type organization struct {
	thing
	AlternateNames []string `json:"alternateName,omitempty"`
	ParentOrg      *named   `json:"parentOrganization,omitempty"`
}

// offer says that something costs nothing (schema.org/Offer).
type offer struct {
	Type          string `json:"@type"`
	Price         string `json:"price"`
	PriceCurrency string `json:"priceCurrency"`
}

// channel is where a service answers (schema.org/ServiceChannel).
type channel struct {
	Type       string `json:"@type"`
	ServiceURL string `json:"serviceUrl"`
}

// webAPI is schema.org/WebAPI, a kind of Service.
type webAPI struct {
	thing
	Documentation    string   `json:"documentation,omitempty"`
	TermsOfService   string   `json:"termsOfService,omitempty"`
	Provider         *named   `json:"provider,omitempty"`
	AreaServed       string   `json:"areaServed,omitempty"`
	AvailableChannel *channel `json:"availableChannel,omitempty"`
	Offers           *offer   `json:"offers,omitempty"`
}

// software is schema.org/SoftwareApplication.
type software struct {
	thing
	work
	ApplicationCategory string   `json:"applicationCategory"`
	OperatingSystem     string   `json:"operatingSystem"`
	SoftwareVersion     string   `json:"softwareVersion,omitempty"`
	SoftwareHelp        *named   `json:"softwareHelp,omitempty"`
	FeatureList         []string `json:"featureList,omitempty"`
	Offers              *offer   `json:"offers,omitempty"`
}

// dataCatalog is schema.org/DataCatalog.
type dataCatalog struct {
	thing
	work
}
