package dynamic

import (
	"context"
	"net/http"

	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/dynamic/submissions"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// deskRoutes take what readers propose and report.
func (s *Service) deskRoutes() []Route {
	d := submissions.New(s.config.Store, s.config.Now, s.library.Site)
	return []Route{
		{"createSubmission", http.MethodPost, "/api/v1/submissions", web.CacheNever, d.Create()},
		{"listSubmissions", http.MethodGet, "/api/v1/submissions", web.CacheNever, d.List()},
		{"getSubmission", http.MethodGet, "/api/v1/submissions/{id}", web.CacheNever, d.Status()},
		{"getOwnSubmission", http.MethodGet, wire.RouteSubmissionStatus + "{token}", web.CacheNever, d.Own()},
		{"reportEntry", http.MethodPost, "/api/v1/entries/{idOrSlug}/reports", web.CacheNever, d.Report()},
		{"getEntryReports", http.MethodGet, "/api/v1/entries/{idOrSlug}/reports", web.CacheNever, d.Reports()},
		{"listReports", http.MethodGet, wire.RouteReports, web.CacheNever, d.Published()},
		{"getReportsFeed", http.MethodGet, wire.RouteReportsFeed, web.CacheNever, d.Feed()},
	}
}

// adminRoutes are for those who look after the register.
func (s *Service) adminRoutes() []Route {
	o := admin.New(admin.Config{Store: s.config.Store, Now: s.config.Now, Site: s.library.Site, PublishWindow: s.config.PublishWindow, Kinds: s.config.SourceKinds, Unite: s.config.Unite, Spend: s.spend})
	const at = "/api/v1/admin"
	route := func(id, method, path string, h web.Handler) Route {
		return Route{id, method, at + path, web.CacheNever, h}
	}
	return []Route{
		route("adminStats", http.MethodGet, "/stats", o.Stats()),
		route("adminQueue", http.MethodGet, "/queue", o.Queue()),
		route("adminSubmissions", http.MethodGet, "/submissions", o.Submissions()),
		route("approveSubmission", http.MethodPost, "/submissions/{id}/approve", o.Approve()),
		route("rejectSubmission", http.MethodPost, "/submissions/{id}/reject", o.Reject()),
		route("reopenSubmission", http.MethodPost, "/submissions/{id}/reopen", o.Reopen()),
		route("bulkSubmissions", http.MethodPost, "/submissions/bulk", o.Bulk()),
		route("adminDecisions", http.MethodGet, "/decisions", o.Decisions()),
		route("adminReasons", http.MethodGet, "/reasons", o.Reasons()),
		route("saveReason", http.MethodPost, "/reasons", o.SaveReason()),
		route("forgetReason", http.MethodDelete, "/reasons/{id}", o.ForgetReason()),
		route("adminTrustRules", http.MethodGet, "/trust-rules", o.TrustRules()),
		route("addTrustRule", http.MethodPost, "/trust-rules", o.AddTrustRule()),
		route("endTrustRule", http.MethodPost, "/trust-rules/{id}/end", o.EndTrustRule()),
		route("redactSubmission", http.MethodPost, "/submissions/{id}/redact", o.Redact()),
		route("decideReport", http.MethodPost, "/reports/{id}/decide", o.DecideReport()),
		route("adminEntry", http.MethodGet, "/entries/{id}", o.Entry()),
		route("editEntry", http.MethodPatch, "/entries/{id}", o.Edit()),
		route("deprecateEntry", http.MethodPost, "/entries/{id}/deprecate", o.Deprecate()),
		route("reactivateEntry", http.MethodPost, "/entries/{id}/reactivate", o.Reactivate()),
		route("removeEntry", http.MethodPost, "/entries/{id}/remove", o.Remove()),
		route("mergeEntry", http.MethodPost, "/entries/{id}/merge", o.Merge()),
		route("adminDuplicates", http.MethodGet, "/duplicates", o.Duplicates()),
		route("decideDuplicate", http.MethodPost, "/entries/{id}/duplicate", o.DecideDuplicate()),
		route("unmergeEntry", http.MethodPost, "/entries/{id}/unmerge", o.Unmerge()),
		route("setTarget", http.MethodPut, "/entries/{id}/target", o.Target()),
		route("adminInstitutions", http.MethodGet, "/institutions", o.Institutions()),
		route("amendInstitution", http.MethodPatch, "/institutions/{key}", o.AmendInstitution()),
		route("putInstitution", http.MethodPut, "/institutions/{key}", o.PutInstitution()),
		route("adminSources", http.MethodGet, "/sources", o.Sources()),
		route("putSource", http.MethodPut, "/sources/{key}", o.PutSource()),
		route("adminPublishers", http.MethodGet, "/sources/{key}/publishers", o.Publishers()),
		route("adminTokens", http.MethodGet, "/tokens", o.Tokens()),
		route("revokeToken", http.MethodDelete, "/tokens/{id}", o.RevokeToken()),
		route("adminAudit", http.MethodGet, "/audit", o.Audit()),
		route("adminJobs", http.MethodGet, "/jobs", o.Jobs()),
		route("adminJob", http.MethodGet, "/jobs/{id}", o.Job()),
		route("cancelJob", http.MethodDelete, "/jobs/{id}", o.CancelJob()),
		route("triggerDiscovery", http.MethodPost, "/trigger/discovery", o.Discovery()),
		route("triggerVerification", http.MethodPost, "/trigger/verification", o.Verification()),
	}
}

// spend counts further items of a request for many against the minute of its client.
func (s *Service) spend(ctx context.Context, items int) error {
	if standing := s.limits.moderation.TakeMany(web.ClientOf(ctx), items); !standing.OK {
		return s.limits.moderation.Exceeded(standing)
	}
	return nil
}
