package dynamic

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/snapshot"
)

// FuzzAgents posts anything to the endpoint for agents, in any revision: the
// answer comes soon, is never a fault of the service, never holds the answers of
// several calls, and is JSON where it says so.
func FuzzAgents(f *testing.F) {
	site := sitetest.Make(f, f.TempDir(), sitetest.Options{Entries: 12})
	description, err := discovery.OpenAPI(snapshot.Site{BaseURL: "https://register.example", Name: "Register"}, "1.0.0")
	if err == nil {
		err = site.Put(map[string]string{"/openapi.json": string(description)})
	}
	if err != nil {
		f.Fatal(err)
	}
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		f.Fatal(err)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_entries","arguments":{"q":"a* -b","limit":3}}}`
	for _, body := range []string{call, "[" + call + "," + call + "]", " \n[" + call + "]", "[]", "null", "{}", "", "{", `"x"`, strings.Replace(call, "search_entries", "none", 1),
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"https://register.example/api/v1/entries/e3-record"}}`, "\xff\xfe", strings.Repeat("[", 5000)} {
		for _, revision := range []string{"", "2025-03-26", "2026-07-28"} {
			f.Add(body, revision)
		}
	}
	f.Fuzz(func(t *testing.T, body, revision string) {
		r := httptest.NewRequest("POST", "http://register.example/mcp", strings.NewReader(body))
		for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": revision} {
			r.Header.Set(name, value)
		}
		if strings.Contains(body, "subscriptions") {
			t.Skip("answered as long as its client waits")
		}
		w := httptest.NewRecorder()
		begin := time.Now()
		s.Handler().ServeHTTP(w, r)
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if w.Code >= 500 {
			t.Errorf("%q in %q: %d %s", body, revision, w.Code, w.Body)
		}
		media := w.Header().Get("Content-Type")
		if strings.HasSuffix(media, "json") && (!json.Valid(w.Body.Bytes()) || strings.HasPrefix(w.Body.String(), "[")) {
			t.Errorf("%q in %q: %.300s", body, revision, w.Body)
		}
	})
}
