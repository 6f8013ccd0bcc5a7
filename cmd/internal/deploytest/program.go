//go:build unix

package deploytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Folder is a temporary folder that every user can reach, and that belongs to
// owner; nil leaves it to who runs the test. The folders of testing.T are closed
// to others.
func Folder(t testing.TB, owner *syscall.Credential) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "assay")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Program compiles the program as it is shipped and gives its path.
func Program(t testing.TB) string {
	t.Helper()
	path := filepath.Join(Folder(t, nil), "assay")
	cmd := exec.Command("go", "build", "-o", path, "github.com/assay-register/assay/cmd/assay")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
