package month

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

// disk is a file system in memory that can be full.
type disk struct{ dir string }

// roomy is how many bytes the disk takes when it is not full.
const roomy = 4 << 30

// newDisk is nil for a user who may not mount.
func newDisk(t *testing.T) *disk {
	if os.Geteuid() != 0 {
		return nil
	}
	return new(disk)
}

// mount makes a folder the disk, until the test ends.
func (d *disk) mount(t *testing.T, dir string) {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	d.dir = dir
	options := fmt.Sprintf("size=%d,mode=755,uid=%d,gid=%d", roomy, owner.Uid, owner.Gid)
	if err := syscall.Mount("assay-month", dir, "tmpfs", 0, options); err != nil {
		t.Fatalf("mount a disk at %s: %v", dir, err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// leave leaves so many bytes of room on the disk; less than none is all that there
// ever was.
func (d *disk) leave(t *testing.T, room int64) {
	t.Helper()
	var err error
	for range 20 { // what is written meanwhile needs a larger one
		size := int64(roomy)
		if room >= 0 {
			var now syscall.Statfs_t
			if err = syscall.Statfs(d.dir, &now); err != nil {
				break
			}
			size = int64(now.Blocks-now.Bfree)*now.Bsize + room
		}
		if err = syscall.Mount("assay-month", d.dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", size)); err == nil {
			return
		}
	}
	t.Fatalf("the size of the disk at %s cannot be changed: %v", d.dir, err)
}
