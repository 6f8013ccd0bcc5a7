package sample

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/snapshot"
)

type object = map[string]any

// page is a published JSON document.
type page struct{ object }

func (p page) at(path ...string) any {
	var v any = p.object
	for _, key := range path {
		m, _ := v.(object)
		v = m[key]
	}
	return v
}

func (p page) text(path ...string) string { s, _ := p.at(path...).(string); return s }
func (p page) num(path ...string) float64 { n, _ := p.at(path...).(float64); return n }
func (p page) yes(path ...string) bool    { b, _ := p.at(path...).(bool); return b }
func (p page) list(path ...string) []any  { l, _ := p.at(path...).([]any); return l }
func (p page) has(path ...string) bool    { return p.text(path...) != "" || len(p.list(path...)) > 0 }
func (p page) pages(path ...string) (out []page) {
	for _, v := range p.list(path...) {
		m, _ := v.(object)
		out = append(out, page{m})
	}
	return out
}

// site is a built site on disk.
type site struct {
	t    *testing.T
	root string
}

func (s site) read(route string) page {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(route), "index.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	var m object
	if err := json.Unmarshal(b, &m); err != nil {
		s.t.Fatalf("%s: %v", route, err)
	}
	return page{m}
}

// built builds the site of the sample register.
func built(t *testing.T) site {
	t.Helper()
	st, _ := load(t)
	folder, root := filepath.Join(t.TempDir(), "snapshots"), filepath.Join(t.TempDir(), "site")
	_, err := build.Build(context.Background(), st, build.Options{Out: folder, At: Instant, Now: Instant, Workers: runtime.GOMAXPROCS(0), Keep: 1,
		Site: snapshot.Site{BaseURL: "https://register.example", Name: "Sample", License: "CC0-1.0"}}, time.Now)
	if err == nil {
		err = buildtest.Unpack(folder, root)
	}
	if err != nil {
		t.Fatal(err)
	}
	return site{t, root}
}

// ids are those of the published entries.
func (s site) ids() (ids []string) {
	s.t.Helper()
	dirs, err := os.ReadDir(filepath.Join(s.root, "api", "v1", "entries"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, d := range dirs {
		if isID.MatchString(d.Name()) {
			ids = append(ids, d.Name())
		}
	}
	if len(ids) < 150 {
		s.t.Fatalf("only %d entries", len(ids))
	}
	return ids
}
