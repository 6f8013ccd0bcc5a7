package dynamic

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/discovery"
)

// replacing is a service whose site is built again and again, in two versions,
// while readers ask.
type replacing struct {
	t       *testing.T
	service *Service
	site    *sitetest.Site
	client  *sdk.ClientSession
	// plain asks at address, where the service is served.
	plain   *http.Client
	address string
	// want are the answers by snapshot and target, as they were at rest.
	want    map[string]map[string]string
	answers atomic.Int64
}

// asked are the targets; those of tools are asked by agents too.
func (x *replacing) asked() map[string]*sdk.CallToolParams {
	a, b := x.site.Catalog.Lines[0].ID, x.site.Catalog.Lines[1].Slug
	return map[string]*sdk.CallToolParams{
		"/api/v1/entries": nil,
		"/api/v1/entries?page=1&limit=7&sort_by=name":       {Name: "list_entries", Arguments: map[string]any{"page": 1, "limit": 7, "sort_by": "name"}},
		"/api/v1/entries/facets":                            nil,
		"/api/v1/entries/facets?type=API":                   {Name: "facet_entries", Arguments: map[string]any{"type": []string{"API"}}},
		"/api/v1/entries/compare?ids=" + a + "," + b:        {Name: "compare_entries", Arguments: map[string]any{"ids": []string{a, b}}},
		"/api/v1/entries/compare/matrix?ids=" + a + "," + b: {Name: "compare_matrix", Arguments: map[string]any{"ids": []string{a, b}}},
		"/api/v1/entries/" + a:                              {Name: "get_entry", Arguments: map[string]any{"idOrSlug": a}},
		"/api/v1/entries/" + b:                              {Name: "get_entry", Arguments: map[string]any{"idOrSlug": b}},
		"/api/v1/entries/" + a + "/checks":                  {Name: "get_checks", Arguments: map[string]any{"id": a}},
		"/api/v1/entries/search?q=budget&limit=5":           {Name: "search_entries", Arguments: map[string]any{"q": "budget", "limit": 5}},
		"/api/v1/entries/search/suggestions?q=bu":           nil,
	}
}

// build makes version g and lets the service read it.
func (x *replacing) build(g int) *sitetest.Site {
	site, err := sitetest.Write(x.site.Dir, sitetest.Options{Entries: 40, Generation: g % 2, BaseURL: "https://register.example"})
	if err != nil {
		x.t.Error(err)
		return nil
	}
	if err := x.service.library.Refresh(time.Now()); err != nil {
		x.t.Error(err)
	}
	return site
}

// rest remembers the answers of the present snapshot.
func (x *replacing) rest(id string) {
	x.want[id] = map[string]string{}
	for target := range x.asked() {
		w := get(x.service, "GET", target)
		if w.Code != http.StatusOK || w.Header().Get("Assay-Snapshot") != id {
			x.t.Fatalf("at rest %s: %d of snapshot %q, not %s", target, w.Code, w.Header().Get("Assay-Snapshot"), id)
		}
		x.want[id][target] = w.Body.String()
	}
	for target, params := range x.asked() {
		if params != nil {
			got, err := x.client.CallTool(x.t.Context(), params)
			if err != nil || got.IsError {
				x.t.Fatalf("at rest %s: %v, %+v", params.Name, err, got)
			}
			x.want[id][params.Name+target] = got.Content[0].(*sdk.TextContent).Text
		}
	}
}

// read asks over HTTP: the answer is that of the snapshot which it names.
func (x *replacing) read(target string) error {
	w := get(x.service, "GET", target)
	id := w.Header().Get("Assay-Snapshot")
	x.answers.Add(1)
	if w.Code != http.StatusOK {
		return fmt.Errorf("%s: %d %s", target, w.Code, w.Body)
	}
	if x.want[id] == nil {
		return fmt.Errorf("%s names the snapshot %q", target, id)
	}
	if x.want[id][target] != w.Body.String() {
		return fmt.Errorf("%s is not the answer of snapshot %s, which it names", target, id)
	}
	return nil
}

// readPlainly is read by a client that keeps its connection.
func (x *replacing) readPlainly(target string) error {
	res, err := x.plain.Get(x.address + target)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	id := res.Header.Get("Assay-Snapshot")
	x.answers.Add(1)
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %s %w", target, res.StatusCode, body, err)
	}
	if x.want[id][target] != string(body) {
		return fmt.Errorf("%s is not the answer of snapshot %q, which it names", target, id)
	}
	return nil
}

// known tells whether a body is that of one of the snapshots.
func (x *replacing) known(target, body string) error {
	for _, answers := range x.want {
		if answers[target] == body {
			return nil
		}
	}
	return fmt.Errorf("%s is the answer of no snapshot", target)
}

// call asks as an agent: the answer is that of the endpoint in one snapshot,
// and in the one that it names.
func (x *replacing) call(target string, params *sdk.CallToolParams) error {
	got, err := x.client.CallTool(x.t.Context(), params)
	if err != nil || got.IsError {
		return fmt.Errorf("%s: %w, %+v", params.Name, err, got)
	}
	x.answers.Add(1)
	text := got.Content[0].(*sdk.TextContent).Text
	var named struct {
		Snapshot string `json:"snapshot"`
	}
	if err := json.Unmarshal([]byte(text), &named); err != nil {
		return err
	}
	if answers, ok := x.want[named.Snapshot]; ok && answers[params.Name+target] != text {
		return fmt.Errorf("%s is not the answer of snapshot %s, which it names", params.Name, named.Snapshot)
	}
	return x.known(params.Name+target, text)
}

func newReplacing(t *testing.T) *replacing {
	t.Helper()
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 40})
	description, err := discovery.OpenAPI(site.Catalog.Site, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := site.Put(map[string]string{"/openapi.json": string(description)}); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	address, stop := serve(t, s)
	t.Cleanup(func() { stop() })
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	t.Cleanup(plain.CloseIdleConnections)
	x := &replacing{t: t, service: s, site: site, plain: plain, address: "http://" + address, want: map[string]map[string]string{}}
	x.client, err = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.client.Close() })
	for g := range 2 {
		x.rest(x.build(g).Catalog.ID)
	}
	return x
}

// TestSnapshotsAreReplacedUnderLoad: no request fails, and no answer mixes two
// snapshots, while two builds alternate.
func TestSnapshotsAreReplacedUnderLoad(t *testing.T) {
	x := newReplacing(t)
	rounds := 6
	if testing.Short() {
		rounds = 3
	}
	if os.Getenv("ASSAY_SOAK") != "" {
		rounds = 3000
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	reader := func(ask func(string, *sdk.CallToolParams) error) {
		wg.Go(func() {
			for {
				for target, params := range x.asked() {
					select {
					case <-stop:
						return
					default:
					}
					if err := ask(target, params); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for range 3 {
		reader(func(target string, _ *sdk.CallToolParams) error { return x.read(target) })
	}
	reader(func(target string, _ *sdk.CallToolParams) error {
		return x.readPlainly(target)
	})
	reader(func(target string, params *sdk.CallToolParams) error {
		if params == nil {
			return nil
		}
		return x.call(target, params)
	})
	for g := range rounds {
		x.build(g)
	}
	close(stop)
	wg.Wait()
	if all := x.answers.Load(); all < 100 {
		t.Errorf("only %d answers", all)
	} else {
		t.Logf("%d answers over %d builds", all, rounds)
	}
}
