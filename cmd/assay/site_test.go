package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/render/wire"
)

// bothForms are the small sample as snapshot files, and as a directory beside them, which no test changes.
func bothForms(t *testing.T) (www, file string) {
	t.Helper()
	from, _ := smallSite(t)
	dir := smallForms.folder(t, func(dir string) {
		at := sample.Instant.Format("2006-01-02T15:04:05Z07:00")
		must(t, "build", "--db", storeLike(t, from), "--at", at, "--site", filepath.Join(dir, "file"), "--out", filepath.Join(dir, "www"))
	})
	return filepath.Join(dir, "www"), filepath.Join(dir, "file")
}

// TestSnapshotCommands lists, prints and unpacks a snapshot file; what was unpacked
// is the directory without the compressed forms.
func TestSnapshotCommands(t *testing.T) {
	t.Parallel()
	www, file := bothForms(t)
	list := must(t, "snapshot", "ls", file, "/api/v1/entries")
	want, err := os.ReadFile(filepath.Join(www, "api/v1/entries/index.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t, "snapshot", "cat", file, "/api/v1/entries"); got != string(want) || !strings.Contains(list, " /api/v1/entries  ") {
		t.Errorf("%d bytes, not %d: %.80s; %.200s", len(got), len(want), got, list)
	}
	if info := must(t, "snapshot", "info", file); !strings.Contains(info, "documents of") {
		t.Errorf("info: %s", info)
	}
	out := filepath.Join(t.TempDir(), "www")
	must(t, "snapshot", "unpack", file, out)
	err = output.EachRoute(t.Context(), output.Dir(www), func(l *wire.RouteLine) error {
		a, err := readAll(t, output.Dir(www), l)
		b, other := readAll(t, output.Dir(out), l)
		if err != nil || other != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v, %v", l.Route, err, other)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"cat", file, "/nothing"}, {"unpack", file, out}, {"info", www}} {
		if code, _, stderr := assay(t, append([]string{"snapshot"}, args...)...); code != 1 || !strings.Contains(stderr, "assay: ") {
			t.Errorf("%q: exit %d, %s", args, code, stderr)
		}
	}
}

func readAll(t *testing.T, p output.Pages, l *wire.RouteLine) ([]byte, error) {
	t.Helper()
	f, err := p.Open(t.Context(), l.Route, l.Type)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
