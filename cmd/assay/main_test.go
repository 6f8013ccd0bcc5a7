package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/render/wire"
)

func fetch(t *testing.T, url string) (*http.Response, []byte) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

func TestSampleRegister(t *testing.T) {
	t.Parallel()
	base, site, db := serveSample(t)

	resp, body := fetch(t, base+"/api/v1/entries")
	var page wire.EntriesPage
	if err := json.Unmarshal(body, &page); resp.StatusCode != http.StatusOK || err != nil {
		t.Fatalf("status %d, %v", resp.StatusCode, err)
	}
	if page.Total < 150 || len(page.Items) != 20 || page.Snapshot != resp.Header.Get("Assay-Snapshot") {
		t.Errorf("a page of %d of %d entries of snapshot %s", len(page.Items), page.Total, page.Snapshot)
	}
	t.Run("checks itself", func(t *testing.T) {
		must(t, "check", site)
		must(t, "check", base)
	})
	t.Run("is checked by another language", func(t *testing.T) { checkWithNode(t, site) })
	t.Run("is read in parts", func(t *testing.T) { remoteReaders(t, base) })
	t.Run("pages to the end", func(t *testing.T) {
		seen := walk(t, base, "/api/v1/entries", func() {})
		if len(seen) != page.Total {
			t.Errorf("%d entries were paged through, %d are listed", len(seen), page.Total)
		}
	})
	t.Run("hands out what changed", func(t *testing.T) { changesOfTheDemo(t, base, 100) })
	t.Run("agents get the answers of the API", func(t *testing.T) { agentsOfTheDemo(t, base) })
	t.Run("comes back from itself", func(t *testing.T) { comesBack(t, base, db, 1) })
	t.Run("every operation answers", func(t *testing.T) { everyOperation(t, base, site, page) })
	t.Run("keeps its contract", func(t *testing.T) { contractOfTheDemo(t, base, tokenFor(t, db)) })
}

// tokenFor makes a token for an administrator.
func tokenFor(t *testing.T, db string) string {
	t.Helper()
	return strings.TrimSpace(must(t, "admin", "token", "create", "--role", "admin", "--db", db))
}

// checkWithNode runs the outside check of hashes and row counts.
func checkWithNode(t *testing.T, site string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing: run make test, which installs it")
		}
		t.Skip("node is not installed; make test installs it")
	}
	out, err := exec.Command(node, filepath.Join("..", "..", ".ci", "node", "check-site.mjs"), site).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// walk pages through a list by its next links and returns how often each entry
// was seen; between is called after every page.
func walk(t *testing.T, base, path string, between func()) map[string]int {
	t.Helper()
	seen := map[string]int{}
	for path != "" {
		resp, body := fetch(t, base+path)
		var page wire.EntriesPage
		if err := json.Unmarshal(body, &page); resp.StatusCode != http.StatusOK || err != nil {
			t.Fatalf("%s: status %d, %v: %.200s", path, resp.StatusCode, err, body)
		}
		for _, item := range page.Items {
			seen[item.ID]++
		}
		path = ""
		if page.Links.Next != nil {
			path = *page.Links.Next
		}
		between()
	}
	return seen
}

