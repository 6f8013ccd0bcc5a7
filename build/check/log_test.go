package check_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
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
	if _, err := sequence.Run(t.Context(), l.Store, filepath.Join(l.folder, translog.Dir), sequence.Options{Keys: l.keys, Head: head, Now: l.Now, Rubric: "1"}); err != nil {
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
			replaceRoute(t, dir, route, bytes.Replace(body, []byte(from), []byte(to), 1))
		}
	}
	for _, c := range []struct {
		name string
		do   func(t *testing.T, dir string)
		want string
	}{
		{"nothing", func(*testing.T, string) {}, ""},
		{"page", edit(page, `"verification_state":"`, `"verification_state":"X`), "shows the state X"},
		{"score", edit(page, `"mqa_score":`, `"mqa_score":1`), "has other bytes than the log binds"},
		{"list", edit("/api/v1/entries", `"name":"`, `"name":"X`), "has other bytes than the log binds"},
		{"export", edit("/api/v1/export/entries.ndjson", `"name":"`, `"name":"X`), "has other bytes than the log binds"},
		{"snapshot", func(t *testing.T, dir string) {
			put(t, dir, "snapshot.json", append(read(t, dir, "snapshot.json"), '\n'))
		}, "has other bytes than the log binds"},
		{"signed sums", func(t *testing.T, dir string) {
			put(t, dir, "log/SHA256SUMS", bytes.Replace(read(t, dir, "log/SHA256SUMS"), []byte("api/v1/export/entries.ndjson\n"), []byte("api/v1/export/entries.ndjsom\n"), 1))
		}, "the signature of the sums"},
		{"sums of another snapshot", func(t *testing.T, dir string) {
			put(t, dir, "log/SHA256SUMS", read(t, earlier, "log/SHA256SUMS"))
		}, "/log/SHA256SUMS: signs the snapshot"},
		{"export beside its sum", func(t *testing.T, dir string) {
			put(t, dir, "log/SHA256SUMS", signSums(t, l.keys[0], read(t, dir, "log/SHA256SUMS")))
		}, "has other bytes than /log/SHA256SUMS signs"},
		{"key without its forerunner", func(t *testing.T, dir string) {
			put(t, dir, "log/keys.json", []byte(`{"entry":"log.key","leaves":[]}`))
		}, "do not follow one another"},
		{"tile", func(t *testing.T, dir string) {
			tile := lastFile(t, filepath.Join(dir, "log/tile/entries"))
			b := read(t, "", tile)
			b[len(b)-3] ^= 1
			put(t, "", tile, b)
		}, "do not make the root"},
		{"checkpoint", func(t *testing.T, dir string) {
			put(t, dir, "log/checkpoint", bytes.Replace(read(t, dir, "log/checkpoint"), []byte("\nevents 0"), []byte("\nevents 1"), 1))
		}, "is not signed by the key"},
		{"old key", func(t *testing.T, dir string) { resign(t, dir, testKey(t, "b")) }, "is not signed by the key"},
		{"forked log", func(t *testing.T, dir string) { fork(t, l, dir) }, "rewritten or forked"},
		{"dropped entry", func(t *testing.T, dir string) { drop(t, dir, page) }, "vanished"},
		{"changed rubric", edit("/api/v1/methodology", `"rubric_version":"`, `"rubric_version":"9`), "has other bytes than the log binds"},
		{"replayed head", func(t *testing.T, dir string) {
			put(t, dir, "snapshot.json", read(t, earlier, "snapshot.json"))
		}, "not the last one in the log"},
		{"removed leaves", func(t *testing.T, dir string) { put(t, dir, "log/checkpoint", read(t, earlier, "log/checkpoint")) }, "not the last one in the log"},
		{"proof", func(t *testing.T, dir string) {
			name := "log/entry/" + id + ".json"
			put(t, dir, name, bytes.Replace(read(t, dir, name), []byte(`\"version\":1`), []byte(`\"version\":1 `), 1))
		}, "it was changed, or never logged"},
		{"no log", func(t *testing.T, dir string) { _ = os.RemoveAll(filepath.Join(dir, "log")) }, "has no log"},
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
	if _, err := sequence.Run(t.Context(), other.Store, folder, sequence.Options{Keys: l.keys, Now: l.Now.Add(time.Hour), Rubric: "1"}); err != nil {
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
