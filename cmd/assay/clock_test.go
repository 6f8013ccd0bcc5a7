package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/walltime"
)

// TestClockThatIsMoved: what a command stores and decides by follows --clock.
func TestClockThatIsMoved(t *testing.T) {
	t.Cleanup(func() { walltime.Follow("") })
	dir := t.TempDir()
	path, db := filepath.Join(dir, "clock"), "sqlite:"+filepath.Join(dir, "a.db")
	t.Setenv("ASSAY_CLOCK", path)
	if code, _, stderr := assay(t, "admin", "token", "list", "--db", db); code != 1 || !strings.Contains(stderr, "--clock: ") {
		t.Fatalf("without the file: exit code %d, %s", code, stderr)
	}
	if err := os.WriteFile(path, []byte("8760h\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "admin", "token", "create", "--role", "admin", "--db", db)
	next := time.Now().Add(365 * 24 * time.Hour).UTC().Format("2006-01-02")
	if list := must(t, "admin", "token", "list", "--db", db); !strings.Contains(list, next) {
		t.Errorf("a token made in a year, %s, is listed as\n%s", next, list)
	}
}

// TestOneClock: commands tell the time by now() alone, so that --clock moves all
// of them; how long something took is the machine's.
func TestOneClock(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	other := regexp.MustCompile(`(began|started) :?= time\.Now\(\)|(\btime\.Now\b)`)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range other.FindAllSubmatchIndex(text, -1) {
			if at[4] >= 0 {
				t.Errorf("%s, line %d: use now()", name, 1+strings.Count(string(text[:at[0]]), "\n"))
			}
		}
	}
}
