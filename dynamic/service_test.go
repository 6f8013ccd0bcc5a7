package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// start makes a site and a service over it.
func start(tb testing.TB, o sitetest.Options) (*Service, *sitetest.Site) {
	tb.Helper()
	site := sitetest.Make(tb, tb.TempDir(), o)
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		tb.Fatal(err)
	}
	return s, site
}

// startWithStore is start with an empty store, so with all routes.
func startWithStore(tb testing.TB) *Service {
	tb.Helper()
	st, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "assay.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { st.Close() })
	s, err := New(Config{SiteDir: sitetest.Make(tb, tb.TempDir(), sitetest.Options{Entries: 5}).Dir, Store: st})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// put builds the site again with other documents and lets the service read it.
func put(tb testing.TB, s *Service, site *sitetest.Site, documents map[string]string) {
	tb.Helper()
	if err := errors.Join(site.Put(documents), s.library.Refresh(time.Now())); err != nil {
		tb.Fatal(err)
	}
}

// get asks the handler; header holds names and values in turn.
func get(s *Service, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://register.example/", nil)
	r.RequestURI = target
	path, query, _ := strings.Cut(target, "?")
	r.URL.RawQuery = query
	if u, err := r.URL.Parse(path); err == nil && !strings.Contains(path, "//") && !strings.Contains(path, "..") && !strings.HasPrefix(path, "/./") {
		r.URL.Path, r.URL.RawPath = u.Path, u.RawPath
	} else {
		r.URL.Path = path
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// page is a list answer as a client sees it.
type page struct {
	Items      []json.RawMessage `json:"items"`
	Total      int               `json:"total"`
	Page       int               `json:"page"`
	Limit      int               `json:"limit"`
	TotalPages int               `json:"total_pages"`
	Snapshot   string            `json:"snapshot"`
	Links      wire.Links        `json:"links"`
	Manifest   wire.Manifest     `json:"manifest"`
}

func decode[T any](tb testing.TB, w *httptest.ResponseRecorder) T {
	tb.Helper()
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		tb.Fatalf("status %d, body %.200q: %v", w.Code, w.Body, err)
	}
	return v
}

func TestNewRefusesABrokenSite(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, snapshot.PresentFile), []byte("nonsense"), 0o644)
	if _, err := New(Config{SiteDir: dir}); err == nil || !strings.Contains(err.Error(), "names no snapshot") {
		t.Errorf("got %v", err)
	}
}

