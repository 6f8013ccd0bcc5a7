package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/dynamic/health"
)

// TestRestoredRegister puts a register back to yesterday as operators do: the store alone, and with its
// folder. Nothing is signed that contradicts what was told, it says how to go on, and that leads on.
func TestRestoredRegister(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	do := func(want int, args ...string) string {
		t.Helper()
		code, out, log := assay(t, args...)
		if code != want {
			t.Fatalf("assay %s: exit %d, want %d\n%s", strings.Join(args, " "), code, want, log)
		}
		return out + log
	}
	add := func(name, db string) {
		t.Helper()
		line := fmt.Sprintf(`{"kind":"entry","entry":{"type":"API","name":%q,"primary_source_url":"https://%s.example.gov/api","country_code":"GB"}}`, name, name)
		if err := os.WriteFile(in("line"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		do(0, "import", in("line"), "--db=sqlite:"+in(db))
	}
	build := func(want int, db, site string) string {
		t.Helper()
		return do(want, "build", "--db=sqlite:"+in(db), "--site="+in(site), "--base-url=https://register.example", "--signing-key="+in("key"))
	}
	copied := func(from, to string) {
		t.Helper()
		if err := os.CopyFS(in(to), os.DirFS(in(from))); err != nil {
			t.Fatal(err)
		}
	}
	database := func(to string) {
		t.Helper()
		b, err := os.ReadFile(in("backup.db"))
		if err == nil {
			err = os.WriteFile(in(to), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	public := strings.Fields(do(0, "key", "create", in("key"), "--base-url=https://register.example"))[0]
	add("bank-holidays", "a.db")
	build(0, "a.db", "out")
	b, err := os.ReadFile(in("a.db"))
	if err != nil || os.WriteFile(in("backup.db"), b, 0o600) != nil {
		t.Fatal(err)
	}
	copied("out", "backup")
	add("air", "a.db")
	build(0, "a.db", "out")

	stands := func(db, site string, down bool, want string) {
		t.Helper()
		st, err := setup.Open(t.Context(), "sqlite:"+in(db))
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		if said, err := logHealth(st, in(site)).Look(t.Context()); errors.Is(err, health.ErrDown) != down || !strings.Contains(said, want) || strings.Contains(said, dir) {
			t.Errorf("a service says %q of its log, %v", said, err)
		}
	}
	stands("a.db", "out", false, "leaves, all signed at ")
	do(0, "publish", "--site="+in("out"), "--to=file://"+in("www"), "--base-url=https://register.example")
	if log := do(1, "build", "--db=sqlite:"+in("a.db"), "--site="+in("out"), "--base-url=https://register.example"); !strings.Contains(log, "no key to go on with it") {
		t.Errorf("without the key: %s", log)
	}
	stands("a.db", "out", true, "signing_key")
	build(0, "a.db", "out")
	stands("a.db", "out", false, "leaves, all signed at ")
	stands("a.db", "backup/none", true, "though the register signed one")

	// Both of yesterday.
	database("both.db")
	copied("backup", "both")
	add("other", "both.db")
	if log := build(1, "both.db", "both"); !strings.Contains(log, "does not continue what its key signed last") || !strings.Contains(log, "assay log resume") {
		t.Errorf("register and log of yesterday: %s", log)
	}
	stands("both.db", "both", true, "were put back together")
	// A timer's rebuild publishes nothing of it, and says so.
	shown, err := os.ReadFile(in("www/snapshot.json"))
	if err != nil {
		t.Fatal(err)
	}
	log := do(1, "rebuild", "--db=sqlite:"+in("both.db"), "--site="+in("both"), "--to=file://"+in("www"), "--base-url=https://register.example", "--signing-key="+in("key"))
	if !strings.Contains(log, "assay log resume") || !strings.Contains(log, "nothing was published: what readers have") {
		t.Errorf("a rebuild: %s", log)
	}
	if now, err := os.ReadFile(in("www/snapshot.json")); err != nil || !bytes.Equal(now, shown) {
		t.Errorf("it published, %v", err)
	}
	// The store of yesterday: the gate of builds says that an entry would vanish, and the log what it knows.
	database("b.db")
	if log := build(1, "b.db", "out"); !strings.Contains(log, "would vanish") || !strings.Contains(log, "assay log resume") {
		t.Errorf("a store of yesterday: %s", log)
	}
	stands("b.db", "out", true, "assay log resume")
	// What it says leads on: what was lost has tombstones, which stay.
	copied("out", "published")
	resume := func(site string) string {
		t.Helper()
		return do(0, "log", "resume", "--db=sqlite:"+in("b.db"), "--site="+in(site), "--base-url=https://register.example", "--signing-key="+in("key"))
	}
	if said := resume("out"); !strings.Contains(said, "1 entries of the site are not in the store") {
		t.Errorf("resume says %s", said)
	}
	if said := resume("out"); strings.Contains(said, "not in the store") {
		t.Errorf("resume says it twice: %s", said)
	}
	stands("b.db", "out", false, "leaves, all signed at ")
	build(0, "b.db", "out")
	do(0, "check", in("out"), "--against="+in("published"), "--log-key="+public)
	add("new", "b.db")
	add("air", "b.db")
	build(0, "b.db", "out")
	do(0, "check", in("out"), "--log-key="+public)

	// What was harvested again before anybody noticed keeps its time of publication.
	copied("out", "later")
	database("c.db")
	time.Sleep(time.Second)
	add("air", "c.db")
	if log := build(1, "c.db", "out"); !strings.Contains(log, "would move") || !strings.Contains(log, "assay log resume") {
		t.Errorf("a store of yesterday that went on: %s", log)
	}
	do(0, "log", "resume", "--db=sqlite:"+in("c.db"), "--site="+in("out"), "--base-url=https://register.example", "--signing-key="+in("key"))
	build(0, "c.db", "out")
	do(0, "check", in("out"), "--against="+in("later"), "--log-key="+public)
}
