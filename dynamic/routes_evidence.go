package dynamic

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/evidence"
	"github.com/assay-register/assay/dynamic/past"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// citeOperation stores something, though it is a GET: it counts as a write.
const citeOperation = "citeEntry"

// pastRoutes restate what the register said.
func (s *Service) pastRoutes() []Route {
	d := s.past()
	return []Route{
		{restateOperation, http.MethodGet, wire.RouteRestated, web.CacheLive, d.Restate()},
		{"getEntryHistory", http.MethodGet, wire.RouteHistory, web.CacheLive, d.History()},
		{"getEntryDifferences", http.MethodGet, wire.RouteDifferences, web.CacheLive, d.Differences()},
	}
}

func (s *Service) past() *past.Handlers {
	return &past.Handlers{Store: s.config.Store, Library: s.library, Documents: s.documents, Now: s.config.Now, Log: s.verdicts.Present}
}

// restateOperation also answers the page of an entry that is asked for with an instant.
const restateOperation = "restateEntry"

// orThen answers /api/v1/entries/{idOrSlug} that is asked with a parameter by the operation that
// takes it, and all else by the documents.
func orThen(special web.Handler, param string, static web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		name, ok := strings.CutPrefix(r.URL.Path, "/api/v1/entries/")
		if special == nil || !ok || name == "" || strings.Contains(name, "/") || name == "trending" || name == "leaderboard" || !r.URL.Query().Has(param) {
			return static(w, r)
		}
		r.SetPathValue("idOrSlug", name)
		return special(w, r)
	}
}

// evidenceRoutes keep, replay and check answers.
func (s *Service) evidenceRoutes() []Route {
	d := &evidence.Handlers{Store: s.config.Store, Library: s.library, Source: s.documents, Pages: s.views, Now: s.config.Now, Log: s.verdicts.Present}
	return []Route{
		{citeOperation, http.MethodGet, "/api/v1/entries/{idOrSlug}/evidence", web.CacheNever, d.Cite()},
		{"getEvidence", http.MethodGet, "/api/v1/evidence/{id}", web.CacheHashed, d.Replay()},
		{"getEntryRecord", http.MethodGet, "/api/v1/entries/{idOrSlug}/record", web.CacheLive, d.Record()},
		{"getEntryBundle", http.MethodGet, "/api/v1/entries/{idOrSlug}/bundle.zip", web.CacheLive, d.Bundle()},
		{"adminEntryRecord", http.MethodGet, "/api/v1/admin/entries/{id}/record", web.CacheNever, d.WholeRecord()},
		{"verifyHash", http.MethodGet, "/api/v1/verify/{sha256}", web.CacheLive, d.Verify()},
	}
}
