package output

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange lets two folders of one file system change places in one instant
// (renameat2(2), RENAME_EXCHANGE).
func exchange(one, other string) error {
	if err := unix.Renameat2(unix.AT_FDCWD, one, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE); err != nil {
		return fmt.Errorf("exchange %s and %s: %w", one, other, err)
	}
	return nil
}
