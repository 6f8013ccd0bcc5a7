package tree

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query"
)

// makeTree makes a tree of files that are old enough to be remembered.
func makeTree(t *testing.T, budget int64, files map[string]string) *Tree {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		write(t, filepath.Join(dir, path), text, time.Hour)
	}
	return New(dir, query.NewLibrary(dir, slog.New(slog.DiscardHandler)), budget)
}

func write(t *testing.T, path, text string, age time.Duration) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if at := time.Now().Add(-age); os.Chtimes(path, at, at) != nil {
		t.Fatal("the time of a file cannot be set")
	}
}

// ask asks for a route; header holds names and values in turn.
func (t *Tree) ask(tb testing.TB, method, route string, header ...string) *httptest.ResponseRecorder {
	tb.Helper()
	r := httptest.NewRequest(method, route, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	w.Header().Set("X-Request-Id", "of this one")
	if err := t.Serve(w, r); err != nil {
		w.Code = http.StatusNotFound
	}
	return w
}

// text is the answer as Recall returns it.
func text(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	h := w.Header().Clone()
	h.Del("X-Request-Id")
	h.Write(&b)
	return b.String() + w.Body.String()
}

func TestRecall(t *testing.T) {
	page := "<p>" + strings.Repeat("text ", 1000)
	tr := makeTree(t, Budget, map[string]string{"a.txt": page, "dir/index.html": page, "api/x/index.json": page, "x.png": "png", "api/v1/export/a.csv.gz": "coded"})
	for _, c := range []struct{ route, coding string }{
		{"/a.txt", ""}, {"/a.txt", "br"}, {"/a.txt", "gzip, br;q=0.1"}, {"/dir", ""}, {"/api/x", "zstd"}, {"/x.png", ""},
	} {
		if tr.Recall(c.route, "", c.coding) != nil {
			t.Errorf("%v: recalled before it was asked for", c)
		}
		var want string
		for range 3 {
			want = text(tr.ask(t, "GET", c.route, "Accept-Encoding", c.coding))
		}
		got := tr.Recall(c.route, "text/html", c.coding)
		if got == nil || string(got.Fields)+string(got.Body) != want {
			t.Errorf("%v: %+v, want %.300s", c, got, want)
		}
	}
	if tr.Recall("/x.png", "", "br") == nil {
		t.Error("what has no other coding is not recalled for all")
	}
	for _, route := range []string{"/a.txt/", "/dir/", "/dir/index.html", "//dir", "/api/x/index.json", "/api", "", "/"} {
		if tr.Recall(route, "", "") != nil {
			t.Errorf("%s: recalled", route)
		}
	}
}

// TestWhatIsNotRecalled: answers that may be others next time, or say more than
// the content of a file.
func TestWhatIsNotRecalled(t *testing.T) {
	tr := makeTree(t, Budget, map[string]string{"a.txt": "text", "api/v1/export/a.csv.gz": "coded", "both/index.json": "{}", "large.txt": strings.Repeat("x", memoryMax+1)})
	long := strings.Repeat("x", fieldMax+1)
	for range 3 {
		for _, route := range []string{"/api/v1/export/a.csv.gz", "/both", "/large.txt", "/nothing"} {
			tr.ask(t, "GET", route)
			if tr.Recall(route, "", "") != nil {
				t.Errorf("%s is recalled", route)
			}
		}
		tag := tr.ask(t, "HEAD", "/a.txt").Header().Get("Etag")
		tr.ask(t, "GET", "/a.txt", "If-None-Match", tag)
		tr.ask(t, "GET", "/a.txt", "Accept-Encoding", "br", "Accept-Encoding", "gzip")
		tr.ask(t, "GET", "/a.txt", "Accept-Encoding", long)
		for _, coding := range []string{"", "br", "gzip", "brgzip", "br,gzip", long} {
			if tr.Recall("/a.txt", "", coding) != nil {
				t.Errorf("%.10q is recalled", coding)
			}
		}
	}
}

// TestRecallSeesTheDisk: nothing is recalled of a file that was touched, replaced
// or removed.
func TestRecallSeesTheDisk(t *testing.T) {
	tr := makeTree(t, Budget, map[string]string{"a.txt": "0000"})
	path := filepath.Join(tr.disk.dir, "a.txt")
	warm := func() *Again {
		for range 3 {
			tr.ask(t, "GET", "/a.txt")
		}
		return tr.Recall("/a.txt", "", "")
	}
	for i, change := range []func() error{
		func() error { return os.Chtimes(path, time.Time{}, time.Now().Add(-time.Minute)) },
		func() error { return os.Rename(path, path+".old") },
		func() error { write(t, path, "1111", 2*time.Hour); return nil },
		func() error { write(t, path+".new", "2222", 2*time.Hour); return os.Rename(path+".new", path) },
		func() error { os.Remove(path); return os.Mkdir(path, 0o755) },
		func() error { os.Remove(path); return os.Symlink("/etc/passwd", path) },
	} {
		before := warm()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if tr.Recall("/a.txt", "", "") != nil {
			t.Errorf("change %d was not seen; before it: %v", i, before)
		}
	}
	if tr.Recall("/a.txt", "", "") != nil || warm() != nil {
		t.Error("a link out of the tree is recalled")
	}
}

// TestAFewAnswersAreRemembered of each file, within the budget.
func TestAFewAnswersAreRemembered(t *testing.T) {
	const budget = 1 << 16
	tr := makeTree(t, budget, map[string]string{"a.txt": strings.Repeat("text ", 300)})
	for i := range 100 {
		coding := fmt.Sprintf("br, x-%d", i)
		tr.ask(t, "GET", "/a.txt", "Accept-Encoding", coding)
		tr.ask(t, "GET", "/a.txt", "Accept-Encoding", coding)
		if tr.Recall("/a.txt", "", coding) == nil {
			t.Fatalf("%s is not recalled", coding)
		}
	}
	f, ok := tr.files.Get("a.txt")
	if !ok || len(*f.again.Load()) != againMax || tr.Used() > budget {
		t.Errorf("%v, %d answers, %d bytes", ok, len(*f.again.Load()), tr.Used())
	}
	if bare := f.body.Size() + int64(len(f.path)) + 512; tr.Used() <= bare+4*300 {
		t.Errorf("%d bytes are charged, %d of them for the file", tr.Used(), bare)
	}
}

// TestAnswersThatVaryByMore are not remembered: nothing says which one suits.
func TestAnswersThatVaryByMore(t *testing.T) {
	for _, c := range []struct {
		vary []string
		want bool
	}{
		{nil, true}, {[]string{"Accept", "Accept-Encoding"}, true}, {[]string{"Accept, Accept-Language"}, false}, {[]string{"Accept", "Cookie"}, false},
	} {
		tr := makeTree(t, Budget, map[string]string{"a.txt": strings.Repeat("text ", 1000)})
		tr.ask(t, "GET", "/a.txt")
		f, ok := tr.files.Get("a.txt")
		if !ok {
			t.Fatal("the file is not kept")
		}
		r := httptest.NewRequest("GET", "/a.txt", nil)
		tr.remember(f, r, "/a.txt", http.Header{"Vary": c.vary}, nil, tr.see())
		if got := f.again.Load() != nil; got != c.want {
			t.Errorf("%q: remembered %v, want %v", c.vary, got, c.want)
		}
	}
}
