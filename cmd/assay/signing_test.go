package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSigningMemory: a key of the environment remembers what it signed last where signing_memory says, so
// that a register that was put back together with its log signs no second story.
func TestSigningMemory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	do := func(want int, args ...string) string {
		t.Helper()
		code, out, log := assay(t, args...)
		if code != want {
			t.Fatalf("assay %s: exit %d, want %d\n%s", strings.Join(args[:1], " "), code, want, log)
		}
		return out + log
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add := func(name string) {
		t.Helper()
		put("line", `{"kind":"entry","entry":{"type":"API","name":"`+name+`","primary_source_url":"https://`+name+`.example.gov/api","country_code":"GB"}}`)
		do(0, "import", in("line"), "--db=sqlite:"+in("a.db"))
	}
	const base = "--base-url=https://register.example"
	do(0, "key", "create", in("key"), base)
	private, err := os.ReadFile(in("key"))
	if err != nil {
		t.Fatal(err)
	}
	build := func(want int, more ...string) string {
		t.Helper()
		return do(want, append([]string{"build", "--db=sqlite:" + in("a.db"), "--site=" + in("out"), base, "--signing-key=" + strings.TrimSpace(string(private))}, more...)...)
	}
	add("bank-holidays")
	if log := build(0); !strings.Contains(log, "signing_memory") {
		t.Errorf("a key that remembers nothing: %s", log)
	}
	for file, want := range map[string]string{"out/signed": "lies in the folder of the site", "none/signed": "its folder must be there"} {
		if log := build(1, "--signing-memory="+in(file)); !strings.Contains(log, "--signing-memory") || !strings.Contains(log, want) {
			t.Errorf("%s: %s", file, log)
		}
	}
	memory := "--signing-memory=" + in("signed")
	build(0, memory) // nothing is left to sign, and what was is remembered
	if _, err := os.Stat(in("signed")); err != nil {
		t.Error(err)
	}
	yesterday, err := os.ReadFile(in("a.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(in("backup"), os.DirFS(in("out"))); err != nil {
		t.Fatal(err)
	}
	add("air")
	if log := build(0, memory); strings.Contains(log, "signing_memory") {
		t.Errorf("a key that remembers: %s", log)
	}
	if signed, err := os.ReadFile(in("signed")); err != nil || !strings.HasPrefix(string(signed), "register.example/log\n") {
		t.Fatalf("what was signed last: %q, %v", signed, err)
	}
	if log, _ := os.ReadFile(in("signed")); strings.Contains(string(log), strings.TrimSpace(string(private))) {
		t.Error("the key lies in the memory")
	}

	// Store and log of yesterday, together.
	put("a.db", string(yesterday))
	if err := os.Rename(in("out"), in("lost")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(in("out"), os.DirFS(in("backup"))); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(in("out/log/checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	add("other")
	if log := build(1, memory); !strings.Contains(log, "does not continue what its key signed last") || !strings.Contains(log, "assay log resume") || !strings.Contains(log, in("signed")) {
		t.Errorf("register and log of yesterday: %s", log)
	}
	if now, err := os.ReadFile(in("out/log/checkpoint")); err != nil || string(now) != string(before) {
		t.Errorf("something was signed, %v", err)
	}

	// The memory of another log.
	do(0, "key", "create", in("second"), base+"/second")
	if log := do(1, "build", "--db=sqlite:"+in("a.db"), "--site="+in("new"), base, "--signing-key="+in("second"), memory); !strings.Contains(log, "has the checkpoint of the log register.example/log, and the key is that of register.example/second/log") {
		t.Errorf("the memory of another log: %s", log)
	}
	put("garbage", "no checkpoint")
	if log := build(1, "--signing-memory="+in("garbage")); !strings.Contains(log, in("garbage")) || !strings.Contains(log, "not a checkpoint") {
		t.Errorf("a memory that is none: %s", log)
	}
}

// TestSigningKey: a file that is no key, or that others can change, signs nothing, and what is said of it
// names the file and never quotes it.
func TestSigningKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const base = "--base-url=https://register.example"
	good := filepath.Join(dir, "good")
	if code, _, log := assay(t, "key", "create", good, base); code != 0 {
		t.Fatal(log)
	}
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	private := strings.TrimSpace(string(text))
	other := strings.Replace(private, "register.example", "other.example", 1)
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"group can write": {private, 0o620, "(mode 0620)"},
		"all can write":   {private, 0o602, "(mode 0602)"},
		"empty":           {"", 0o600, "not a private key of a signed note"},
		"pem":             {"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIHNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldC1z\n-----END PRIVATE KEY-----\n", 0o600, "not a private key of a signed note"},
		"cut off":         {private[:len(private)-9], 0o600, "not a private key of a signed note"},
		"wrong id":        {other, 0o600, "not a private key of a signed note"},
		"public":          {last(t, good), 0o600, "not a private key of a signed note"},
		"endless":         {strings.Repeat("# remark\n", 10_000), 0o600, "has more than 65536 bytes"},
	} {
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, c.mode); err != nil {
			t.Fatal(err)
		}
		code, _, log := assay(t, "witness", dir, "--state="+filepath.Join(dir, "state"), "--signing-key="+file)
		if code != 1 || !strings.Contains(log, c.want) || !strings.Contains(log, file) || strings.Contains(log, private[len(private)-30:]) || strings.Contains(log, "c2VjcmV0") {
			t.Errorf("%s: exit %d, %s", name, code, log)
		}
	}
	if code, _, log := assay(t, "witness", dir, "--state="+filepath.Join(dir, "state"), "--signing-key="+dir); code != 1 || !strings.Contains(log, "is no file") {
		t.Errorf("a folder: %s", log)
	}
}

// TestWitnessOfAStranger: a log whose answers have no end, say nothing or are of another log is refused with a message that
// names what was asked, in bounded memory, and nothing is kept of it.
func TestWitnessOfAStranger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if code, _, log := assay(t, "key", "create", key, "--base-url=https://witness.example"); code != 0 {
		t.Fatal(log)
	}
	answers := map[string]http.HandlerFunc{
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for block := make([]byte, 1<<16); ; {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		},
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("\x00\xff\n\n— \n")) },
		"page": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
		},
		"none": http.NotFound,
		"cut off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("register.example/log\n"))
		},
	}
	for name, want := range map[string]string{
		"endless": "is longer than 32 MiB", "garbage": "not a checkpoint of a log", "page": "not a checkpoint of a log", "none": "does not exist", "cut off": "unexpected EOF",
	} {
		site := httptest.NewServer(answers[name])
		state := filepath.Join(dir, "state-"+strings.ReplaceAll(name, " ", "-"))
		code, out, log := assay(t, "witness", site.URL, "--state="+state, "--signing-key="+key, "--log-key="+last(t, key))
		site.Close()
		if code != 1 || out != "" || !strings.Contains(log, "/log/checkpoint: ") || !strings.Contains(log, want) {
			t.Errorf("%s: exit %d, %s%s", name, code, out, log)
		}
		if kept, _ := filepath.Glob(filepath.Join(state, "[0-9a-f]*", "*")); len(kept) > 0 { // beside the lock
			t.Errorf("%s: %v is kept", name, kept)
		}
	}
}
