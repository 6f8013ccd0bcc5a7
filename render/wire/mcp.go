package wire

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
)

// MCPPath is where agents reach the register (decisions §6).
const MCPPath = "/mcp"

// Routes of the documents by which agents find the endpoint.
const (
	RouteServerCard = MCPPath + "/server-card"
	RouteMCP        = "/.well-known/mcp.json"
	RouteAICatalog  = "/.well-known/ai-catalog.json"
)

// Media types of those documents.
const (
	MediaServerCard = "application/mcp-server-card+json"
	MediaAICatalog  = "application/ai-catalog+json"
)

// MCPProtocolVersions are the revisions of the protocol that the endpoint
// speaks, the newest first.
func MCPProtocolVersions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}
}

// ServerCard describes the endpoint to agents (SEP-2127, MCP Server Card).
type ServerCard struct {
	Schema string `json:"$schema"`
	// Name is the reversed host of the register and a word of its own.
	Name        string `json:"name"`
	Version     string `json:"version"`
	Title       string `json:"title"`
	Description string `json:"description"`
	WebsiteURL  string `json:"websiteUrl"`
	// Remotes are where the endpoint answers.
	Remotes []CardRemote `json:"remotes"`
}

// CardRemote is one address of the endpoint.
type CardRemote struct {
	Type                      string   `json:"type"`
	URL                       string   `json:"url"`
	SupportedProtocolVersions []string `json:"supportedProtocolVersions"`
}

// cardSchema is the schema that a server card names.
const cardSchema = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"

// NewServerCard makes the card of a register.
func NewServerCard(site snapshot.Site, version string) ServerCard {
	base := strings.TrimSuffix(site.BaseURL, "/")
	return ServerCard{
		Schema: cardSchema, Name: reversedHost(base) + "/assay", Version: version, Title: site.Name,
		Description: "Official public-sector APIs, datasets and MCP servers: tested, scored, traced to their source.",
		WebsiteURL:  base + "/",
		Remotes:     []CardRemote{{Type: "streamable-http", URL: base + MCPPath, SupportedProtocolVersions: MCPProtocolVersions()}},
	}
}

// AICatalog lists the agent endpoints of a host (Agentic Resource Discovery,
// AI catalog 1.0).
type AICatalog struct {
	SpecVersion string           `json:"specVersion"`
	Entries     []AICatalogEntry `json:"entries"`
}

// AICatalogEntry is one endpoint, by its card.
type AICatalogEntry struct {
	Identifier string `json:"identifier"`
	Type       string `json:"type"`
	URL        string `json:"url"`
}

// NewAICatalog makes the list that leads to the card of a register.
func NewAICatalog(site snapshot.Site) AICatalog {
	base := strings.TrimSuffix(site.BaseURL, "/")
	return AICatalog{SpecVersion: "1.0", Entries: []AICatalogEntry{{
		Identifier: "urn:air:" + hostname(base) + ":mcp:assay", Type: MediaServerCard, URL: base + RouteServerCard,
	}}}
}

func hostname(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	return strings.ReplaceAll(u.Hostname(), ":", "-")
}

// reversedHost is a host as names of packages have it: org.example.register. A
// number stays as it is.
func reversedHost(base string) string {
	if _, err := netip.ParseAddr(hostname(base)); err == nil {
		return hostname(base)
	}
	labels := strings.Split(hostname(base), ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
