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
	"sync"
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

// sites are the good sites of each size, built for the first test that asks.
var sites struct {
	sync.Mutex
	dirs map[int]string
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range sites.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// site is a directory with a small good site, of which some documents have siblings. Its files are those of
// other tests, too: put gives a changed one an inode of its own.
func site(t *testing.T, size int) string {
	t.Helper()
	sites.Lock()
	defer sites.Unlock()
	if sites.dirs[size] == "" {
		built := newSite(t, size)
		if sites.dirs == nil {
			sites.dirs = map[int]string{}
		}
		sites.dirs[size] = built
	}
	dir := filepath.Join(t.TempDir(), "site")
	linked(t, sites.dirs[size], dir)
	return dir
}

// linked gives the files of a folder second names in another one.
func linked(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(name, 0o755)
		}
		return os.Link(path, name)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func newSite(t *testing.T, size int) (dir string) {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, err := buildtest.New(ctx, st, size, 1)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "snapshots")
	if dir, err = os.MkdirTemp("", "assay-check-"); err != nil {
		t.Fatal(err)
	}
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

// spoilt is a way to spoil a site, and the fault that the check is to find.
type spoilt struct {
	name        string
	spoil       func(t *testing.T)
	route, what string
	// dirOnly are faults that are not seen over the network.
	dirOnly bool
}

// TestCheckFinds puts faults into a good tree, each into documents of its own: one look finds all of them, in the
// directory and over the network. Of the good tree it says nothing.
func TestCheckFinds(t *testing.T) {
	dir := site(t, tombstones)
	good, err := buildtest.ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	remote, earlier := serve(t, dir), filepath.Join(t.TempDir(), "earlier")
	linked(t, dir, earlier)
	for name, c := range map[string]struct{ pages, before output.Pages }{
		"nothing": {output.Dir(dir), nil}, "nothing, against itself": {remote, output.Dir(earlier)},
	} {
		r, err := check.Site(t.Context(), c.pages, c.before, nil)
		if err != nil || r.FaultCount > 0 || r.Routes != len(routes(t, dir)) || r.Manifests < 22*7 || r.Links < 22*2 {
			t.Errorf("%s: %v, report %+v", name, err, r)
		}
	}
	put(t, earlier, "routes.ndjson", []byte(good["routes.ndjson"].Body+
		`{"route":"/api/v1/entries/00000000-0000-5000-8000-000000000000","type":"application/json; charset=utf-8","class":"entry","sha256":"","bytes":1}`+"\n"))
	faults := faultsOf(dir, good, twoNames(t, dir))
	for i := range faults {
		if faults[i].spoil != nil {
			faults[i].spoil(t)
		}
	}
	for where, pages := range map[string]output.Pages{"dir": output.Dir(dir), "remote": remote} {
		r, err := check.Site(t.Context(), pages, output.Dir(earlier), nil)
		if err != nil || r.FaultCount > len(r.Faults) {
			t.Fatalf("%d faults, %d of them told, %v", r.FaultCount, len(r.Faults), err)
		}
		for i := range faults {
			c := &faults[i]
			if !(c.dirOnly && where == "remote") && !found(r, c.route, c.what) {
				t.Errorf("%s, %s: %d faults %v, want %s %s", c.name, where, r.FaultCount, r.Faults, c.route, c.what)
			}
		}
	}
}

// named is an entry by its id and its slug.
type named struct{ id, slug string }

// twoNames are the entries of a site.
func twoNames(t *testing.T, dir string) (list []named) {
	t.Helper()
	for _, l := range routes(t, dir) {
		if l.Class == "entry" && l.SameAs != "" {
			list = append(list, named{l.SameAs[strings.LastIndexByte(l.SameAs, '/')+1:], l.Route[strings.LastIndexByte(l.Route, '/')+1:]})
		}
	}
	if len(list) < 15 {
		t.Fatalf("%d entries", len(list))
	}
	return list
}

// reseal changes a document that has a manifest, and makes its hashes right again.
func reseal(t *testing.T, body []byte, change func(string) string) []byte {
	t.Helper()
	i := bytes.LastIndex(body, []byte(`,"manifest":`))
	b, err := wire.SealBytes([]byte(change(string(body[:i]))+"}"), time.Unix(0, 0), false)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// faultsOf are faults that leave each other alone, in their order.
func faultsOf(dir string, good buildtest.Tree, entries []named) []spoilt {
	page := func(n int) string { return "api/v1/entries/" + entries[n].id + "/index.json" }
	part := func(n int) string { return "api/v1/entries/" + entries[n].id + "/checks/index.json" }
	route := func(path string) string { return "/" + strings.TrimSuffix(path, "/index.json") }
	// after is a change of what follows a mark in the list of entries.
	after := func(mark, with string) func(*testing.T) {
		return func(t *testing.T) {
			replaceRoute(t, dir, "/api/v1/entries", reseal(t, read(t, dir, "api/v1/entries/index.json"), func(s string) string {
				i := strings.Index(s, mark) + len(mark)
				return s[:i] + with + s[i+strings.IndexByte(s[i:], '"'):]
			}))
		}
	}
	head := func(change func(*wire.SnapshotPage)) func(*testing.T) {
		return func(t *testing.T) {
			var page wire.SnapshotPage
			decode(t, read(t, dir, "snapshot.json"), &page)
			change(&page)
			b, err := json.Marshal(page)
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, "snapshot.json", b)
		}
	}
	forged := func(n int, from, to string) func(*testing.T) {
		return func(t *testing.T) {
			replaceRoute(t, dir, route(part(n)), []byte(strings.Replace(good[part(n)].Body, from, to, 1)))
		}
	}
	list := []spoilt{
		{name: "a flipped byte", route: route(part(0)), what: "other bytes", spoil: func(t *testing.T) {
			put(t, dir, part(0), flip(good[part(0)].Body, len(good[part(0)].Body)/2))
		}},
		{name: "a flipped byte of a document that is not JSON", route: "/tombstones.ndjson", what: "other bytes", spoil: func(t *testing.T) {
			put(t, dir, "tombstones.ndjson", flip(good["tombstones.ndjson"].Body, 20))
		}},
		{name: "a torn page", route: route(page(1)), what: "is not JSON", spoil: func(t *testing.T) { put(t, dir, page(1), []byte(good[page(1)].Body[:1000])) }},
		{name: "a missing file", route: route(part(2)), what: "cannot be read", spoil: func(t *testing.T) { remove(t, dir, part(2)) }},
		{name: "a missing page, against the earlier site", route: route(page(3)), what: "cannot be read", spoil: func(t *testing.T) { remove(t, dir, page(3)) }},
		{name: "another file under the second name", route: "/api/v1/entries/" + entries[4].slug, what: "other bytes", spoil: func(t *testing.T) {
			put(t, dir, "api/v1/entries/"+entries[4].slug+"/index.json", []byte(good["api/v1/entries/index.json"].Body))
		}},
		{name: "an extra directory", dirOnly: true, route: "/api/v1/entries/nobody/index.json", what: "no route explains", spoil: func(t *testing.T) {
			put(t, dir, "api/v1/entries/nobody/index.json", []byte("{}"))
		}},
		{name: "an extra file beside a page", dirOnly: true, route: route(page(5)) + "/index.html", what: "no route explains", spoil: func(t *testing.T) {
			put(t, dir, strings.TrimSuffix(page(5), "json")+"html", []byte("<p>"))
		}},
		{name: "a forged body", route: route(part(6)), what: "answer_sha256 does not match", spoil: forged(6, `"total":`, `"tota1":`)},
		{name: "a forged row count", route: route(part(7)), what: "row_count is", spoil: forged(7, `"row_count":`, `"row_count":9`)},
		{name: "a dead link", route: "/api/v1/entries", what: "dead link to /assay/s/20000101-000000000000/api/v1/entries/pages/2",
			spoil: after(`"next":"`, "/assay/s/20000101-000000000000/api/v1/entries/pages/2")},
		{name: "a reference to nobody", route: "/api/v1/entries", what: "dead link to /assay/api/v1/entries/nobody", spoil: after(`"slug":"`, "nobody")},
		{name: "published_at that moved", route: route(page(8)), what: "published_at moved from", spoil: func(t *testing.T) {
			replaceRoute(t, dir, route(page(8)), reseal(t, []byte(good[page(8)].Body), func(s string) string {
				i := strings.Index(s, `"published_at":"`) + len(`"published_at":"`)
				return s[:i] + "1999-12-31T00:00:00Z" + s[i+len("1999-12-31T00:00:00Z"):]
			}))
		}},
		{name: "an entry that vanished", route: "/api/v1/entries/00000000-0000-5000-8000-000000000000", what: "vanished without a tombstone"},
		// What follows stands when routes.ndjson is not written again.
		{name: "a wrong class sum", route: "/snapshot.json", what: "the sum of class entry does not match", spoil: head(func(p *wire.SnapshotPage) {
			i := slices.IndexFunc(p.Artefacts, func(a wire.ArtefactClass) bool { return a.Class == "entry" })
			p.Artefacts[i].SHA256 = sum(nil)
		})},
		{name: "a class that is not named", route: "/snapshot.json", what: "does not name the class", spoil: head(func(p *wire.SnapshotPage) {
			p.Artefacts = slices.DeleteFunc(p.Artefacts, func(a wire.ArtefactClass) bool { return a.Class == "feed" })
		})},
		{name: "a route that stands twice", route: "/openapi.json", what: "stands twice", spoil: func(t *testing.T) {
			body := read(t, dir, "routes.ndjson")
			for line := range bytes.Lines(slices.Clone(body)) {
				if bytes.Contains(line, []byte(`"/openapi.json"`)) {
					body = append(body, line...)
				}
			}
			put(t, dir, "routes.ndjson", body)
		}},
	}
	return append(list, siblingFaults(dir, good)...)
}

// siblingFaults are faults of the compressed copies beside documents, each of another document.
func siblingFaults(dir string, good buildtest.Tree) (list []spoilt) {
	var documents []string
	for path := range good {
		zip, zipped := strings.CutSuffix(path, ".gz")
		if _, plain := good[zip]; zipped && plain && good[zip+".zst"].Body != "" && zip != "routes.ndjson" && zip != "tombstones.ndjson" {
			documents = append(documents, zip)
		}
	}
	slices.Sort(documents)
	for i, c := range []struct {
		name, ext string
		bytes     func(zip string) []byte
	}{
		{"a wrong sibling", ".zst", func(zip string) []byte { return []byte(zip) }},
		{"a sibling with a broken check sum", ".gz", func(zip string) []byte { return flip(zip, len(zip)-6) }},
		{"a sibling that breaks off", ".gz", func(zip string) []byte { return []byte(zip[:len(zip)-4]) }},
	} {
		path := documents[i]
		list = append(list, spoilt{name: c.name, dirOnly: true, route: "/" + path + c.ext, what: "other bytes than its document", spoil: func(t *testing.T) {
			put(t, dir, path+c.ext, c.bytes(good[path+".gz"].Body))
		}})
	}
	return list
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
