//go:build unix

package setup

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// Public lets everybody read what this process writes from now on, whatever its
// umask was: a site is made for servers that run as somebody else. What is
// private (the store, mail, keys) names its own mode.
func Public() {
	const others = 0o055 // reading, and entering folders, for those who do not own them
	old := syscall.Umask(0)
	syscall.Umask(old &^ others)
}

// Hand gives files that root made to the owner of the folder that they lie in, so
// that a register which root prepared is its user's. Files that are not there are
// passed over.
func Hand(paths ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, path := range paths {
		folder, err := os.Stat(filepath.Dir(path))
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		owner, present := folder.Sys().(*syscall.Stat_t), info.Sys().(*syscall.Stat_t)
		if owner.Uid == 0 || present.Uid != 0 {
			continue
		}
		if err := os.Lchown(path, int(owner.Uid), int(owner.Gid)); err != nil {
			return fmt.Errorf("give %s to the owner of its folder: %w", path, err)
		}
	}
	return nil
}

// Own refuses to let root write a site where another user keeps one: that user
// could not change what root wrote. dir need not be there yet.
func Own(dir string) error { return own(os.Geteuid(), dir) }

func own(euid int, dir string) error {
	if euid != 0 {
		return nil
	}
	info, err := os.Stat(dir)
	if os.IsNotExist(err) {
		info, err = os.Stat(filepath.Dir(filepath.Clean(dir)))
	}
	if err != nil {
		return nil //nolint:nilerr // who writes there meets it, too
	}
	uid := info.Sys().(*syscall.Stat_t).Uid
	if uid == uint32(euid) {
		return nil
	}
	name := "#" + strconv.Itoa(int(uid))
	if u, err := user.LookupId(strconv.Itoa(int(uid))); err == nil {
		name = u.Username
	}
	return fmt.Errorf("%s is of the user %s, who could not change what root writes there: run it as that user, for instance by `runuser --user %s -- assay build`", dir, name, name)
}
