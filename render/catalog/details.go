package catalog

import "time"

// APIDetails describe an entry of type API.
type APIDetails struct {
	ID         string `json:"id,omitempty"`
	BaseURL    string `json:"base_url,omitempty"`
	OpenAPIURL string `json:"openapi_url,omitempty"`
	GraphQLURL string `json:"graphql_url,omitempty"`
	Version    string `json:"version,omitempty"`
	// SpecFormat names the machine-readable description: openapi, swagger,
	// graphql, ogc-wms, ogc-wfs, ogc-wcs, ogc-wmts, ogc-csw, ogc-api,
	// arcgis-rest, sparql, odata, sdmx, soap, none.
	SpecFormat     string     `json:"spec_format,omitempty"`
	EndpointsCount int        `json:"endpoints_count,omitempty"`
	Endpoints      []Endpoint `json:"endpoints,omitempty"`
	RateLimitInfo  string     `json:"rate_limit_info,omitempty"`
	FreeTierLimits string     `json:"free_tier_limits,omitempty"`
	PingURL        string     `json:"ping_url,omitempty"`
	// OtherURLs are further addresses: second endpoints, the access points
	// that a source lists as distributions of the service, and further landing
	// pages, often one for each language.
	OtherURLs []string `json:"other_urls,omitempty"`
	Spatial   []string `json:"spatial,omitempty"`
	// Frequency is a code of the EU frequency authority table: how often the
	// data behind the service are updated.
	Frequency string    `json:"frequency,omitempty"`
	TermsURL  string    `json:"terms_url,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}

// Endpoint is one operation of an API.
type Endpoint struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Summary string `json:"summary,omitempty"`
	// Parameters are what a request can say, in the order of the description.
	Parameters []Argument `json:"parameters,omitempty"`
	// Answer is an example of a successful answer in JSON, as the description
	// gives it.
	Answer string `json:"answer,omitempty"`
}

// Argument is a parameter of an operation, or an argument of a tool.
type Argument struct {
	Name string `json:"name"`
	// In is where a request has it: path, query, header or cookie; "" for tools.
	In string `json:"in,omitempty"`
	// Type is that of JSON Schema: string, integer, number, boolean, array,
	// object; "" if the description does not say.
	Type        string `json:"type,omitempty"`
	Required    bool   `json:"required,omitempty"`
	Description string `json:"description,omitempty"`
	// Example is a value that the description gives.
	Example string `json:"example,omitempty"`
	// Values are the only ones that are allowed, if there are few.
	Values []string `json:"values,omitempty"`
}

// DatasetDetails describe an entry of type DATASET.
type DatasetDetails struct {
	ID          string `json:"id,omitempty"`
	LandingPage string `json:"landing_page,omitempty"`
	// OtherPages are further landing pages, often one for each language.
	OtherPages []string `json:"other_pages,omitempty"`
	// Frequency is a code of the EU frequency authority table.
	Frequency     string         `json:"frequency,omitempty"`
	Spatial       []string       `json:"spatial,omitempty"`
	TemporalStart time.Time      `json:"temporal_start,omitzero"`
	TemporalEnd   time.Time      `json:"temporal_end,omitzero"`
	Version       string         `json:"version,omitempty"`
	Distributions []Distribution `json:"distributions,omitempty"`
	CreatedAt     time.Time      `json:"created_at,omitzero"`
	UpdatedAt     time.Time      `json:"updated_at,omitzero"`
}

// Distribution is one file or access point of a dataset.
type Distribution struct {
	ID          string `json:"id,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	AccessURL   string `json:"access_url,omitempty"`
	DownloadURL string `json:"download_url,omitempty"`
	// OtherURLs are its further addresses, in the order of the source.
	OtherURLs []string `json:"other_urls,omitempty"`
	// Languages are BCP 47 tags of the file's own languages.
	Languages []string `json:"languages,omitempty"`
	// Format is an upper-case code such as CSV, JSON, GEOJSON.
	Format    string `json:"format,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	// ByteSize is in bytes; 0 is unknown.
	ByteSize   int64     `json:"byte_size,omitempty"`
	LicenseID  string    `json:"license_id,omitempty"`
	LicenseRaw string    `json:"license_raw,omitempty"`
	ModifiedAt time.Time `json:"modified_at,omitzero"`
}

// MCPDetails describe an entry of type MCP_SERVER.
type MCPDetails struct {
	ID string `json:"id,omitempty"`
	// EndpointURL is empty for a server that only runs locally (stdio).
	EndpointURL string `json:"endpoint_url,omitempty"`
	// Transport is streamable-http, sse or stdio.
	Transport        string       `json:"transport,omitempty"`
	Version          string       `json:"version,omitempty"`
	ProtocolVersions []string     `json:"protocol_versions,omitempty"`
	Packages         []MCPPackage `json:"packages,omitempty"`
	Tools            []MCPTool    `json:"tools,omitempty"`
	// HandshakeAt is the last successful protocol handshake.
	HandshakeAt time.Time `json:"handshake_at,omitzero"`
	CreatedAt   time.Time `json:"created_at,omitzero"`
	UpdatedAt   time.Time `json:"updated_at,omitzero"`
}

// MCPPackage is one installable form of an MCP server.
type MCPPackage struct {
	Registry   string `json:"registry"`
	Identifier string `json:"identifier"`
	Version    string `json:"version,omitempty"`
}

// MCPTool is one tool that an MCP server offers.
type MCPTool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	ReadOnly    bool   `json:"read_only,omitempty"`
	// Arguments are those of its input schema, in the order of their names,
	// required ones first.
	Arguments []Argument `json:"arguments,omitempty"`
}

// Member is a dataset or layer that belongs to a service entry.
type Member struct {
	Name    string   `json:"name"`
	Title   string   `json:"title,omitempty"`
	URL     string   `json:"url,omitempty"`
	Formats []string `json:"formats,omitempty"`
	// EntryID is set when the member is itself an entry of the register.
	EntryID string `json:"entry_id,omitempty"`
}
