//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-register/assay/cmd/internal/deploytest"
)

// TestOwn: root may write where root owns, or where nobody has a say; elsewhere
// the owner is named.
func TestOwn(t *testing.T) {
	t.Parallel()
	mine := t.TempDir()
	if err := own(os.Geteuid(), filepath.Join(mine, "new")); err != nil {
		t.Error(err)
	}
	if err := own(os.Geteuid()+1, mine); err != nil {
		t.Error("nobody but root is refused:", err)
	}
	user := deploytest.Unprivileged()
	if user == nil {
		// The test plays root in a folder of its own user.
		if err := own(0, filepath.Join(mine, "site")); err == nil {
			t.Error("root may write for another user")
		}
		return
	}
	theirs := deploytest.Folder(t, user)
	for _, dir := range []string{theirs, filepath.Join(theirs, "site")} {
		if err := own(0, dir); err == nil || !strings.Contains(err.Error(), "runuser --user nobody") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestHand: what root makes in the folder of another user is that user's, what
// was there before stays whose it is.
func TestHand(t *testing.T) {
	t.Parallel()
	user := deploytest.Unprivileged()
	dir := deploytest.Folder(t, user)
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Hand(path, filepath.Join(dir, "not there")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	want := uint32(os.Geteuid())
	if user != nil {
		want = user.Uid
	}
	if got := info.Sys().(*syscall.Stat_t).Uid; got != want {
		t.Errorf("the file is of user %d, want %d", got, want)
	}
}
