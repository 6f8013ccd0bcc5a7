//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-register/assay/cmd/internal/binary"
)

// checkMemory is what `assay check` of a stranger's site may take, in bytes.
const checkMemory = 256 << 20

// TestCheckOfAnEndlessList: a site whose list of routes has no end is refused when
// 1 GiB of it was read, and takes no more memory than any other.
func TestCheckOfAnEndlessList(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("it reads 1 GiB; ASSAY_SOAK=1 runs it")
	}
	site := httptest.NewServer(http.HandlerFunc(endless))
	defer site.Close()
	cmd := exec.CommandContext(t.Context(), binary.Path(t), "check", site.URL)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is longer than 1024 MiB") {
		t.Errorf("%v\n%s", err, out)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d MiB at the peak", most>>20)
	if most > checkMemory {
		t.Errorf("the check took %d MiB", most>>20)
	}
}

// endless answers as a site with many documents and a list without an end.
func endless(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/snapshot.json":
		fmt.Fprint(w, `{"artefacts":[{"class":"entry","files":2000000000}]}`)
	case "/routes.ndjson":
		var lines bytes.Buffer
		for n := 0; ; n++ {
			fmt.Fprintf(&lines, `{"route":"/%x","class":"entry","sha256":"%064x"}`+"\n", n, n)
			if lines.Len() < 1<<16 {
				continue
			}
			if _, err := lines.WriteTo(w); err != nil {
				return
			}
		}
	default:
		http.NotFound(w, r)
	}
}