// TestServiceBeforeTheFirstBuild: without a site, or with a part of the first
// one, pages say when to come again; the site is taken up when it is there.
func TestServiceBeforeTheFirstBuild(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	s, err := New(Config{SiteDir: dir, Store: st})
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{"/", "/api/v1/entries", "/api/v1/entries?limit=1", "/api/v1/entries/search?q=a", "/routes.ndjson", "/nothing", "/entry/x", "/health", "/health/detailed", "/search", "/admin/login"}
	away := func(when string) {
		t.Helper()
		for _, page := range pages {
			if w := get(s, "GET", page, "Accept", "text/html"); w.Code != 503 || w.Header().Get("Retry-After") == "" {
				t.Errorf("%s: %s: status %d, Retry-After %q", when, page, w.Code, w.Header().Get("Retry-After"))
			}
		}
		if w := get(s, "POST", "/mcp"); w.Code != 503 {
			t.Errorf("%s: /mcp: status %d", when, w.Code)
		}
		if err := s.library.Refresh(time.Now()); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	away("without a folder")
	if w := get(s, "GET", "/metrics"); w.Code != 200 {
		t.Errorf("/metrics: status %d", w.Code)
	}
	ran := false
	loop := func(context.Context) error { ran = true; return nil }
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.withSite(loop)(ended); err != nil || ran {
		t.Errorf("mail and webhooks begin without a site, %v", err)
	}
	site := sitetest.Make(t, dir, sitetest.Options{Entries: 5})
	description, err := discovery.OpenAPI(site.Catalog.Site, "1.0.0")
	if err == nil {
		err = site.Put(map[string]string{"/openapi.json": string(description)})
	}
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, snapshot.PresentFile)
	if err := os.Rename(page, page+".later"); err != nil {
		t.Fatal(err)
	}
	away("before the last file")
	if err == nil {
		err = os.Rename(page+".later", page)
	}
	if err == nil {
		err = s.library.Refresh(time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.withSite(loop)(t.Context()); err != nil || !ran {
		t.Errorf("with a site: mail and webhooks do not begin: %v", err)
	}
	for _, page := range []string{"/api/v1/entries", "/api/v1/entries?limit=1", "/snapshot.json", "/health"} {
		if w := get(s, "GET", page); w.Code != 200 {
			t.Errorf("with a site: %s: status %d: %s", page, w.Code, w.Body)
		}
	}
	if w := get(s, "POST", "/mcp"); w.Code == 503 || w.Code == 404 {
		t.Errorf("with a site: /mcp: status %d: %s", w.Code, w.Body)
	}
}

// TestRoutesAreOperations compares the routes with the interface description.
func TestRoutesAreOperations(t *testing.T) {
	s := startWithStore(t)
	ops := map[string]wire.Operation{}
	for _, op := range wire.Operations() {
		ops[op.ID] = op
	}
	for _, r := range s.Routes() {
		op, ok := ops[r.OperationID]
		if r.OperationID == "" {
			continue
		}
		if !ok || op.Path != r.Pattern || op.Method != r.Method {
			t.Errorf("route %s %s %s is not the operation %+v", r.OperationID, r.Method, r.Pattern, op)
		}
		delete(ops, r.OperationID)
	}
	for id, op := range ops {
		if !op.Static && !op.Derived {
			t.Errorf("operation %s is neither static nor a route", id)
		}
	}
}

func TestEveryDocumentIsServed(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	for _, route := range site.Routes() {
		w := get(s, "GET", route)
		if w.Code != 200 || w.Body.String() != string(site.Page(route)) {
			t.Errorf("%s: %d, %d bytes", route, w.Code, w.Body.Len())
		}
		if got := w.Header().Get("Assay-Snapshot"); got != site.Catalog.ID {
			t.Errorf("%s: snapshot %q", route, got)
		}
	}
}

func TestRunDrainsAndStops(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 5})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, listener) }()
	client := &http.Client{}
	defer client.CloseIdleConnections()
	res, err := client.Get("http://" + listener.Addr().String() + "/health")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if res.StatusCode != 200 || !strings.Contains(string(body), `"status":"ok"`) {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("Run did not stop")
	}
}

func TestTheServiceFollowsTheFolder(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 30})
	if got := decode[wire.Health](t, get(s, "GET", "/health")).Snapshot; got != site.Catalog.ID {
		t.Fatalf("snapshot %q", got)
	}
	next := sitetest.Make(t, site.Dir, sitetest.Options{Entries: 30, Generation: 1})
	if err := s.library.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := decode[wire.Health](t, get(s, "GET", "/health")).Snapshot; got != next.Catalog.ID {
		t.Errorf("snapshot %q after the build of %q", got, next.Catalog.ID)
	}
	if got := decode[page](t, get(s, "GET", "/api/v1/entries?page=1&snapshot="+site.Catalog.ID)).Snapshot; got != site.Catalog.ID {
		t.Errorf("the older snapshot answers as %q", got)
	}
	sitetest.Expire(site.Dir, site.Catalog.ID)
	for _, target := range []string{"/api/v1/entries?snapshot=" + site.Catalog.ID, "/s/" + site.Catalog.ID + "/api/v1/entries/pages/1"} {
		w := get(s, "GET", target)
		if p := decode[wire.Problem](t, w); w.Code != 410 || p.Type != "https://register.example/problems/snapshot-expired" {
			t.Errorf("%s: %d %+v", target, w.Code, p)
		}
	}
}

func TestABrokenSnapshotIsNotUsed(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 10})
	other := "20261121-000000000000"
	if err := os.WriteFile(filepath.Join(site.Dir, snapshot.PresentFile), []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if err := s.library.Refresh(now); err == nil {
		t.Error("a snapshot that is not there was accepted")
	}
	if err := s.library.Refresh(now.Add(time.Second)); err != nil {
		t.Error("it was tried again at once:", err)
	}
	if err := s.library.Refresh(now.Add(time.Minute)); err == nil {
		t.Error("it was not tried again later")
	}
	if got := decode[wire.Health](t, get(s, "GET", "/health")).Snapshot; got != site.Catalog.ID {
		t.Errorf("snapshot %q", got)
	}
	os.WriteFile(filepath.Join(site.Dir, snapshot.FileOf(other)), []byte("no snapshot file"), 0o644)
	if w := get(s, "GET", "/api/v1/entries?snapshot="+other); w.Code != 500 || strings.Contains(w.Body.String(), "line") {
		t.Errorf("a broken older snapshot: %d %s", w.Code, w.Body)
	}
}

