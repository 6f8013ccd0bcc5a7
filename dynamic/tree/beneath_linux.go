package tree

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// openBeneath opens a file below a directory: one call in place of one for each
// directory on the way, by the same rules as os.Root.
func openBeneath(dir *os.File, path string) (*os.File, error) {
	if dir == nil {
		return nil, unix.ENOSYS
	}
	fd, err := unix.Openat2(int(dir.Fd()), path, &unix.OpenHow{
		Flags: unix.O_RDONLY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS})
	runtime.KeepAlive(dir) // it must not be closed meanwhile
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// opensBeneath tells whether the system has this call: Linux 5.6 and later, unless
// a filter forbids it.
func opensBeneath(dir *os.File) bool {
	in, err := openBeneath(dir, ".")
	if err != nil {
		return false
	}
	in.Close()
	return true
}
