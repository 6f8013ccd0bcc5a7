package output

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Sync waits until everything that was written to the file system of a folder
// is on its disk, so that a site that readers can reach survives a loss of
// power. One call for the whole tree costs less than one for each file.
func Sync(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	defer f.Close()
	if err := unix.Syncfs(int(f.Fd())); err != nil {
		return fmt.Errorf("sync %s: %w", folder, err)
	}
	return nil
}
