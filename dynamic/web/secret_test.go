package web

import "testing"

func TestLogsHoldNoToken(t *testing.T) {
	for in, want := range map[string]string{
		"/api/v1/webhooks/watches/verify/abc":          "/api/v1/webhooks/watches/verify/…",
		"/reg/api/v1/webhooks/watches/manage/a.b":      "/reg/api/v1/webhooks/watches/manage/…",
		"/api/v1/webhooks/watches/unsubscribe/abc/def": "/api/v1/webhooks/watches/unsubscribe/…",
		"/api/v1/webhooks/watches":                     "/api/v1/webhooks/watches",
		"/api/v1/webhooks/watches/6f1c":                "/api/v1/webhooks/watches/6f1c",
		"/api/v1/submissions/status/6f1c.AB":           "/api/v1/submissions/status/…",
		"/reg/submission/status/6f1c.AB":               "/reg/submission/status/…",
		"/api/v1/submissions/6f1c":                     "/api/v1/submissions/6f1c",
		"/api/v1/entries/verify":                       "/api/v1/entries/verify",
	} {
		if got := withoutToken(in); got != want {
			t.Errorf("%s is logged as %s, want %s", in, got, want)
		}
	}
}