// everyOperation looks for each operation of the table among the pages and the
// routes, and reads those that anybody may read and whose paths are known here;
// contractOfTheDemo asks the rest.
func everyOperation(t *testing.T, base, site string, page wire.EntriesPage) {
	first := page.Items[0]
	var cited wire.Citation
	if _, body := fetch(t, base+"/api/v1/entries/"+first.ID+"/evidence"); json.Unmarshal(body, &cited) != nil || cited.ID == "" {
		t.Fatalf("no citation: %s", body)
	}
	section := map[string]string{"API": "apis", "DATASET": "datasets", "MCP_SERVER": "mcp-servers"}[string(first.Type)]
	values := strings.NewReplacer("{section}/{id}", section+"/"+first.Slug, "institution/{id}", "institution/"+*first.InstitutionID,
		"sources/{id}", "sources/"+harvest.SourceID("gb-api-catalogue"), "evidence/{id}", "evidence/"+cited.ID, "{sha256}", cited.SHA256, "{identifier}", "GR",
		"entries/{id}", "entries/"+first.ID, "log/entry/{id}", "log/entry/"+first.ID, "/id/{id}", "/id/"+first.ID,
		"feed/pages/{n}", "feed/pages/{n}", // no page of the sample's change feed is full
		"{idOrSlug}", first.Slug, "{idOrKey}", *first.InstitutionID, "{snapshot}", page.Snapshot, "{n}", "1", "{kind}", "score", "{code}", *first.CountryCode)
	live := routesWithStore(t, site)
	described := aDataset(t, base)
	for _, op := range wire.Operations() {
		if !op.Static && !op.Derived && !live[op.ID] {
			t.Errorf("operation %s is neither static nor served", op.ID)
		}
		delete(live, op.ID)
		target := values.Replace(op.Path)
		if op.ID == "getEntryDataPackage" || op.ID == "getEntryCroissant" {
			target = strings.Replace(op.Path, "{id}", described, 1)
		}
		if op.Method != http.MethodGet || op.Role != "" || strings.Contains(target, "{") {
			continue
		}
		resp, body := fetch(t, base+target+required(&op, first))
		if op.ID == "getEntryRecord" { // nothing of the sample was harvested
			if resp.StatusCode != http.StatusNotFound || !bytes.Contains(body, []byte("No record of a source is kept")) {
				t.Errorf("%s: status %d: %.200s", op.Path, resp.StatusCode, body)
			}
			continue
		}
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s %s: status %d: %.200s", op.Method, op.Path, resp.StatusCode, body)
		}
		if want, _, _ := strings.Cut(op.Media, ";"); !strings.HasPrefix(resp.Header.Get("Content-Type"), want) {
			t.Errorf("%s: type %s, the table says %s", op.Path, resp.Header.Get("Content-Type"), op.Media)
		}
	}
	for id := range live {
		t.Errorf("route %s stands in no operation", id)
	}
}

// routesWithStore are the operations that a service with a store answers.
func routesWithStore(t *testing.T, site string) map[string]bool {
	t.Helper()
	st, err := setup.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	service, err := dynamic.New(dynamic.Config{SiteDir: output.Folder(site), Store: st, Unite: harvest.Unite})
	if err != nil {
		t.Fatal(err)
	}
	live := map[string]bool{}
	for _, r := range service.Routes() {
		if r.OperationID != "" {
			live[r.OperationID] = true
		}
	}
	return live
}

// aDataset is the id of one that the register has sampled.
func aDataset(t *testing.T, base string) string {
	t.Helper()
	_, body := fetch(t, base+"/api/v1/entries?type=DATASET&limit=100")
	var page wire.EntriesPage
	if err := json.Unmarshal(body, &page); err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		if resp, _ := fetch(t, base+"/id/"+item.ID+"/croissant.json"); resp.StatusCode == http.StatusOK {
			return item.ID
		}
	}
	t.Fatal("no dataset of the sample has a Croissant description")
	return ""
}

