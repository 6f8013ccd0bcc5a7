package dynamic

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/evidence"
	"github.com/assay-register/assay/dynamic/web"
)

// citeOperation stores something, though it is a GET: it counts as a write.
const citeOperation = "citeEntry"

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
