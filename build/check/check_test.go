package check_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/bundle"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// entries is enough for a site of all formats, tombstones enough for one with entries that are gone.
const entries, tombstones = 14, 30

// site is a directory with a small good site, of which some documents have siblings.
func site(t *testing.T, size int) string {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	r, err := buildtest.New(ctx, st, size, 1)
	if err != nil {
		t.Fatal(err)
	}
	folder, dir := filepath.Join(t.TempDir(), "snapshots"), filepath.Join(t.TempDir(), "site")
	_, err = build.Build(ctx, st, build.Options{Out: folder, At: r.Now, Now: time.Now(), Workers: 2, Keep: 3, KeepFor: time.Hour,
		Site: snapshot.Site{BaseURL: "https://register.example/assay", Name: "Test", License: "CC0-1.0"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	to, err := bucket.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if _, err := publish.Publish(ctx, to, publish.Site{Root: folder, Keys: bucket.ByFile}, publish.Options{Workers: 4, Keep: 3, Now: time.Now(), Unchecked: true}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// restore makes the touched files of dir equal to those of the tree again.
func restore(t *testing.T, dir string, tree buildtest.Tree) {
	t.Helper()
	for _, path := range touched {
		full := filepath.Join(dir, path)
		if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		f, ok := tree[path]
		if !ok {
			_ = os.Remove(filepath.Dir(full)) // If it is empty now.
			continue
		}
		if err := os.WriteFile(full, []byte(f.Body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	touched = nil
}

// touched are the files that a test changed.
var touched []string

func remove(t *testing.T, dir, path string) {
	t.Helper()
	touched = append(touched, path)
	if err := os.Remove(filepath.Join(dir, path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// put writes a file under a new inode, so that its other name stays as it is.
func put(t *testing.T, dir, path string, body []byte) {
	t.Helper()
	touched = append(touched, path)
	full := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(full)
	if err := os.WriteFile(full, body, 0o644); err != nil {
		t.Fatal(err)
	}
}

func flip(body string, at int) []byte {
	b := []byte(body)
	b[at] ^= 1
	return b
}

// replaceRoute rewrites a page and fixes up routes.ndjson and snapshot.json, as
// a careful forger would, under all names of the page.
func replaceRoute(t *testing.T, dir, route string, body []byte) {
	t.Helper()
	var head wire.SnapshotPage
	decode(t, read(t, dir, "snapshot.json"), &head)
	var out bytes.Buffer
	sums := map[string]string{}
	old := ""
	for _, l := range routes(t, dir) {
		if l.Route == route {
			old = l.SHA256
		}
	}
	for _, l := range routes(t, dir) {
		if l.Route == route || l.SameAs == route {
			l.SHA256, l.Bytes = sum(body), len(body)
			put(t, dir, artifact.Path(l.Route, l.Type), body)
		}
		if l.SameAs == "" {
			sums[l.Class] += l.Route + " " + l.SHA256 + "\n"
		}
		line, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	if old == "" {
		t.Fatalf("%s does not stand in routes.ndjson", route)
	}
	for i := range head.Artefacts {
		a := &head.Artefacts[i]
		a.SHA256, a.Bytes = sum([]byte(sums[a.Class])), 0
	}
	put(t, dir, "routes.ndjson", out.Bytes())
	for _, l := range routes(t, dir) {
		for i := range head.Artefacts {
			if a := &head.Artefacts[i]; a.Class == l.Class && l.SameAs == "" {
				a.Bytes += int64(l.Bytes)
			}
		}
	}
	var tree bundle.Tree
	for _, l := range routes(t, dir) {
		if l.SameAs == "" {
			sum, err := hex.DecodeString(l.SHA256)
			if err != nil {
				t.Fatal(err)
			}
			tree.Add(l.Route, sum)
		}
	}
	head.EntryDocuments, head.RulesSHA256 = tree.Sum(), hex.EncodeToString(tree.Rules)
	page, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "snapshot.json", page)
	for _, ext := range []string{".gz", ".zst", ".br"} {
		remove(t, dir, "routes.ndjson"+ext)
	}
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func read(t *testing.T, dir, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode(t *testing.T, b []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

func routes(t *testing.T, dir string) []wire.RouteLine {
	t.Helper()
	var out []wire.RouteLine
	for line := range bytes.Lines(read(t, dir, "routes.ndjson")) {
		var l wire.RouteLine
		decode(t, line, &l)
		out = append(out, l)
	}
	return out
}

// serve is a web server as simple as can be: a file under its own name, or the
// index of a directory.
const pendingRoute = "/llms.txt"

func serve(t *testing.T, dir string) output.Remote {
	t.Helper()
	s := httptest.NewServer(http.StripPrefix("/assay", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join(dir, filepath.FromSlash(filepath.Clean("/"+r.URL.Path)))
		body, err := os.ReadFile(path)
		if err != nil {
			if index, _ := filepath.Glob(filepath.Join(path, "index.*")); len(index) > 0 {
				body, err = os.ReadFile(slices.MinFunc(index, func(a, b string) int { return len(a) - len(b) }))
			}
		}
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == pendingRoute && bytes.Equal(body, []byte("as it is now")) {
			w.Header().Set("Assay-Snapshot", "pending")
		}
		_, _ = w.Write(body)
	})))
	t.Cleanup(s.Close)
	return output.Remote{Base: s.URL + "/assay", Client: s.Client()}
}

// TestCheckFinds puts one fault after another into a good tree.
func TestCheckFinds(t *testing.T) {
	dir, ctx := site(t, tombstones), context.Background()
	good, err := buildtest.ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	remote := serve(t, dir)
	earlier := filepath.Join(t.TempDir(), "earlier")
	if err := os.CopyFS(earlier, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	withMore := t.TempDir()
	if err := os.CopyFS(withMore, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	put(t, withMore, "routes.ndjson", []byte(good["routes.ndjson"].Body+
		`{"route":"/api/v1/entries/00000000-0000-5000-8000-000000000000","type":"application/json; charset=utf-8","class":"entry","sha256":"","bytes":1}`+"\n"))
	touched = nil
	var id, slug string
	for _, l := range routes(t, dir) {
		if l.Class == "entry" && l.SameAs != "" {
			id, slug = l.SameAs[strings.LastIndexByte(l.SameAs, '/')+1:], l.Route[strings.LastIndexByte(l.Route, '/')+1:]
			break
		}
	}
	page, part := "api/v1/entries/"+id+"/index.json", "api/v1/entries/"+id+"/checks/index.json"
	reseal := func(t *testing.T, body string, change func(string) string) []byte {
		t.Helper()
		i := strings.LastIndex(body, `,"manifest":`)
		b, err := wire.SealBytes([]byte(change(body[:i])+"}"), time.Unix(0, 0), false)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name        string
		spoil       func(t *testing.T)
		route, what string
		before      bool
		dirOnly     bool
	}{
		{name: "nothing"},
		{name: "nothing, against itself", before: true},
		{name: "a flipped byte", route: "/api/v1/entries/" + id + "/checks", what: "other bytes", spoil: func(t *testing.T) {
			put(t, dir, part, flip(good[part].Body, len(good[part].Body)/2))
		}},
		{name: "a flipped byte of a document that is not JSON", route: "/tombstones.ndjson", what: "other bytes", spoil: func(t *testing.T) {
			put(t, dir, "tombstones.ndjson", flip(good["tombstones.ndjson"].Body, 20))
		}},
		{name: "a torn page", route: "/api/v1/entries/" + id, what: "is not JSON", spoil: func(t *testing.T) {
			put(t, dir, page, []byte(good[page].Body[:1000]))
		}},
		{name: "a missing file", route: "/api/v1/entries/" + id + "/checks", what: "cannot be read", spoil: func(t *testing.T) {
			remove(t, dir, part)
		}},
		{name: "a missing page, against the earlier site", before: true, route: "/api/v1/entries/" + id, what: "cannot be read", spoil: func(t *testing.T) {
			remove(t, dir, page)
		}},
		{name: "another file under the second name", route: "/api/v1/entries/" + slug, what: "other bytes", spoil: func(t *testing.T) {
			put(t, dir, "api/v1/entries/"+slug+"/index.json", []byte(good["api/v1/entries/index.json"].Body))
		}},
		{name: "an extra directory", dirOnly: true, route: "/api/v1/entries/nobody/index.json", what: "no route explains", spoil: func(t *testing.T) {
			put(t, dir, "api/v1/entries/nobody/index.json", []byte("{}"))
		}},
		{name: "an extra file beside a page", dirOnly: true, route: "/api/v1/entries/" + id + "/index.html", what: "no route explains", spoil: func(t *testing.T) {
			put(t, dir, "api/v1/entries/"+id+"/index.html", []byte("<p>"))
		}},
		{name: "a wrong sibling", dirOnly: true, route: "/routes.ndjson.zst", what: "other bytes than its document", spoil: func(t *testing.T) {
			put(t, dir, "routes.ndjson.zst", []byte(good["routes.ndjson.gz"].Body))
		}},
		{name: "a sibling with a broken check sum", dirOnly: true, route: "/routes.ndjson.gz", what: "other bytes than its document", spoil: func(t *testing.T) {
			put(t, dir, "routes.ndjson.gz", flip(good["routes.ndjson.gz"].Body, len(good["routes.ndjson.gz"].Body)-6))
		}},
		{name: "a sibling that breaks off", dirOnly: true, route: "/routes.ndjson.gz", what: "other bytes than its document", spoil: func(t *testing.T) {
			put(t, dir, "routes.ndjson.gz", []byte(strings.TrimSuffix(good["routes.ndjson.gz"].Body, good["routes.ndjson.gz"].Body[len(good["routes.ndjson.gz"].Body)-4:])))
		}},
		{name: "a forged body", route: "/api/v1/entries/" + id + "/checks", what: "answer_sha256 does not match", spoil: func(t *testing.T) {
			replaceRoute(t, dir, "/api/v1/entries/"+id+"/checks", []byte(strings.Replace(good[part].Body, `"total":`, `"tota1":`, 1)))
		}},
		{name: "a forged row count", route: "/api/v1/entries/" + id + "/checks", what: "row_count is", spoil: func(t *testing.T) {
			replaceRoute(t, dir, "/api/v1/entries/"+id+"/checks", []byte(strings.Replace(good[part].Body, `"row_count":`, `"row_count":9`, 1)))
		}},
		{name: "a dead link", route: "/api/v1/entries", what: "dead link to /assay/s/20000101-000000000000/api/v1/entries/pages/2", spoil: func(t *testing.T) {
			replaceRoute(t, dir, "/api/v1/entries", reseal(t, good["api/v1/entries/index.json"].Body, func(s string) string {
				i := strings.Index(s, `"next":"`) + len(`"next":"`)
				return s[:i] + "/assay/s/20000101-000000000000/api/v1/entries/pages/2" + s[i+strings.IndexByte(s[i:], '"'):]
			}))
		}},
		{name: "a reference to nobody", route: "/api/v1/entries", what: "dead link to /assay/api/v1/entries/nobody", spoil: func(t *testing.T) {
			replaceRoute(t, dir, "/api/v1/entries", reseal(t, good["api/v1/entries/index.json"].Body, func(s string) string {
				i := strings.Index(s, `"slug":"`) + len(`"slug":"`)
				return s[:i] + "nobody" + s[i+strings.IndexByte(s[i:], '"'):]
			}))
		}},
		{name: "a wrong class sum", route: "/snapshot.json", what: "the sum of class entry does not match", spoil: func(t *testing.T) {
			var head wire.SnapshotPage
			decode(t, []byte(good["snapshot.json"].Body), &head)
			for i := range head.Artefacts {
				if head.Artefacts[i].Class == "entry" {
					head.Artefacts[i].SHA256 = sum(nil)
				}
			}
			b, _ := json.Marshal(head)
			put(t, dir, "snapshot.json", b)
		}},
		{name: "a class that is not named", route: "/snapshot.json", what: "does not name the class", spoil: func(t *testing.T) {
			var head wire.SnapshotPage
			decode(t, []byte(good["snapshot.json"].Body), &head)
			head.Artefacts = head.Artefacts[1:]
			b, _ := json.Marshal(head)
			put(t, dir, "snapshot.json", b)
		}},
		{name: "a route that stands twice", route: "/openapi.json", what: "stands twice", spoil: func(t *testing.T) {
			for line := range strings.Lines(good["routes.ndjson"].Body) {
				if strings.Contains(line, `"/openapi.json"`) {
					put(t, dir, "routes.ndjson", []byte(good["routes.ndjson"].Body+line))
				}
			}
		}},
		{name: "an entry that vanished", before: true, route: "/api/v1/entries/00000000-0000-5000-8000-000000000000", what: "vanished without a tombstone"},
		{name: "published_at that moved", before: true, route: "/api/v1/entries/" + id, what: "published_at moved from", spoil: func(t *testing.T) {
			replaceRoute(t, dir, "/api/v1/entries/"+id, reseal(t, good[page].Body, func(s string) string {
				i := strings.Index(s, `"published_at":"`) + len(`"published_at":"`)
				return s[:i] + "1999-12-31T00:00:00Z" + s[i+len("1999-12-31T00:00:00Z"):]
			}))
		}},
	} {
		for where, pages := range map[string]output.Pages{"dir": output.Dir(dir), "remote": remote} {
			if c.dirOnly && where == "remote" {
				continue
			}
			t.Run(c.name+", "+where, func(t *testing.T) {
				if c.spoil != nil {
					c.spoil(t)
					defer restore(t, dir, good)
				}
				var before output.Pages
				if c.before {
					before = output.Dir(earlier)
					if c.what == "vanished without a tombstone" {
						before = output.Dir(withMore)
					}
				}
				report, err := check.Site(ctx, pages, before, nil)
				if err != nil {
					t.Fatal(err)
				}
				found := c.what == "" && report.FaultCount == 0
				for _, f := range report.Faults {
					found = found || c.what != "" && f.Route == c.route && strings.Contains(f.What, c.what)
				}
				if !found || report.FaultCount < len(report.Faults) {
					t.Errorf("%d faults %v, want %s %s", report.FaultCount, report.Faults, c.route, c.what)
				}
				if c.what == "" && (report.Routes != len(routes(t, dir)) || report.Manifests < 22*7 || report.Links < 22*2) {
					t.Errorf("report %+v", report)
				}
			})
		}
	}
}

// TestCheckCannotRead tells a site that cannot be read from one with faults.
func TestCheckCannotRead(t *testing.T) {
	dir := site(t, entries)
	good, err := buildtest.ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, body := range map[string][]byte{"snapshot.json": []byte("{"), "routes.ndjson": []byte(good["routes.ndjson"].Body[:1000])} {
		put(t, dir, path, body)
		if _, err := check.Site(t.Context(), output.Dir(dir), nil, nil); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("torn %s: error %v", path, err)
		}
		restore(t, dir, good)
	}
	if _, err := check.Site(t.Context(), output.Dir(t.TempDir()), nil, nil); err == nil {
		t.Error("an empty directory is no site")
	}
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer broken.Close()
	if _, err := check.Site(t.Context(), output.Remote{Base: broken.URL, Client: broken.Client()}, nil, nil); err == nil || !strings.Contains(err.Error(), "502") {
		t.Errorf("broken server: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Site(ctx, output.Dir(dir), nil, nil); err == nil {
		t.Error("a cancelled check says nothing")
	}
}
