package build

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/assay-register/assay/build/output"
)

const mountedKey = "ASSAY_TEST_MOUNTED"

// TestFullBuildWarns: where a site is mounted, so that its folder cannot change places
// with another one, the log says what that means; elsewhere it says nothing.
func TestFullBuildWarns(t *testing.T) {
	if site := os.Getenv(mountedKey); site != "" {
		if err := unix.Mount(site, site, "", unix.MS_BIND, ""); err != nil {
			t.Fatal(err)
		}
		replaced(t, site)
		return
	}
	site := filepath.Join(t.TempDir(), "site")
	if log := replaced(t, site); log != "" {
		t.Errorf("a folder that changes places is warned of: %s", log)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inside := exec.CommandContext(t.Context(), self, "-test.v", "-test.run=^TestFullBuildWarns$")
	inside.Env = append(os.Environ(), mountedKey+"="+site)
	inside.SysProcAttr = ownMounts()
	out, err := inside.CombinedOutput()
	if errors.Is(err, unix.EPERM) {
		t.Skip("this system lets no process have mounts of its own: ", err)
	}
	if err != nil || !strings.Contains(string(out), "cannot change places") || !strings.Contains(string(out), "build again") || !strings.Contains(string(out), "site="+site) {
		t.Errorf("%v, a mounted folder is warned of by:\n%s", err, out)
	}
}

// ownMounts gives a process mounts of its own, as root or as who seems root to itself.
func ownMounts() *syscall.SysProcAttr {
	if os.Geteuid() == 0 {
		return &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	}
	return &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
}

// replaced lets a new site take the place of an old one and returns what is logged.
func replaced(t *testing.T, site string) string {
	t.Helper()
	beside := output.BesideOf(site)
	for path, text := range map[string]string{filepath.Join(site, "a"): "old", filepath.Join(beside, "a"): "new"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	if err := replace(site, beside, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(site, "a")); err != nil || string(got) != "new" {
		t.Errorf("the site is %q, %v", got, err)
	}
	t.Log(log.String())
	return log.String()
}
