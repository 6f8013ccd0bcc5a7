package publish

import (
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// flood is a site whose list of routes goes on and on: no test waits for its end,
// which is far behind what a check may read.
type flood struct {
	snapshot, text string
	read           int
}

const floodEnd = 64 << 20

func (f *flood) Open(_ context.Context, route, _ string) (io.ReadCloser, error) {
	switch route {
	case "/snapshot.json":
		return io.NopCloser(strings.NewReader(f.snapshot)), nil
	case "/routes.ndjson":
		return io.NopCloser(f), nil
	}
	return nil, fs.ErrNotExist
}

func (f *flood) Read(p []byte) (int, error) {
	if f.read >= floodEnd {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		n += copy(p[n:], f.text[(f.read+n)%len(f.text):])
	}
	f.read += n
	return n, nil
}

// TestCheckOfAFlood: what a stranger's site lists is bounded by what it counts.
func TestCheckOfAFlood(t *testing.T) {
	const counts = `{"base_url":"https://register.example","artefacts":[{"class":"entry","files":100},{"class":"page","files":-5}]}`
	line := `{"route":"/a","type":"text/html","class":"page","sha256":"` + strings.Repeat("0", 64) + `","bytes":1}` + "\n"
	for _, c := range []struct{ name, snapshot, text, want string }{
		{"lines", counts, line, "has more than 1000 lines"},
		{"many", strings.Replace(counts, "100", "200", 1), line, "has more than 1600 lines"},
		{"no count", `{"base_url":"https://register.example"}`, line, "has more than 1000 lines"},
		{"one line", counts, `{"route":"/aaaaaaaaaaaaaaaa`, "line 1 is longer than 16 KiB"},
		{"no JSON", counts, "<p>An error page</p>\n", "line 1: invalid character"},
	} {
		site := &flood{snapshot: c.snapshot, text: c.text}
		_, err := Check(t.Context(), site, nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if site.read > 1<<20 {
			t.Errorf("%s: %d bytes of the list were read", c.name, site.read)
		}
	}
	if _, err := Check(t.Context(), &flood{snapshot: `{"base_url":"` + strings.Repeat("a", readMax) + `"}`, text: line}, nil, nil); err == nil || !strings.Contains(err.Error(), "/snapshot.json: is longer than 64 MiB") {
		t.Errorf("a long snapshot.json: %v", err)
	}
}

// TestRemoteIsBounded: a page that is cut would be taken for a short one.
func TestRemoteIsBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "0123456789") }))
	t.Cleanup(server.Close)
	page, err := Remote{Base: server.URL, Client: server.Client()}.Open(t.Context(), "/a", "text/plain")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	page.(*bounded).left = 10
	if all, err := io.ReadAll(page); err != nil || string(all) != "0123456789" {
		t.Errorf("read %s, %v", all, err)
	}
	if _, err := io.ReadAll(&bounded{io.NopCloser(strings.NewReader("0123456789")), 9}); err == nil || !strings.Contains(err.Error(), "longer than 1024 MiB") {
		t.Errorf("a longer page: %v", err)
	}
}