// required are the parameters without which an operation cannot be asked.
func required(op *wire.Operation, first wire.Item) string {
	q := url.Values{}
	if op.ID == "listClaimOptions" { // one of three is required
		q.Set("institution", *first.InstitutionID)
	}
	for _, p := range op.Params {
		if p.In == "query" && p.Required {
			q.Set(p.Name, fmt.Sprint(p.Example))
			if p.Name == "ids" {
				q.Set(p.Name, first.ID+",nothing")
			}
			if p.Name == "entry" {
				q.Set(p.Name, first.Slug)
			}
			if action, ok := strings.CutPrefix(op.Path, wire.RouteCKANActions); ok && p.Name == "id" {
				q.Set(p.Name, map[string]string{"package_show": first.Slug, "resource_show": first.ID + "-0", "organization_show": *first.InstitutionID,
					"group_show": "envi", "tag_show": first.Tags[0]}[action])
			}
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

func TestPagingWhileTheCatalogIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, site := "sqlite:"+filepath.Join(dir, "assay.db"), filepath.Join(dir, "site")
	put := func(round string) {
		var lines strings.Builder
		for i := range 60 {
			name := "Source " + round + string(rune('A'+i%26)) + string(rune('a'+i/26))
			lines.WriteString(`{"kind":"entry","entry":{"type":"API","name":"` + name + `","primary_source_url":"https://api.example.org/` + strings.ReplaceAll(name, " ", "-") + `"}}` + "\n")
		}
		file := filepath.Join(dir, "entries.ndjson")
		if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		must(t, "import", file, "--strict", "--db", db)
		must(t, "build", "--db", db, "--site", site)
	}
	put("1")
	base := start(t, "serve", "--probe=false", "--site", site, "--db", db, "--addr", "127.0.0.1:0")
	rounds := 0
	seen := walk(t, base, "/api/v1/entries", func() {
		if rounds < 3 {
			rounds++
			put(string(rune('1' + rounds)))
		}
	})
	if len(seen) != 60 {
		t.Errorf("%d entries were seen, the first snapshot has 60", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("entry %s was seen %d times", id, n)
		}
	}
	if resp, _ := fetch(t, base+"/s/20200101-000000000000/api/v1/entries"); resp.StatusCode != http.StatusGone {
		t.Errorf("a snapshot that never was: %d", resp.StatusCode)
	}
	_, body := fetch(t, base+"/health")
	for range 50 {
		if _, body = fetch(t, base+"/api/v1/entries?limit=1"); bytes.Contains(body, []byte(`"total":240`)) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("the service did not take up the last snapshot: %.300s", body)
}

func TestFlagsEnvironmentAndFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(text string) {
		if err := os.WriteFile("assay.yaml", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	write("db: sqlite:file.db\nkeep_for: 1h\n")
	must(t, "export")
	if !exists("file.db") {
		t.Error("the file's db was not used")
	}
	t.Setenv("ASSAY_DB", "sqlite:env.db")
	must(t, "export")
	if !exists("env.db") {
		t.Error("the environment does not win over the file")
	}
	must(t, "export", "--db", "sqlite:flag.db")
	if !exists("flag.db") {
		t.Error("the flag does not win over the environment")
	}
	for _, c := range []struct{ text, want string }{
		{"dbb: x\n", `assay.yaml:1: unknown key "dbb"; did you mean db?`},
		{"keep_for: soon\n", "assay.yaml:1: keep_for: \"soon\": use a duration"},
		{"db: {a: b}\n", "assay.yaml:1: db takes a value"},
		{"db: [\n", "assay.yaml:2: this is no YAML"},
	} {
		write(c.text)
		if code, _, stderr := assay(t, "build"); code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %q", c.text, code, stderr)
		}
	}
	write("")
	for _, args := range [][]string{{"export", "--db", "mysql:x"}, {"harvest", "nobody"}, {"harvest", "--kind", "uk-api-catalogue"},
		{"build", "--at", "yesterday"}, {"nothing"}, {"check", "nowhere"}, {"export", "--log", "xml"}} {
		if code, _, stderr := assay(t, args...); code != 1 || !strings.HasPrefix(stderr, "assay: ") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
	}
}

func TestImportStrict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "mixed.ndjson")
	good := `{"kind":"entry","entry":{"type":"API","name":"Good","primary_source_url":"https://good.example/"}}`
	if err := os.WriteFile(file, []byte(good+"\n{broken\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(dir, "report.json")
	code, _, _ := assay(t, "import", file, "--db", "sqlite:"+filepath.Join(dir, "a.db"), "--report", report)
	if code != 0 {
		t.Errorf("exit code %d without --strict", code)
	}
	b, err := os.ReadFile(report)
	if err != nil || !strings.Contains(string(b), `"rejected": 1`) {
		t.Errorf("report %s, %v", b, err)
	}
	db := "sqlite:" + filepath.Join(dir, "b.db")
	if code, _, _ := assay(t, "import", file, "--db", db, "--strict"); code != 1 {
		t.Errorf("exit code %d with --strict", code)
	}
	if out := must(t, "export", "--db", db); !strings.Contains(out, `"name":"Good"`) {
		t.Error("the good record is missing")
	}
}
