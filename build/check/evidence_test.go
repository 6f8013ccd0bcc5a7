package check_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

func newEvidence(t *testing.T, n int) *evidence { return newEvidenceWith(t, n, "a") }

func newEvidenceWith(t *testing.T, n int, key string) *evidence {
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
	e := &evidence{key: testKey(t, key)}
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
	n := 80
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
	if v, err := bundle.Verify(good); err != nil || len(v.Open) != 3 {
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
	r := newRefused(t)
	for name, c := range map[string]struct {
		file, from, to, want string
	}{
		"page":       {bundle.EntryFile, `"name":"`, `"name":"X`, "entry.json has other bytes than the snapshot binds: it was changed"},
		"scores":     {bundle.QualityFile, `"mqa_score":`, `"mqa_score":1`, "quality-score.json has other bytes than the snapshot binds: it was changed"},
		"checks":     {bundle.ChecksFile, `{`, `{ `, "checks.json has other bytes than the snapshot binds: it was changed"},
		"provenance": {bundle.ProvenanceFile, `"derived":true`, `"derived":false`, "provenance.json has other bytes than the snapshot binds: it was changed"},
		"rules":      {bundle.RulesFile, `"weight":25`, `"weight":26`, "rules.json has other bytes than the snapshot binds: it was changed"},
		"sum":        {bundle.DocumentsFile, `"sha256":"`, `"sha256":"0`, "documents.json does not lead to the root of the documents that snapshot.json names"},
		"place":      {bundle.DocumentsFile, `"index":`, `"index":1`, "documents.json does not lead to the root of the documents that snapshot.json names"},
		"huge place": {bundle.DocumentsFile, `"index":`, `"index":9999999999999999999`, "documents.json"},
		"more":       {bundle.DocumentsFile, `{`, `{"more":1,`, "documents.json has more than"},
		"leaf":       {bundle.ProofFile, `\"version\":1`, `\"version\": 1`, "was changed, or never logged"},
		"member":     {bundle.ProofFile, `{`, `{"more":1,`, "log/proof.json has more than"},
		"other":      {bundle.ProofFile, `"entry":"`, `"entry":"0`, "log/proof.json is about"},
		"signature":  {bundle.HeadFile, `\n\n— register`, `\n\n— registeR`, "log/head.json: "},
		"head":       {bundle.SnapshotFile, `"entries":`, `"entries":1`, "log/head.json does not name the snapshot"},
		"root":       {bundle.SnapshotFile, `"root_sha256":"`, `"root_sha256":"00`, "snapshot.json"},
		"register":   {bundle.SnapshotFile, `"base_url":"https://`, `"base_url":"https://x`, "bundle.json is of the register"},
		"key":        {bundle.KeysFile, `log.key\",\"version\":1`, `log.key\",\"version\": 1`, "log/keys.json: "},
		"no key":     {bundle.KeysFile, `"leaves":[`, `"leaves":[],"x":[`, "log/keys.json"},
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
		r.add(name, b.Bytes(), c.want)
	}
	r.askScript()
}

// TestEachByteOfABundle: no byte of a member can be changed, but for those of the record, which is held
// by its own hash, though the manifest is made to fit.
func TestEachByteOfABundle(t *testing.T) {
	e := newEvidence(t, 12)
	good := e.bundle(t, e.ids[0])
	m, err := bundle.Read(good)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 10 {
		t.Fatalf("the bundle has %d files", len(m.Files))
	}
	dir, changed := t.TempDir(), 0
	for i := range m.Files {
		f := &m.Files[i]
		whole := f.Body
		for n := range 24 {
			f.Body = bytes.Clone(whole)
			f.Body[len(whole)*(2*n+1)/48] ^= 1 << (n % 6)
			var b bytes.Buffer
			if err := bundle.Write(&b, *m); err != nil {
				t.Fatal(err)
			}
			if _, err := bundle.Verify(b.Bytes()); err == nil {
				t.Errorf("%s: byte %d can be changed", f.Name, len(whole)*(2*n+1)/48)
			}
			changed++
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.zip", strings.ReplaceAll(f.Name, "/", "-"), n)), b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f.Body = whole
	}
	var said bytes.Buffer
	cmd := exec.Command("node", "../../.ci/node/verify-bundles.mjs", "../../site/assets", dir)
	cmd.Stderr = &said
	if out, err := cmd.Output(); err == nil || len(out) > 0 || bytes.Count(said.Bytes(), []byte(".zip: ")) != changed {
		t.Errorf("the script refuses %d of %d, and verifies\n%s", bytes.Count(said.Bytes(), []byte(".zip: ")), changed, out)
	}
}

// TestBundleOfAnotherRegister: neither the log nor the documents of another register fit.
func TestBundleOfAnotherRegister(t *testing.T) {
	a, b := newEvidence(t, 12), newEvidenceWith(t, 13, "b")
	one, err := bundle.Read(a.bundle(t, a.ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	two, err := bundle.Read(b.bundle(t, b.ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := translog.Verifiers(a.key.Public)
	if err != nil {
		t.Fatal(err)
	}
	for i := range one.Files {
		if f := &one.Files[i]; strings.HasPrefix(f.Name, "log/") {
			f.Body = two.Body(f.Name)
		}
	}
	var out bytes.Buffer
	if err := bundle.Write(&out, *one); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Verify(out.Bytes()); err == nil || !strings.Contains(err.Error(), "log/head.json does not name the snapshot") {
		t.Errorf("the log of another register: %v", err)
	}
	if _, err := bundle.Verify(out.Bytes(), keys...); err == nil || !strings.Contains(err.Error(), "log/head.json: ") {
		t.Errorf("the log of another register, with the key of this one: %v", err)
	}
	one.Files = slices.DeleteFunc(one.Files, func(f bundle.File) bool { return strings.HasPrefix(f.Name, "log/") })
	out.Reset()
	if err := bundle.Write(&out, *one); err != nil {
		t.Fatal(err)
	}
	if v, err := bundle.Verify(out.Bytes()); err != nil || len(v.Open) < 2 {
		t.Errorf("without a log: %+v, %v", v, err)
	}
	if _, err := bundle.Verify(out.Bytes(), keys...); err == nil || !strings.Contains(err.Error(), "has no log/proof.json") {
		t.Errorf("a log that was taken out: %v", err)
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
	packed := func(name string, body []byte) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(body)
		}
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	many := bytes.Buffer{}
	z = zip.NewWriter(&many)
	for i := range 65 {
		if _, err := z.Create(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	bomb := packed(bundle.EntryFile, make([]byte, 200<<20))
	if len(bomb) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	whole := packed(bundle.ManifestFile, []byte(`{"version":1}`))
	r := newRefused(t)
	// What both say of a file, "" where they have words of their own.
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"nothing": {nil, ""}, "text": {[]byte("PK"), ""}, "long": {make([]byte, bundle.Max+1), "more than 16 MiB"},
		"twice": {twice.Bytes(), "entry.json is there twice"}, "bomb": {bomb, "entry.json is longer than 8 MiB"}, "many": {many.Bytes(), "65 files"},
		"path": {packed("../../etc/passwd", nil), `"../../etc/passwd" is none of`}, "absolute": {packed("/entry.json", nil), `"/entry.json" is none of`},
		"prototype": {packed("constructor", nil), `"constructor" is none of`},
		"cut off":   {whole[:len(whole)-10], ""}, "cut off early": {whole[:len(whole)/2], ""},
		"no manifest": {packed(bundle.EntryFile, []byte("{}")), "bundle.json"},
		"huge number": {packed(bundle.ManifestFile, []byte(`{"version":1e999}`)), "bundle.json"},
		"no object":   {packed(bundle.ManifestFile, []byte("null\n")), "bundle.json"},
		"no list":     {packed(bundle.ManifestFile, []byte(`{"version":1,"base_url":"","entry_id":"","snapshot":"","files":1}`+"\n")), "bundle.json"},
	} {
		r.add(name, c.b, c.want)
	}
	r.askScript()
}

// refused are files that are no bundles, which Go and the script of the site refuse in the same words.
type refused struct {
	t   *testing.T
	dir string
	// want are the words by file, "" where both have their own.
	want map[string]string
}

func newRefused(t *testing.T) *refused { return &refused{t, t.TempDir(), map[string]string{}} }

// add asks Go, and keeps a file for the script.
func (r *refused) add(name string, b []byte, want string) {
	r.t.Helper()
	if _, err := bundle.Verify(b); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "%!") {
		r.t.Errorf("%s: %v, want %s", name, err, want)
	}
	file := strings.ReplaceAll(name, " ", "-") + ".zip"
	r.want[file] = want
	if err := os.WriteFile(filepath.Join(r.dir, file), b, 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *refused) askScript() {
	r.t.Helper()
	out, err := exec.Command("node", "../../.ci/node/verify-bundles.mjs", "../../site/assets", r.dir).CombinedOutput()
	if err == nil {
		r.t.Error("the script verified what is no bundle")
	}
	for file, text := range r.want {
		found := false
		for line := range strings.Lines(string(out)) {
			found = found || strings.HasPrefix(line, file+": ") && strings.Contains(line, text)
		}
		if !found {
			r.t.Errorf("the script says of %s (%s)\n%s", file, text, out)
		}
	}
}
