package check_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/translog"
)

// resign signs the checkpoint by another key.
func resign(t *testing.T, dir string, k translog.Key) {
	t.Helper()
	c, err := translog.Unsigned(read(t, dir, "log/checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := c.Sign([]note.Signer{k}...)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "log/checkpoint", signed)
}

// fork is a register that tells its past another time, with its own key.
func fork(t *testing.T, l *logged, dir string) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "b.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	other, err := buildtest.New(t.Context(), st, 30, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "log")); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "log")
	if _, err := sequence.Run(t.Context(), other.Store, folder, sequence.Options{Keys: l.keys, Now: l.Now.Add(time.Hour), Rubric: score.RubricVersion}); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "log"), os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
}

// drop takes a page and all that names it out of the lists of routes.
func drop(t *testing.T, dir, route string) {
	t.Helper()
	var out bytes.Buffer
	for _, l := range routes(t, dir) {
		if l.Route == route || l.SameAs == route {
			continue
		}
		line, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	put(t, dir, "routes.ndjson", out.Bytes())
}

// signSums signs sums again in which a file has another one.
func signSums(t *testing.T, k translog.Key, signed []byte) []byte {
	t.Helper()
	text, _, _ := strings.Cut(string(signed), "\n\n")
	lines := strings.Split(text, "\n")
	s := translog.Sums{Origin: lines[0], Snapshot: strings.TrimPrefix(lines[1], "snapshot ")}
	found := false
	for _, l := range lines[2:] {
		f := translog.Sum{SHA256: l[:64], Name: l[66:]}
		if strings.HasPrefix(f.Name, "api/v1/export/entries.ndjson") && !found {
			f.SHA256, found = strings.Repeat("0", 64), true
		}
		s.Files = append(s.Files, f)
	}
	if !found {
		t.Fatalf("no sum to change in %s", signed)
	}
	b, err := s.Sign(k)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
