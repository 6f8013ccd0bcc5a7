package check

import (
	"context"
	"io"
	"io/fs"
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
		_, err := Site(t.Context(), site, nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if site.read > 1<<20 {
			t.Errorf("%s: %d bytes of the list were read", c.name, site.read)
		}
	}
	if _, err := Site(t.Context(), &flood{snapshot: `{"base_url":"` + strings.Repeat("a", readMax) + `"}`, text: line}, nil, nil); err == nil || !strings.Contains(err.Error(), "/snapshot.json: is longer than 64 MiB") {
		t.Errorf("a long snapshot.json: %v", err)
	}
}
