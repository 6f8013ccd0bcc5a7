// Package mcp lets agents ask the register over the Model Context Protocol.
// A tool is an operation of the interface description, asked inside the
// process with the tool's arguments as its parameters, so that an agent and a
// client of the API get the same answer from the same function. What an agent is
// told is the answer in short (decisions-2 §G): the members that matter, and others
// when it asks for them.
package mcp

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Config is what the endpoint needs.
type Config struct {
	// Site is whose register this is.
	Site snapshot.Site
	// Origins are other sites whose pages may ask from a browser, such as https://agent.example.
	Origins []string
	// Description is the interface description (OpenAPI 3.1) of the site.
	Description []byte
	// Served tells whether an operation is answered; nil if all are.
	Served func(operation string) bool
	// API answers the operations.
	API *inside.API
	// Licences are the rows of the licence table, by id; nil for a register that is asked
	// nothing about terms.
	Licences func() map[string]*catalog.Licence
	Log      *slog.Logger
	// BodyMax is the largest request body, in bytes.
	BodyMax int64
}

// ttl is how long a client may keep a list of tools or resources.
const ttl = time.Hour

// Handler answers the protocol's HTTP transport at wire.MCPPath. Each request
// stands alone: there are no sessions (MCP 2026-07-28, "Transports"). A tool
// whose operation the site does not describe, as one built by an older
// release, is left out with a warning.
func Handler(c Config) (web.Handler, error) {
	d, err := parse(c.Description)
	if err != nil {
		return nil, fmt.Errorf("mcp: interface description: %w", err)
	}
	server := c.server(d)
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: c.Log, MaxRequestBodyBytes: c.BodyMax,
		// Its own check refuses every name but localhost, also that of a
		// reverse proxy on the same machine; known has the register's.
		DisableLocalhostProtection:   true,
		PropagateRequestCancellation: true,
	})
	origins := c.known()
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := origins.check(r); err != nil {
			return err
		}
		w.Header().Set("Cache-Control", web.CacheNever)
		if r.Method == http.MethodPost {
			m, refusal, err := readMessage(r)
			if err != nil {
				return err
			}
			if refusal != nil {
				return web.Reply(w, r, http.StatusBadRequest, refusal)
			}
			w = &errorAnswer{ResponseWriter: w, r: r, id: m.id}
		}
		h.ServeHTTP(w, r.WithContext(withPatience(r.Context())))
		return nil
	}, nil
}

func (c *Config) server(d *description) *sdk.Server {
	card := wire.NewServerCard(c.Site, d.version)
	s := sdk.NewServer(
		&sdk.Implementation{Name: card.Name, Title: card.Title, Version: card.Version, Description: card.Description, WebsiteURL: card.WebsiteURL},
		&sdk.ServerOptions{
			Instructions: instructions, Logger: c.Log,
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{}},
			SetCacheable: cacheable,
		})
	a := &asker{api: c.API.AtMost(answerMax), base: wire.Path(c.Site, ""), site: strings.TrimSuffix(c.Site.BaseURL, "/")}
	if c.Served == nil || c.Served("searchEntries") {
		s.AddTool(findTool(), a.find(c.Licences))
	}
	for _, t := range tools() {
		if c.Served != nil && !c.Served(t.operation) {
			continue
		}
		made, err := d.tool(&t)
		if err != nil {
			c.Log.Warn("mcp", "left out", err)
			continue
		}
		s.AddTool(made.tool, a.call(made))
	}
	addResources(s, c.Site, a)
	addPrompts(s)
	return s
}

const instructions = "A public register of official public-sector APIs, datasets and MCP servers. Pass a whole question to find_data, or words to search_entries; " +
	"read a source with get_entry, see its rows with preview_entry, and cite its href. Answers are short: `fields` asks for more. " +
	"A verification_state of FAILING or STALE means that the source did not answer lately: look at find_alternatives."
