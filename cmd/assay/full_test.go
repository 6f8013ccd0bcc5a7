//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// fileMax is how large a file of the child may become, in KiB, so that its store
// is soon full as on a disk without room. (The unit of ulimit -f is 512 bytes.)
const fileMax = 2 << 10

// TestTheDiskIsFull writes to `serve` until its store can grow no more: from
// then on writes are answered 503 and the health check says why, reads go on,
// and when there is room again everything that was acknowledged is there.
func TestTheDiskIsFull(t *testing.T) {
	address, pid := serveChild(t, floodSite(t, 5), []string{fmt.Sprintf("ulimit -S -f %d", 2*fileMax)}, fullFlags...)
	fill(t, "http://"+address, func() {
		var limit unix.Rlimit
		if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &limit); err != nil {
			t.Fatal(err)
		}
		limit.Cur = limit.Max
		if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAFileSystemIsFull does the same where the disk itself says so: a small file
// system in memory, which only root can make.
func TestAFileSystemIsFull(t *testing.T) {
	dir := t.TempDir()
	err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m")
	if errors.Is(err, unix.EPERM) {
		t.Skip("only root mounts file systems; TestTheDiskIsFull does the same with a limit")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	address, _ := serveChild(t, floodSite(t, 5), nil, append(slices.Clone(fullFlags), "--db", "sqlite:"+filepath.Join(dir, "assay.db"))...)
	fill(t, "http://"+address, func() {
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
	})
}

var fullFlags = []string{"--limit-writes", "0", "--limit-reads", "0", "--worker=false", "--log-requests=false"}

// fill writes until there is no room, and looks what the service does then and
// when room makes some again.
func fill(t *testing.T, base string, room func()) {
	t.Helper()
	var acked []string
	sent, full := 0, 0
	submit := func() (status int) {
		sent++
		body := fmt.Sprintf(`{"url":"https://h%d.example/data","notes":%q}`, sent, strings.Repeat("room ", 300))
		resp, text := postJSON(t, base+"/api/v1/submissions", body)
		switch {
		case resp.StatusCode == http.StatusCreated:
			var made struct{ ID string }
			if err := json.Unmarshal(text, &made); err != nil {
				t.Fatal(err)
			}
			acked = append(acked, made.ID)
		case resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "":
			t.Fatalf("after %d were acknowledged: %s %s", len(acked), resp.Status, text)
		}
		return resp.StatusCode
	}
	for full < 20 && sent < 20_000 {
		if submit() == http.StatusServiceUnavailable {
			full++
		}
	}
	if full < 20 || len(acked) == 0 {
		t.Fatalf("%d of %d were acknowledged, and the store is not full", len(acked), sent)
	}
	if _, health := fetch(t, base+"/health/detailed"); !strings.Contains(string(health), "takes no writes") || !strings.Contains(string(health), `"degraded"`) {
		t.Errorf("the health of a full store: %s", health)
	}
	for _, path := range []string{"/health", "/api/v1/entries", "/api/v1/entries?type=API", "/api/v1/submissions/" + acked[0]} {
		if resp, text := fetch(t, base+path); resp.StatusCode != http.StatusOK {
			t.Errorf("reading %s beside a full store: %s %s", path, resp.Status, text)
		}
	}
	room()
	if status := submit(); status != http.StatusCreated {
		t.Errorf("with room again: %d", status)
	}
	// What was seen of the components is shown again for a while.
	for end := time.Now().Add(hang); ; {
		_, health := fetch(t, base+"/health/detailed")
		if strings.Contains(string(health), "answers and takes writes") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("health with room again: %s", health)
		}
		time.Sleep(50 * time.Millisecond)
	}
	for _, id := range acked {
		if resp, text := fetch(t, base+"/api/v1/submissions/"+id); resp.StatusCode != http.StatusOK {
			t.Fatalf("submission %s was acknowledged: %s %s", id, resp.Status, text)
		}
	}
	t.Logf("%d of %d submissions were acknowledged and are there", len(acked), sent)
}

func postJSON(t *testing.T, url, body string) (*http.Response, []byte) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, text
}
