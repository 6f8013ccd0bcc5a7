package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/translog"
)

// TestVerdictLog keeps a log as an operator does, and has it verified by a program that
// shares no code with this one.
func TestVerdictLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must := func(want int, args ...string) (string, string) {
		t.Helper()
		code, out, log := assay(t, args...)
		if code != want {
			t.Fatalf("assay %s: exit %d, want %d\n%s", strings.Join(args, " "), code, want, log)
		}
		return out, log
	}
	base := "--base-url=https://register.example"
	out, _ := must(0, "key", "create", in("key"), base)
	public := strings.TrimSpace(out)
	if info, err := os.Stat(in("key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the key: %v, %v", info, err)
	}
	must(1, "key", "create", in("key"), base) // never over another one
	from, _ := smallSite(t)
	db := "--db=" + storeLike(t, from)
	must(0, "build", db, "--site="+in("site"), base, "--signing-key="+in("key"))
	must(0, "publish", "--site="+in("site"), "--to=file://"+in("www"), base)
	_, log := must(0, "check", in("www"), "--log-key="+public)
	if !strings.Contains(log, "leaves of the log of verdicts make its signed root") {
		t.Errorf("check says nothing of the log: %s", log)
	}
	verified, err := exec.Command("node", "../../.ci/node/verify-log.mjs", in("www/log"), public).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v", verified, err)
	}
	for name, want := range map[string]string{"www/.well-known/assay-log-keys.txt": public + "\n", "www/methodology/index.html": "_assay-log.register.example. 3600 IN TXT"} {
		if b, err := os.ReadFile(in(name)); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s does not say %s, %v", name, want, err)
		}
	}
	sums := exec.Command("sha256sum", "-c", "log/SHA256SUMS")
	sums.Dir = in("www")
	if out, err := sums.CombinedOutput(); err != nil || strings.Count(string(out), ": OK") < 19 {
		t.Errorf("sha256sum -c: %s, %v", out, err)
	}
	var entries struct{ Items []struct{ ID, Slug string } }
	if b, err := os.ReadFile(in("www/api/v1/entries/index.json")); err != nil || json.Unmarshal(b, &entries) != nil || len(entries.Items) == 0 {
		t.Fatalf("no entries: %v", err)
	}
	must(0, "bundle", entries.Items[0].Slug, "--file="+in("evidence.zip"), db, "--site="+in("site"), base)
	must(0, "verify-bundle", in("evidence.zip"), "--log-key="+public)
	must(0, "key", "create", in("other"), base)
	must(1, "verify-bundle", in("evidence.zip"), "--log-key="+last(t, in("other")))

	// Another key signs only after the first one.
	_, log = must(1, "build", db, "--site="+in("site"), base, "--signing-key="+in("other"))
	if !strings.Contains(log, "assay key rotate") {
		t.Errorf("a build with another key: %s", log)
	}
	out, _ = must(0, "key", "rotate", in("key"))
	if keys := strings.Fields(out); len(keys) != 2 || keys[0] != public {
		t.Errorf("after rotation: %q", out)
	}
	if _, log = must(1, "key", "rotate", in("key"), "--retire"); !strings.Contains(log, "does not name the new key yet") {
		t.Errorf("the old key was taken out before the log named the new one: %s", log)
	}
	must(0, "build", db, "--site="+in("site"), base, "--signing-key="+in("key"))
	must(0, "key", "rotate", in("key"), "--retire")
	if _, log = must(1, "key", "rotate", in("key"), "--retire"); !strings.Contains(log, "none to retire") {
		t.Errorf("nothing to retire: %s", log)
	}
	must(0, "build", db, "--site="+in("site"), base, "--signing-key="+in("key"))

	// Whoever knows the first key learns the second one.
	must(0, "publish", "--site="+in("site"), "--to=file://"+in("www"), base)
	must(0, "check", in("www"), "--log-key="+last(t, in("key")))
	must(1, "check", in("www"), "--log-key="+public)
	chain, err := os.ReadFile(in("www/log/keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := translog.DecodeProof(chain)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := translog.Chain(p); err != nil || len(list) != 2 || list[0] != public || list[1] != last(t, in("key")) {
		t.Errorf("the keys are %v, %v", list, err)
	}
	p.Leaves = p.Leaves[1:]
	if list, err := translog.Chain(p); err != nil || len(list) != 1 {
		t.Errorf("the last key alone: %v, %v", list, err)
	}

	// A log that was put back contradicts what was published.
	if err := os.RemoveAll(in("site/log")); err != nil {
		t.Fatal(err)
	}
	_, log = must(1, "build", db, "--site="+in("site"), base, "--signing-key="+in("key"))
	if !strings.Contains(log, "older than the register") {
		t.Errorf("a log that was taken away: %s", log)
	}
	_, log = must(0, "check", in("site"))
	if !strings.Contains(log, "no log of verdicts to verify") {
		t.Errorf("a site without a log: %s", log)
	}

	// What was published of it is good to go on with.
	if err := errors.Join(os.RemoveAll(in("site/log")), os.CopyFS(in("site/log"), os.DirFS(in("www/log")))); err != nil {
		t.Fatal(err)
	}
	must(0, "build", db, "--site="+in("site"), base, "--signing-key="+in("key"))
	must(0, "check", in("site"), "--log-key="+last(t, in("key")))
}

// last is the public key that a file ends with.
func last(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := translog.ParseKeys(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return keys[len(keys)-1].Public
}
