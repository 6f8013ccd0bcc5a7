//go:build unix

package limit

import (
	"errors"
	"syscall"
)

// descriptors is how many files and connections this process may have open.
func descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return connectionsMax
	}
	return int(min(limit.Cur, 1<<20))
}

// isExhausted tells that there are no descriptors left.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