func TestNamesLeadToEntries(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 30})
	find := func(slug string) string {
		i := slices.IndexFunc(site.Catalog.Lines, func(l snapLine) bool { return l.Slug == slug })
		return site.Catalog.Lines[i].ID
	}
	const at = "/api/v1/entries/"
	first, third := find("e0-record"), find("e3-record")
	for _, c := range []struct {
		path     string
		status   int
		location string
	}{
		{at + third, 200, ""}, {at + "e3-record", 200, ""}, {at + third + "/checks", 200, ""},
		{at + "e3-record/", 308, at + "e3-record"},
		{at + "e3-record/index.json", 308, at + "e3-record"},
		{at + "e3-record/checks", 308, at + third + "/checks"},
		{at + "former-3", 308, at + "e3-record"},
		{at + "former-3/checks", 308, at + third + "/checks"},
		{at + strings.ToUpper(third), 308, at + third},
		{at + sitetest.Merged, 308, at + first}, {at + "old-" + sitetest.Merged, 308, at + first},
		{at + sitetest.GoneID(sitetest.Merged), 308, at + first},
		{at + sitetest.Merged + "/checks", 308, at + first + "/checks"},
		{at + sitetest.Chain, 308, at + first},
		{at + sitetest.Removed, 410, ""}, {at + "old-" + sitetest.Removed, 410, ""},
		{at + sitetest.Replaced, 410, ""}, {at + sitetest.Replaced + "/checks", 410, ""}, {at + sitetest.Lost, 410, ""},
		{at + "e3-record/nothing", 404, ""}, {at + third + "/nothing", 404, ""}, {at + "nothing", 404, ""},
		{at + "nothing/checks", 404, ""}, {"/nothing", 404, ""}, {"/api", 404, ""},
		{"/s/" + site.Catalog.ID + "/api/v1/entries/pages/999", 404, ""},
		{"/s/20200101-0123456789ab/api/v1/entries/pages/1", 410, ""}, {"/s/xyz/api", 404, ""},
	} {
		w := get(s, "GET", c.path)
		if w.Code != c.status || w.Header().Get("Location") != c.location {
			t.Errorf("%s: %d %q, want %d %q", c.path, w.Code, w.Header().Get("Location"), c.status, c.location)
		}
		if c.status >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: type %q", c.path, w.Header().Get("Content-Type"))
		}
	}
	p := decode[wire.Problem](t, get(s, "GET", at+sitetest.Replaced))
	if p.Successor == nil || *p.Successor != first || p.Type != "https://register.example/problems/entry-removed" {
		t.Errorf("%+v", p)
	}
}

func TestABasePathMayBeStrippedOrNot(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 30, BaseURL: "https://example.org/register"})
	for _, prefix := range []string{"", "/register"} {
		if w := get(s, "GET", prefix+"/api/v1/entries"); w.Code != 200 {
			t.Errorf("prefix %q: %d", prefix, w.Code)
		}
		w := get(s, "GET", prefix+"/api/v1/entries?limit=5&type=API")
		if p := decode[page](t, w); !strings.HasPrefix(p.Links.Self, "/register/api/v1/entries?page=1&limit=5&type=API&snapshot="+site.Catalog.ID) {
			t.Errorf("prefix %q: self %q", prefix, p.Links.Self)
		}
		w = get(s, "GET", prefix+"/api/v1/entries/former-3?x=%20y")
		if got := w.Header().Get("Location"); got != "/register/api/v1/entries/e3-record?x=%20y" {
			t.Errorf("prefix %q: location %q", prefix, got)
		}
	}
	if w := get(s, "GET", "/registers/api/v1/entries"); w.Code != 404 {
		t.Errorf("a longer first segment: %d", w.Code)
	}
}

// TestPatternsBeginWithAWord: the mux is asked only for paths whose first
// segment begins a pattern.
func TestPatternsBeginWithAWord(t *testing.T) {
	for _, r := range startWithStore(t).Routes() {
		if s := firstSegment(r.Pattern); s == "" || strings.Contains(s, "{") || !strings.HasPrefix(r.Pattern, "/") {
			t.Errorf("%s: paths of this pattern would be sent to the tree", r.Pattern)
		}
	}
}
