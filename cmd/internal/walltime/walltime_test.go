package walltime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	next := path + ".next"
	if err := os.WriteFile(next, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

// moved waits until a clock shows an offset.
func moved(t *testing.T, now func() time.Time, by time.Duration) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; {
		if off := time.Until(now()) - by; off.Abs() < time.Second {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the clock is off by %s, not by %s", time.Until(now()), by)
		}
	}
}

func TestClockFollowsItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	put(t, path, "36h\n")
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	moved(t, c.Now, 36*time.Hour)
	put(t, path, "-15m30s")
	moved(t, c.Now, -15*time.Minute-30*time.Second)
	put(t, path, "tomorrow")
	moved(t, c.Now, -15*time.Minute-30*time.Second)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	moved(t, c.Now, -15*time.Minute-30*time.Second)
	put(t, path, "1h")
	moved(t, c.Now, time.Hour)
}

func TestProcessFollows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	put(t, path, "2h")
	if err := Follow(path); err != nil {
		t.Fatal(err)
	}
	moved(t, Now, 2*time.Hour)
	if err := Follow(""); err != nil {
		t.Fatal(err)
	}
	moved(t, Now, 0)
}

func TestProcessBegins(t *testing.T) {
	by := -48 * time.Hour
	end := Begin(time.Now().Add(by))
	moved(t, Now, by)
	end()
	moved(t, Now, 0)
}

func TestBadClocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a missing file: %v", err)
	}
	put(t, path, "3 days")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "3 days") {
		t.Errorf("no duration: %v", err)
	}
}
