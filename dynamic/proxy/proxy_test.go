package proxy

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// guard is the error of a guarded client.
type guard struct{ error }

func (guard) Refused() bool { return true }

// rig is a proxy whose client reaches one publisher under any public name, and
// nothing under the name inside.example.
type rig struct {
	store     catalog.Store
	publisher *httptest.Server
	proxy     *proxy
	handler   http.Handler
	seen      []*http.Request
}

func newRig(t *testing.T, publisher http.HandlerFunc) *rig {
	t.Helper()
	r := &rig{}
	r.publisher = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.seen = append(r.seen, q)
		publisher(w, q)
	}))
	t.Cleanup(r.publisher.Close)
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	r.store = st
	transport := &http.Transport{MaxResponseHeaderBytes: 256 << 10, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "inside.example:") {
			return nil, guard{errors.New("10.0.0.1 is private")}
		}
		return new(net.Dialer).DialContext(ctx, network, r.publisher.Listener.Addr().String())
	}}
	t.Cleanup(transport.CloseIdleConnections)
	front := &web.Front{Log: slog.New(slog.DiscardHandler), Now: time.Now, Timeout: 30 * time.Second, BodyMax: 64 << 10,
		Site: func() (snapshot.Site, string) { return snapshot.Site{}, "" }}
	r.proxy = newProxy(Config{Store: st, Client: &http.Client{Transport: transport}, Now: func() time.Time { return now }})
	r.handler = front.Wrap(front.Adapt(r.proxy.serve))
	r.put(t, "open-api", func(e *catalog.Entry) {
		e.API = &catalog.APIDetails{BaseURL: "http://api.example/v1", PingURL: "http://ping.example:8081/up"}
	})
	return r
}

// put stores an entry that can be tried, but for what change says.
func (r *rig) put(t *testing.T, slug string, change func(*catalog.Entry)) string {
	t.Helper()
	e := &catalog.Entry{ID: catalog.EntryID(slug, "", 1), Slug: slug, Type: catalog.TypeAPI, Name: slug, IdentityKey: slug, MatchKey: slug, UpstreamRef: slug,
		Status: catalog.StatusActive, FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone, DocsURL: "http://docs.example/",
		CreatedAt: now.Add(-time.Hour), UpdatedAt: now.Add(-time.Hour), PublishedAt: now.Add(-time.Hour)}
	change(e)
	w := catalog.Write{Entry: e, Provenance: &catalog.Provenance{EntryID: e.ID}, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}}
	err := r.store.Update(t.Context(), func(tx catalog.Tx) error { return tx.Entries().Put(t.Context(), w) })
	if err != nil {
		t.Fatal(err)
	}
	return e.ID
}

func (r *rig) ask(body string) *httptest.ResponseRecorder {
	q := httptest.NewRequest("POST", wire.ProxyPath, strings.NewReader(body))
	q.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, q)
	return w
}

// answer asks and fails the test unless the proxy answers 200.
func (r *rig) answer(t *testing.T, body string) wire.ProxyAnswer {
	t.Helper()
	w := r.ask(body)
	var a wire.ProxyAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &a); w.Code != 200 || err != nil {
		t.Fatalf("%s: %d %s", body, w.Code, w.Body)
	}
	return a
}

func TestForward(t *testing.T) {
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Set-Cookie", "a=b")
		w.Header().Add("X-Twice", "1")
		w.Header().Add("X-Twice", "2")
		fmt.Fprintf(w, `{"at":%q}`, q.Host+q.URL.RequestURI())
	})
	for body, want := range map[string]string{
		`{"entry":"open-api","method":"GET"}`:                                                         "api.example/v1",
		`{"entry":"open-api","method":"GET","path":"/users"}`:                                         "api.example/v1/users",
		`{"entry":"open-api","method":"GET","path":"users/%2F/x?a=1","query":{"b":"2 3"}}`:            "api.example/v1/users/%2F/x?a=1&b=2+3",
		`{"entry":"open-api","method":"GET","path":"/../../etc/passwd"}`:                              "api.example/etc/passwd",
		`{"entry":"open-api","method":"GET","path":"http://ping.example:8081/other"}`:                 "ping.example:8081/other",
		`{"entry":"` + strings.ToUpper(catalog.EntryID("open-api", "", 1)) + `","method":"GET"}`:      "api.example/v1",
		`{"entry":"open-api","method":"GET","path":"HTTP://API.example./x","headers":{"Accept":"x"}}`: "API.example./x",
	} {
		a := r.answer(t, body)
		if a.Status != 200 || a.Body == nil || *a.Body != fmt.Sprintf(`{"at":%q}`, want) || a.BodyBase64 != nil || a.Truncated {
			t.Errorf("%s: %+v", body, a)
			continue
		}
		if a.Headers["X-Twice"] != "1, 2" || a.Headers["Set-Cookie"] != "" || a.Headers["Content-Type"] != "application/json" {
			t.Errorf("%s: headers %v", body, a.Headers)
		}
	}
	head := r.answer(t, `{"entry":"open-api","method":"HEAD"}`)
	if *head.Body != "" || !strings.Contains(head.Curl, " -I ") || r.seen[len(r.seen)-1].Method != "HEAD" {
		t.Errorf("HEAD: %+v", head)
	}
}

