package build_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/snapshot"
)

var (
	activity = regexp.MustCompile(`<([^>]+)> a as:(Create|Update|Delete) ;\s+as:object <[^>]*/id/([^>]+)>`)
	payload  = regexp.MustCompile(`(?s)\n<([^>]+)> \{\n(.*?)\n\}\n`)
)

// replay reads the fragments of a feed as a reader does that knows none of them, and gives
// the last payload of each entry that was not deleted.
func replay(t *testing.T, tree buildtest.Tree) (entries map[string]string, fragments map[string]string) {
	t.Helper()
	entries, fragments = map[string]string{}, map[string]string{}
	root := tree["api/v1/ldes/index.ttl"].Body
	days := regexp.MustCompile(`tree:node <https?://[^>]+/(api/v1/ldes/[^>]+)>`)
	seen := map[string]bool{}
	for _, day := range days.FindAllStringSubmatch(root, -1) {
		for _, part := range days.FindAllStringSubmatch(tree[day[1]].Body, -1) {
			if seen[part[1]] {
				continue
			}
			seen[part[1]] = true
			body := tree[part[1]].Body
			if body == "" {
				t.Fatalf("%s leads to %s, which is not there", day[1], part[1])
			}
			fragments[part[1]] = body
			payloads := map[string]string{}
			for _, p := range payload.FindAllStringSubmatch(body, -1) {
				payloads[p[1]] = p[2]
			}
			for _, a := range activity.FindAllStringSubmatch(body, -1) {
				if entries[a[3]] = payloads[a[1]]; a[2] == "Delete" {
					delete(entries, a[3])
				}
			}
		}
	}
	return entries, fragments
}

// replayed holds what a reader of the feed has to the documents of the entries.
func replayed(t *testing.T, what string, tree buildtest.Tree) (fragments map[string]string) {
	t.Helper()
	entries, fragments := replay(t, tree)
	documents := 0
	for path, f := range tree {
		id, ok := strings.CutSuffix(strings.TrimPrefix(path, "id/"), ".ttl")
		if !ok || !strings.HasPrefix(path, "id/") || strings.Contains(id, "/") {
			continue
		}
		documents++
		_, body, _ := strings.Cut(f.Body, "\n\n")
		if strings.TrimSpace(body) != entries[id] {
			t.Errorf("%s: the feed says something else of %s: %.200q, its document is %.2000q", what, id, entries[id], f.Body)
		}
	}
	if documents == 0 || len(entries) != documents {
		t.Errorf("%s: the feed ends with %d entries, the register has %d documents", what, len(entries), documents)
	}
	return fragments
}

// TestFeedOfDCAT: a reader of the feed ends with exactly the register after each build, and
// no fragment ever changes.
func TestFeedOfDCAT(t *testing.T) {
	r := register(t, 120)
	dir := filepath.Join(tempDir(t), "site")
	o := options(dir, r.Now)
	mustBuild(t, r.Store, o)
	before := replayed(t, "first build", readTree(t, dir))
	if len(before) != 2 {
		t.Errorf("%d fragments of 120 entries", len(before))
	}
	for _, kind := range []buildtest.Kind{buildtest.Edit, buildtest.Fail, buildtest.Remove} {
		for range 2 {
			mustChange(t, r, kind)
		}
		r.Now = r.Now.AddDate(0, 0, 1)
		o.At, o.Full = r.Now, kind == buildtest.Remove
		mustBuild(t, r.Store, o)
		tree := readTree(t, dir)
		after := replayed(t, string(kind), tree)
		for path, body := range before {
			if after[path] != body {
				t.Errorf("%s: %s has changed or is gone", kind, path)
			}
		}
		size := 0
		for path, body := range after {
			if before[path] == "" {
				size += len(activity.FindAllString(body, -1))
			}
		}
		if size > 4 || kind != buildtest.Fail && size == 0 {
			t.Errorf("%s of two entries: %d activities", kind, size)
		}
		before = after
	}
	noFaults(t, "at the end", openSite(t, dir), nil)
}

// TestFeedOutlivesTheForm: the first build after a change of the form keeps what the file before has of the
// feed: old versions of entries are nowhere else.
func TestFeedOutlivesTheForm(t *testing.T) {
	const before = "20261121-817e56bc3f40"
	file, err := os.ReadFile("../render/pack/testdata/former.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tempDir(t), "site")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{snapshot.FileOf(before): file, snapshot.PresentFile: []byte(before + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := register(t, 5)
	mustChange(t, r, buildtest.Edit)
	r.Now = r.Now.AddDate(0, 0, 2)
	report, err := build.Build(context.Background(), r.Store, options(dir, r.Now), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	// The file has nothing else, so what the gate compares with is missing.
	if len(report.Problems) != 1 || !strings.Contains(report.Problems[0], "the published snapshot could not be read for comparison") {
		t.Errorf("problems: %q", report.Problems)
	}
	tree := readTree(t, dir)
	fragments := replayed(t, "first build of the form", tree)
	for _, path := range []string{"api/v1/ldes/20261120-f2e0e8293667/1.trig", "api/v1/ldes/20261120-f2e0e8293667/2.trig"} {
		if fragments[path] == "" {
			t.Errorf("%s is gone", path)
		}
	}
	noFaults(t, "first build of the form", openSite(t, dir), nil)
	r.Now = r.Now.AddDate(0, 0, 1)
	mustChange(t, r, buildtest.Edit)
	mustBuild(t, r.Store, options(dir, r.Now))
	for path, body := range replayed(t, "second build of the form", readTree(t, dir)) {
		if fragments[path] != "" && fragments[path] != body {
			t.Errorf("%s has changed", path)
		}
	}
}
