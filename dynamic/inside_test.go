package dynamic

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/snapshot"
)

// behindProxy is a service that a trusted proxy stands before, with small
// quotas.
func behindProxy(t *testing.T, l Limits) *Service {
	t.Helper()
	st, err := sqlite.Open(t.Context(), t.TempDir()+"/assay.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 5})
	description, err := discovery.OpenAPI(snapshot.Site{BaseURL: "https://register.example", Name: "Register"}, "1.0.0")
	if err == nil {
		err = site.Put(map[string]string{"/openapi.json": string(description)})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{SiteDir: site.Dir, Store: st, Limits: l, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// from sends a request that the proxy forwards for a client.
func from(s *Service, client, method, target, media, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://register.example"+target, strings.NewReader(body))
	r.RemoteAddr = "10.0.0.1:4711"
	r.Header.Set("X-Forwarded-For", client)
	r.Header.Set("Accept", "application/json, text/event-stream, text/html")
	if body != "" {
		r.Header.Set("Content-Type", media)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// TestReadersBehindAProxyHaveQuotasOfTheirOwn spends the quota of one client
// with pages and tools that ask the interface, and looks at another's.
func TestReadersBehindAProxyHaveQuotasOfTheirOwn(t *testing.T) {
	const quota = 4
	s := behindProxy(t, Limits{Reads: quota, Writes: quota})
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_entries","arguments":{}}}`
	for i := range quota {
		left := fmt.Sprintf(`"reads";r=%d;t=60`, quota-1-i)
		var w *httptest.ResponseRecorder
		switch i {
		case 0:
			w = from(s, "192.0.2.1", "GET", "/compare?ids=e1-record,e2-record", "", "")
		case 1:
			w = from(s, "192.0.2.1", "POST", "/mcp", "application/json", call)
		default:
			w = from(s, "192.0.2.1", "GET", "/search?q=air", "", "")
		}
		if w.Code != 200 || w.Header().Get("RateLimit") != left || strings.Contains(w.Body.String(), "for this minute") {
			t.Errorf("request %d: %d, %s, want %s: %.300s", i+1, w.Code, w.Header().Get("RateLimit"), left, w.Body)
		}
	}
	if w := from(s, "192.0.2.1", "GET", "/search?q=air", "", ""); w.Code != http.StatusTooManyRequests {
		t.Errorf("a client that used its quota: %d", w.Code)
	}
	if w := from(s, "192.0.2.2", "GET", "/search?q=air", "", ""); w.Code != 200 || w.Header().Get("RateLimit") != `"reads";r=3;t=60` {
		t.Errorf("another client behind the same proxy: %d %s", w.Code, w.Header().Get("RateLimit"))
	}
}

// TestAFormCountsOnce sends forms until the quota of writes is spent.
func TestAFormCountsOnce(t *testing.T) {
	s := behindProxy(t, Limits{Writes: 3})
	for i, want := range []int{303, 303, 303, 429} {
		form := url.Values{"url": {fmt.Sprintf("https://data%d.example.gov/rivers", i)}}
		w := from(s, "192.0.2.1", "POST", "/submit", "application/x-www-form-urlencoded", form.Encode())
		if w.Code != want || want == 303 && w.Header().Get("RateLimit") != fmt.Sprintf(`"writes";r=%d;t=60`, 2-i) {
			t.Errorf("form %d: %d, want %d, %s: %.300s", i+1, w.Code, want, w.Header().Get("RateLimit"), w.Body)
		}
	}
}
