package check_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/bundle"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
)

// evidence is a register of generated entries with its log, and makes bundles of it.
type evidence struct {
	site *output.SnapshotFile
	log  *translog.Log
	key  translog.Key
	ids  []string
}

func newEvidence(t *testing.T, n int) *evidence {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	r, err := buildtest.New(t.Context(), st, n, 11)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Some(t.Context(), n/4); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "site")
	_, err = build.Build(t.Context(), st, build.Options{Out: folder, At: r.Now, Now: time.Now(), Workers: 2, Keep: 1, Record: true,
		Site: snapshot.Site{BaseURL: "https://register.example/assay", Name: "Test", License: "CC0-1.0"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	head, closed, err := sequence.Present(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	e := &evidence{key: testKey(t, "a")}
	if err := head.Each(func(id string, _ time.Time) error { e.ids = append(e.ids, id); return nil }); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(folder, translog.Dir)
	if _, err := sequence.Run(t.Context(), st, dir, sequence.Options{Keys: []translog.Key{e.key}, Head: head, Now: r.Now, Rubric: score.RubricVersion}); err != nil {
		t.Fatal(err)
	}
	if e.log, err = translog.OpenLog(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if e.site, err = output.OpenPresent(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.site.Close() })
	return e
}

func (e *evidence) bundle(t *testing.T, id string) []byte {
	t.Helper()
	b, err := bundle.Make(bundle.Parts{BaseURL: "https://register.example/assay", EntryID: id, Snapshot: e.site.ID, Log: e.log, Read: func(route string) ([]byte, error) {
		in, err := e.site.Document(route)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(in)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// made is what the browser's script made again of a bundle.
type made struct {
	ID      string  `json:"id"`
	MQA     float64 `json:"mqa_score"`
	Tier    string  `json:"mqa_tier"`
	Trust   float64 `json:"trust_score"`
	Ranking float64 `json:"ranking_score"`
	Leaves  int     `json:"leaves"`
}

// TestBundles: the rules as data make the scores of every entry to the last digit, in Go
// and in the script that browsers run, and the log proves each.
func TestBundles(t *testing.T) {
	n := 200
	if os.Getenv("ASSAY_SOAK") != "" {
		n = 11_000 // of which 10,000 are shown
	}
	e := newEvidence(t, n)
	keys, err := translog.Verifiers(e.key.Public)
	if err != nil {
		t.Fatal(err)
	}
	dir, want, bytesOf := t.TempDir(), map[string]made{}, 0
	for _, id := range e.ids {
		b := e.bundle(t, id)
		bytesOf = max(bytesOf, len(b))
		v, err := bundle.Verify(b, keys...)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		want[id] = made{id, v.Scores.MQA, v.Scores.Tier, v.Scores.Trust, v.Scores.Ranking, v.Leaves}
		if err := os.WriteFile(filepath.Join(dir, id+".zip"), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if again := e.bundle(t, e.ids[0]); !bytes.Equal(again, e.bundle(t, e.ids[0])) {
		t.Error("the same evidence has two forms")
	}
	if len(want) < n/2 || bytesOf > 60_000 {
		t.Errorf("%d bundles of at most %d bytes", len(want), bytesOf)
	}
	t.Logf("%d bundles of at most %d bytes", len(want), bytesOf)
	cmd := exec.Command("node", "../../.ci/node/verify-bundles.mjs", "../../site/assets", dir, e.key.Public)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, said.String())
	}
	seen := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); seen++ {
		var got made
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil || got != want[got.ID] {
			t.Errorf("the script says %+v, want %+v, %v", got, want[got.ID], err)
		}
	}
	if seen != len(want) {
		t.Errorf("the script verified %d of %d", seen, len(want))
	}
}

// TestTamperedBundles: what was changed in a bundle is found out, by both.
func TestTamperedBundles(t *testing.T) {
	e := newEvidence(t, 12)
	good := e.bundle(t, e.ids[0])
	if v, err := bundle.Verify(good); err != nil || len(v.Open) < 3 {
		t.Fatalf("%+v, %v", v, err)
	}
	other := testKey(t, "b")
	stranger, err := translog.Verifiers(other.Public)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Verify(good, stranger...); err == nil {
		t.Error("a key that signed nothing is believed")
	}
	dir, want := t.TempDir(), map[string]string{}
	for name, c := range map[string]struct {
		file, from, to, want string
	}{
		"page":   {bundle.EntryFile, `"name":"`, `"name":"X`, "it was changed"},
		"scores": {bundle.QualityFile, `"mqa_score":`, `"mqa_score":1`, "it was changed"},
		"rules":  {bundle.RulesFile, `"weight":25`, `"weight":26`, "by the rules"},
		"leaf":   {bundle.ProofFile, `\"version\":1`, `\"version\": 1`, "was changed, or never logged"},
		"head":   {bundle.SnapshotFile, `"entries":`, `"entries":1`, "does not name the snapshot"},
		"key":    {bundle.KeysFile, `log.key\",\"version\":1`, `log.key\",\"version\": 1`, "was changed, or never logged"},
		"no key": {bundle.KeysFile, `{`, `{"leaves":[],"x":{`, ""},
	} {
		m, err := bundle.Read(good)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Files {
			if f := &m.Files[i]; f.Name == c.file {
				if !bytes.Contains(f.Body, []byte(c.from)) {
					t.Fatalf("%s does not say %s: %.300s", c.file, c.from, f.Body)
				}
				f.Body = bytes.Replace(f.Body, []byte(c.from), []byte(c.to), 1)
			}
		}
		var b bytes.Buffer
		if err := bundle.Write(&b, *m); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Verify(b.Bytes()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		file := strings.ReplaceAll(name, " ", "-") + ".zip"
		want[file] = c.want
		if err := os.WriteFile(filepath.Join(dir, file), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("node", "../../.ci/node/verify-bundles.mjs", "../../site/assets", dir).CombinedOutput()
	if err == nil {
		t.Error("the script verified what was changed")
	}
	for file, text := range want {
		found := false
		for line := range strings.Lines(string(out)) {
			found = found || strings.HasPrefix(line, file+": ") && strings.Contains(line, text)
		}
		if !found {
			t.Errorf("the script says of %s (%s)\n%s", file, text, out)
		}
	}
}

// TestBundleBounds: what is no bundle, or more than one, is an error.
func TestBundleBounds(t *testing.T) {
	var twice bytes.Buffer
	z := zip.NewWriter(&twice)
	for range 2 {
		if _, err := z.Create(bundle.EntryFile); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"nothing": nil, "text": []byte("PK"), "twice": twice.Bytes(), "long": make([]byte, bundle.Max+1)} {
		if _, err := bundle.Verify(b); err == nil {
			t.Errorf("%s is taken for a bundle", name)
		}
	}
}
