package check

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
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
	if _, err := Site(t.Context(), &flood{snapshot: `{"base_url":"` + strings.Repeat("a", snapshotMax) + `"}`, text: line}, nil, nil); err == nil || !strings.Contains(err.Error(), "/snapshot.json: is longer than 1 MiB") {
		t.Errorf("a long snapshot.json: %v", err)
	}
}

// liar is a site with a list of many routes, none of which it has. It looks at the memory
// whenever the list is read to its end.
type liar struct {
	lines int
	// most is the most memory that was in use then.
	most uint64
}

// reading yields the lines of the list.
type reading struct {
	*liar
	line int
	rest []byte
}

func (l *liar) Open(_ context.Context, route, _ string) (io.ReadCloser, error) {
	switch route {
	case "/snapshot.json":
		return io.NopCloser(strings.NewReader(fmt.Sprintf(`{"artefacts":[{"class":"entry","files":%d}]}`, l.lines))), nil
	case "/routes.ndjson":
		return io.NopCloser(&reading{liar: l}), nil
	}
	return nil, fs.ErrNotExist
}

func (r *reading) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.line == r.lines {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			r.most = max(r.most, m.HeapAlloc)
			return 0, io.EOF
		}
		r.rest = fmt.Appendf(nil, `{"route":"/api/v1/entries/%040d","type":"application/json","class":"entry","sha256":"%064x","bytes":1}`+"\n", r.line, r.line)
		r.line++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestCheckOfALongList: the memory does not grow with a list, and all of it is checked.
func TestCheckOfALongList(t *testing.T) {
	const limit = 1 << 10
	took := func(lines int) uint64 {
		site := &liar{lines: lines}
		c := newChecker(t.Context(), site)
		c.routes.limit = limit
		defer c.routes.close()
		err := c.site(t.Context(), site, nil, func(string, int, int) {})
		if err != nil || c.report.FaultCount < lines {
			t.Errorf("%d faults of %d routes, %v", c.report.FaultCount, lines, err)
		}
		return site.most
	}
	few, many := took(2*limit), took(20*limit)
	if grown := int64(many) - int64(few); grown > 512<<10 {
		t.Errorf("a list of %d lines takes %d KiB more than one of %d", 20*limit, grown>>10, 2*limit)
	}
}

// TestListing: what was added is found wherever it lies, the first of those with one name.
func TestListing(t *testing.T) {
	for _, limit := range []int{1, 2, 63, 64, 65, 1000, 5000} {
		l := &listing{limit: limit}
		for n := range 2000 {
			if err := l.add(fmt.Sprint("/", n%1500), [32]byte{byte(n), byte(n >> 8)}); err != nil {
				t.Fatal(err)
			}
		}
		l.seal()
		for n := range 1500 {
			if found := l.find(fmt.Sprint("/", n)); found == nil || found.line != uint64(n)+1 || found.sum != [32]byte{byte(n), byte(n >> 8)} {
				t.Fatalf("limit %d: /%d is %+v", limit, n, found)
			}
		}
		if found := l.find("/1500"); found != nil || l.err != nil {
			t.Errorf("limit %d: a route that is not there is %+v, %v", limit, found, l.err)
		}
		if err := l.close(); err != nil {
			t.Error(err)
		}
		if limit < 1000 && (len(l.runs) == 0 || l.find("/1") != nil || l.err == nil) {
			t.Errorf("limit %d: a file that is gone is no error", limit)
		}
	}
}

// TestWhatIsHeldIsBounded: each thing that is held of a page, or of all, has its bound.
func TestWhatIsHeldIsBounded(t *testing.T) {
	long := func(n int) io.Reader { return io.LimitReader(spaces{}, int64(n)) }
	c := newChecker(t.Context(), nil)
	check := func(want string) {
		t.Helper()
		if f := c.report.Faults; len(f) != 1 || !strings.Contains(f[0].What, want) {
			t.Errorf("%v, want %q", f, want)
		}
		c.report = Report{}
	}
	c.checkHTML(&wire.RouteLine{Route: "/a"}, io.MultiReader(strings.NewReader("<p "), long(htmlMax)))
	check("is longer than 16 MiB")
	c.checkFormat(&wire.RouteLine{Route: "/a", Type: wire.MediaAtom, Bytes: feedMax + 1}, long(1))
	check("is longer than 8 MiB")
	if isJSON(io.MultiReader(strings.NewReader(`"`), long(readMax), strings.NewReader(`"`))) {
		t.Error("a JSON string of 64 MiB was held")
	}
	c.room = 1000
	for i := range 20 {
		c.checkHTML(&wire.RouteLine{Route: fmt.Sprint("/a", i)}, strings.NewReader(`<p id="somewhere">`))
	}
	if err := c.crowded(); err == nil || !strings.Contains(err.Error(), "more than 512 MiB") {
		t.Errorf("places without an end: %v", err)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
