package build

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/snapshot"
)

// TestOverlayIsForAll writes one with the umask of the shipped units.
func TestOverlayIsForAll(t *testing.T) {
	dir, id := t.TempDir(), "20260101-0123456789ab"
	old := syscall.Umask(0o077)
	err := errors.Join(os.MkdirAll(filepath.Join(dir, output.HiddenDir), 0o755), writeOverlay(dir, id, &laid{}))
	syscall.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, snapshot.OverlayOf(id))); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info, err)
	}
}
