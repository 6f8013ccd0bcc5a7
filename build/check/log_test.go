package check_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// logged is a register that publishes its log, too.
type logged struct {
	*buildtest.Register
	folder, dir string
	keys        []translog.Key
	now         time.Time
}

func testKey(t testing.TB, seed string) translog.Key {
	t.Helper()
	private, err := translog.SeedKey("register.example/assay/log", sha256.Sum256([]byte(seed)))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := translog.ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	return keys[0]
}

func newLogged(t *testing.T) *logged {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	r, err := buildtest.New(t.Context(), st, 8, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := &logged{Register: r, folder: filepath.Join(t.TempDir(), "snapshots"), dir: filepath.Join(t.TempDir(), "site"), keys: []translog.Key{testKey(t, "a")}}
	l.publish(t)
	return l
}

func (l *logged) publish(t *testing.T) {
	t.Helper()
	_, err := build.Build(t.Context(), l.Store, build.Options{Out: l.folder, At: l.Now, Now: time.Now(), Workers: 2, Keep: 3, KeepFor: time.Hour, Record: true,
		Site: snapshot.Site{BaseURL: "https://register.example/assay", Name: "Test", License: "CC0-1.0"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	head, closed, err := sequence.Present(l.folder)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	if _, err := sequence.Run(t.Context(), l.Store, filepath.Join(l.folder, translog.Dir), sequence.Options{Keys: l.keys, Head: head, Now: l.Now, Rubric: score.RubricVersion}); err != nil {
		t.Fatal(err)
	}
	to, err := bucket.OpenDir(l.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if _, err := publish.Publish(t.Context(), to, publish.Site{Root: l.folder, Keys: bucket.ByFile}, publish.Options{Workers: 4, Keep: 3, Now: time.Now(), Unchecked: true}); err != nil {
		t.Fatal(err)
	}
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestTampering: whoever changes what a register said is found out, though every hash of
// the site is right again.
func TestTampering(t *testing.T) {
	l := newLogged(t)
	earlier := copied(t, l.dir)
	if err := l.Some(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	l.publish(t)
	keys, err := translog.Verifiers(l.keys[0].Public)
	if err != nil {
		t.Fatal(err)
	}
	id := anEntry(t, l.dir)
	page := "/api/v1/entries/" + id
	edit := func(route, from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := strings.TrimPrefix(route, "/") + "/index.json"
			if strings.Contains(route, ".") {
				path = strings.TrimPrefix(route, "/")
			}
			body := read(t, dir, path)
			if !bytes.Contains(body, []byte(from)) {
				t.Fatalf("%s does not say %s", route, from)
			}
			replaceRoute(t, dir, route, resealed(t, bytes.Replace(body, []byte(from), []byte(to), 1)))
		}
	}
	for _, c := range []struct {
		name string
		do   func(t *testing.T, dir string)
		want string
	}{
		{"nothing", func(*testing.T, string) {}, ""},
		{"page", edit(page, `"verification_state":"VERIFIED`, `"verification_state":"FAILING`), page + ": shows the state FAILING, the log says VERIFIED"},
		{"score", edit(page, `"mqa_score":`, `"mqa_score":1`), page + ": its scores are not what its documents make: mqa_score is "},
		{"scores of both documents", func(t *testing.T, dir string) {
			edit(page, `"mqa_score":`, `"mqa_score":1`)(t, dir)
			edit(page+"/quality-score", `"mqa_score":`, `"mqa_score":1`)(t, dir)
		}, page + ": its scores are not what its documents make: mqa_score is "},
		{"list", edit("/api/v1/entries", `"name":"`, `"name":"X`), "/api/v1/entries: says of entry "},
		{"export", edit("/api/v1/export/entries.ndjson", `"name":"`, `"name":"X`), "/api/v1/export/entries.ndjson: has other bytes than /log/SHA256SUMS signs"},
		{"snapshot", func(t *testing.T, dir string) {
			put(t, dir, "snapshot.json", append(read(t, dir, "snapshot.json"), '\n'))
		}, "/snapshot.json: has other bytes than the log binds"},
		{"signed sums", func(t *testing.T, dir string) {
			put(t, dir, "log/SHA256SUMS", bytes.Replace(read(t, dir, "log/SHA256SUMS"), []byte("api/v1/export/entries.ndjson\n"), []byte("api/v1/export/entries.ndjsom\n"), 1))
		}, "/log/SHA256SUMS: the signature of the sums"},
		{"sums of another snapshot", func(t *testing.T, dir string) {
			put(t, dir, "log/SHA256SUMS", read(t, earlier, "log/SHA256SUMS"))
		}, "/log/SHA256SUMS: signs the snapshot"},
		{"export beside its sum", func(t *testing.T, dir string) {
			put(t, dir, "log/SHA256SUMS", signSums(t, l.keys[0], read(t, dir, "log/SHA256SUMS")))
		}, "/api/v1/export/entries.ndjson: has other bytes than /log/SHA256SUMS signs"},
		{"key without its forerunner", func(t *testing.T, dir string) {
			put(t, dir, "log/keys.json", []byte(`{"entry":"log.key","leaves":[]}`))
		}, "/log/keys.json: the keys of the log do not follow one another"},
		{"tile", func(t *testing.T, dir string) {
			tile := lastFile(t, filepath.Join(dir, "log/tile/entries"))
			b := read(t, "", tile)
			b[len(b)-3] ^= 1
			put(t, "", tile, b)
		}, "/log/tile/entries/000.p/23: leaf 22: not a leaf of this log"},
		{"readable leaf", func(t *testing.T, dir string) {
			tile := lastFile(t, filepath.Join(dir, "log/tile/entries"))
			put(t, "", tile, bytes.Replace(read(t, "", tile), []byte(`"VERIFIED"`), []byte(`"UNKNOWNX"`), 1))
		}, "/log/tile/0/000.p/23: its hash of leaf "},
		{"tile of hashes", func(t *testing.T, dir string) {
			tile := lastFile(t, filepath.Join(dir, "log/tile/0"))
			b := read(t, "", tile)
			b[5*32] ^= 1
			put(t, "", tile, b)
		}, "/log/tile/0/000.p/23: its hash of leaf 5 is not that of the leaf in /log/tile/entries/000.p/23"},
		{"checkpoint", func(t *testing.T, dir string) {
			put(t, dir, "log/checkpoint", bytes.Replace(read(t, dir, "log/checkpoint"), []byte("\nevents 0"), []byte("\nevents 1"), 1))
		}, "/log/checkpoint: is not signed by the key of the log, " + l.keys[0].Name()},
		{"old key", func(t *testing.T, dir string) { resign(t, dir, testKey(t, "b")) }, "/log/checkpoint: is not signed by the key of the log, " + l.keys[0].Name()},
		{"forked log", func(t *testing.T, dir string) { fork(t, l, dir) }, "/log/checkpoint: the log of 32 leaves is no continuation of that of 14: it was rewritten or forked"},
		{"dropped entry", func(t *testing.T, dir string) { drop(t, dir, page) }, page + ": vanished: the log does not say that it left the register"},
		{"changed rubric", edit(wire.RouteRules, `"rubric_version":"`, `"rubric_version":"9`), wire.RouteRules + ": the rules are of version 9" + score.RubricVersion + ", the log says"},
		{"changed weight", edit(wire.RouteRules, `"weight":25`, `"weight":26`), page + ": its scores are not what its documents make"},
		{"replayed head", func(t *testing.T, dir string) {
			put(t, dir, "snapshot.json", read(t, earlier, "snapshot.json"))
		}, "/snapshot.json: the snapshot " + idOf(t, earlier) + " is not the last one in the log"},
		{"removed leaves", func(t *testing.T, dir string) { put(t, dir, "log/checkpoint", read(t, earlier, "log/checkpoint")) }, "/snapshot.json: the snapshot " + idOf(t, l.dir) + " is not the last one in the log"},
		{"proof", func(t *testing.T, dir string) {
			name := "log/entry/" + id + ".json"
			put(t, dir, name, bytes.Replace(read(t, dir, name), []byte(`\"version\":1`), []byte(`\"version\":1 `), 1))
		}, "/log/entry/" + id + ".json: leaf "},
		{"no log", func(t *testing.T, dir string) { _ = os.RemoveAll(filepath.Join(dir, "log")) }, "/log/checkpoint: the site has no log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copied(t, l.dir)
			c.do(t, dir)
			r, err := check.Site(t.Context(), output.Dir(dir), output.Dir(earlier), nil, keys...)
			if err != nil && c.want == "" {
				t.Fatal(err)
			}
			var all []string
			for _, f := range r.Faults {
				if strings.Contains(f.What, "no route explains") {
					continue // a publish leaves for a while what earlier snapshots lead to
				}
				all = append(all, f.Route+": "+f.What)
			}
			if text := strings.Join(all, "\n"); (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
				t.Errorf("found %q, want %q", text, c.want)
			}
		})
	}
}

// TestSameSnapshot: of two copies of one snapshot, what was changed in either is named, though it is no
// verdict.
func TestSameSnapshot(t *testing.T) {
	l := newLogged(t)
	dir := copied(t, l.dir)
	replaceRoute(t, dir, "/accessibility", bytes.Replace(read(t, dir, "accessibility/index.html"), []byte("<main"), []byte("<main lang=la"), 1))
	r, err := check.Site(t.Context(), output.Dir(dir), output.Dir(l.dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Faults, func(f check.Fault) bool {
		return f.Route == "/accessibility" && strings.Contains(f.What, "other bytes than the other site shows in the same snapshot")
	}) {
		t.Errorf("found %v", r.Faults)
	}
}

// resealed puts the right hash into the manifest of a document that has one.
func resealed(t *testing.T, body []byte) []byte {
	t.Helper()
	i := bytes.LastIndex(body, []byte(`,"manifest":{`))
	if i < 0 {
		return body
	}
	sum := sha256.Sum256(append(slices.Clone(body[:i]), '}'))
	at := bytes.Index(body[i:], []byte(`"answer_sha256":"`)) + i + len(`"answer_sha256":"`)
	copy(body[at:], hex.EncodeToString(sum[:]))
	if !wire.HasItsHash(body) {
		t.Fatalf("%.300s has no hash of its own", body)
	}
	return body
}

func idOf(t *testing.T, dir string) string {
	t.Helper()
	var page wire.SnapshotPage
	if err := json.Unmarshal(read(t, dir, "snapshot.json"), &page); err != nil {
		t.Fatal(err)
	}
	return page.Snapshot
}

func anEntry(t *testing.T, dir string) string {
	t.Helper()
	for _, l := range routes(t, dir) {
		if l.Class == "entry" && l.SameAs == "" && bytes.Contains(read(t, dir, strings.TrimPrefix(l.Route, "/")+"/index.json"), []byte(`"verification_state":"VERIFIED"`)) {
			return l.Route[strings.LastIndexByte(l.Route, '/')+1:]
		}
	}
	t.Fatal("no entry is verified")
	return ""
}

func lastFile(t *testing.T, dir string) (last string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			last = path
		}
		return err
	})
	if err != nil || last == "" {
		t.Fatalf("no file below %s: %v", dir, err)
	}
	return last
}
