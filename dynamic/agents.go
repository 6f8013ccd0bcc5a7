package dynamic

import (
	"errors"
	"io/fs"
	"net/http"
	"sync"

	"github.com/assay-register/assay/dynamic/mcp"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

// agentEndpoint is the endpoint for agents. Its tools are made from the interface
// description of the site, so it opens with the first snapshot.
type agentEndpoint struct {
	open func() (web.Handler, error)

	mu      sync.Mutex
	handler web.Handler
}

// get opens the endpoint unless it is open; nil for a site without an interface
// description.
func (a *agentEndpoint) get() (web.Handler, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.handler != nil {
		return a.handler, nil
	}
	handler, err := a.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	a.handler = handler
	return handler, err
}

// openAgents makes the endpoint from the description that the site has now.
func (s *Service) openAgents() (web.Handler, error) {
	description, err := s.documents.Read("/openapi.json")
	if err != nil {
		return nil, err
	}
	site, _ := s.library.Site()
	return mcp.Handler(mcp.Config{Site: site, Origins: s.config.MCPOrigins, Description: description, Served: s.served(), Log: s.config.Logger, BodyMax: bodyMax, API: s.inside(), Licences: s.licences})
}

// licences are the licence table of the current snapshot.
func (s *Service) licences() map[string]*catalog.Licence {
	if c := s.Current(); c != nil {
		return c.Licences
	}
	return nil
}

func (s *Service) serveAgents(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.library.At(r.Context(), ""); err != nil {
		return err
	}
	handler, err := s.agents.get()
	if err != nil {
		return err
	}
	if handler == nil {
		return web.NotFound("The site has no interface description, so there are no tools for agents.")
	}
	return handler(w, r)
}
