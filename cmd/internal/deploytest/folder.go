//go:build unix

package deploytest

import (
	"os"
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