// TestWhatEachTypeLists forwards to the addresses of the other entry types.
func TestWhatEachTypeLists(t *testing.T) {
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) { io.WriteString(w, q.Host+q.URL.Path) })
	r.put(t, "data", func(e *catalog.Entry) {
		e.Type = catalog.TypeDataset
		e.Dataset = &catalog.DatasetDetails{LandingPage: "http://portal.example/", Distributions: []catalog.Distribution{
			{ID: "1", DownloadURL: "http://files.example/a.csv", Format: "CSV"}, {ID: "2", DownloadURL: "http://more.example/b.csv", Format: "CSV"}}}
	})
	r.put(t, "agents", func(e *catalog.Entry) {
		e.Type, e.MCP = catalog.TypeMCPServer, &catalog.MCPDetails{EndpointURL: "http://mcp.example/mcp", Transport: "streamable-http"}
	})
	for body, want := range map[string]string{
		`{"entry":"data","method":"GET"}`: "files.example/a.csv", `{"entry":"data","method":"GET","path":"/c.csv"}`: "files.example/c.csv",
		`{"entry":"data","method":"GET","path":"http://more.example/b.csv"}`: "more.example/b.csv",
		`{"entry":"agents","method":"GET"}`:                                  "mcp.example/mcp",
	} {
		if a := r.answer(t, body); *a.Body != want {
			t.Errorf("%s: %s, want %s", body, *a.Body, want)
		}
	}
	for _, path := range []string{"http://portal.example/", "http://docs.example/"} {
		if w := r.ask(`{"entry":"data","method":"GET","path":"` + path + `"}`); w.Code != 403 {
			t.Errorf("%s, a page for people: %d", path, w.Code)
		}
	}
}

// TestWhichEntriesCanBeTried: visible ones of one access class only.
func TestWhichEntriesCanBeTried(t *testing.T) {
	r := newRig(t, func(http.ResponseWriter, *http.Request) {})
	at := func(e *catalog.Entry) { e.API = &catalog.APIDetails{BaseURL: "http://api.example/"} }
	kept := r.put(t, "kept", at)
	for slug, c := range map[string]struct {
		status int
		change func(*catalog.Entry)
	}{
		"needs-a-key": {403, func(e *catalog.Entry) { e.FreeAccessClass = catalog.AccessFreeKey }},
		"unknown":     {403, func(e *catalog.Entry) { e.FreeAccessClass = catalog.AccessUnknown }},
		"paid":        {403, func(e *catalog.Entry) { e.FreeAccessClass = catalog.AccessNotFree }},
		"pending":     {404, func(e *catalog.Entry) { e.Status = catalog.StatusPending }},
		"future":      {404, func(e *catalog.Entry) { e.PublishedAt = now.Add(time.Hour) }},
		"unpublished": {404, func(e *catalog.Entry) { e.PublishedAt = time.Time{} }},
		"removed":     {410, func(e *catalog.Entry) { e.Status = catalog.StatusRemoved }},
		"deprecated":  {200, func(e *catalog.Entry) { e.Status = catalog.StatusDeprecated }},
		"merged":      {200, func(e *catalog.Entry) { e.Status, e.MergedIntoID = catalog.StatusRemoved, kept }},
		"no-address":  {403, func(e *catalog.Entry) { e.API = nil }},
		"mail":        {403, func(e *catalog.Entry) { e.API.BaseURL = "mailto:a@b.example" }},
		"secret":      {403, func(e *catalog.Entry) { e.API.BaseURL = "http://user:pass@api.example/" }},
	} {
		r.put(t, slug, func(e *catalog.Entry) { at(e); c.change(e) })
		if w := r.ask(`{"entry":"` + slug + `","method":"GET"}`); w.Code != c.status {
			t.Errorf("%s: %d, want %d: %s", slug, w.Code, c.status, w.Body)
		}
	}
	if w := r.ask(`{"entry":"nobody","method":"GET"}`); w.Code != 404 {
		t.Errorf("nobody: %d", w.Code)
	}
}

func TestBodies(t *testing.T) {
	var body []byte
	r := newRig(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(body) })
	ask := func() wire.ProxyAnswer { return r.answer(t, `{"entry":"open-api","method":"GET"}`) }
	body = []byte("\xff\xfe binary")
	if a := ask(); a.Body != nil || *a.BodyBase64 != base64.StdEncoding.EncodeToString(body) {
		t.Errorf("binary: %+v", a)
	}
	body = bytes.Repeat([]byte("é"), wire.ProxyBodyMax/2)
	if a := ask(); a.Truncated || *a.Body != string(body) {
		t.Errorf("as long as may be: truncated %v", a.Truncated)
	}
	body = append([]byte("x"), body...)
	if a := ask(); !a.Truncated || a.Body == nil || *a.Body != string(body[:wire.ProxyBodyMax-1]) {
		t.Errorf("longer: truncated %v, text %v", a.Truncated, a.Body != nil)
	}
	body = bytes.Repeat([]byte{0xff}, wire.ProxyBodyMax+100)
	if a := ask(); !a.Truncated || len(*a.BodyBase64) != base64.StdEncoding.EncodedLen(wire.ProxyBodyMax) {
		t.Errorf("longer binary: truncated %v", a.Truncated)
	}
}

// TestCurlAsksTheSame runs the command line that an answer shows.
func TestCurlAsksTheSame(t *testing.T) {
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) {
		io.WriteString(w, q.Header.Get("X-Note")+q.URL.RequestURI())
	})
	a := r.answer(t, `{"entry":"open-api","method":"GET","path":"/it's","query":{"q":"$(id) `+"`id`"+`"},"headers":{"X-Note":"a 'quoted' \\ note"}}`)
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatalf("curl is needed: %v", err)
	}
	line := strings.Replace(a.Curl, "curl ", "curl --noproxy '*' --connect-to ::"+r.publisher.Listener.Addr().String()+" ", 1)
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
	if err != nil || string(out) != *a.Body {
		t.Errorf("%s: %v\n%s\n%s", line, err, out, *a.Body)
	}
}
