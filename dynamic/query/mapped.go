package query

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/assay-register/assay/render/search/segment"
)

// openSegment maps the search index of a snapshot into memory; nil when the
// snapshot has none. The mapping ends when nothing refers to the segment any
// more, also when the tree has dropped the file by then.
func (l *Library) openSegment(id string) (*segment.Segment, error) {
	f, err := os.OpenInRoot(l.dir, filepath.Join(hidden, id, segment.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 || info.Size() != int64(int(info.Size())) {
		return nil, fmt.Errorf("search index of snapshot %s has %d bytes", id, info.Size())
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map search index of snapshot %s: %w", id, err)
	}
	s, err := segment.Open(data)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("search index of snapshot %s: %w", id, err), syscall.Munmap(data))
	}
	// The checksum has touched every page; only those that queries need stay.
	if err := unix.Madvise(data, unix.MADV_DONTNEED); err != nil {
		l.log.Warn("pages of the search index stay in memory", "error", err)
	}
	runtime.AddCleanup(s, func(b []byte) { syscall.Munmap(b) }, data) //nolint:errcheck // nobody is left to be told
	return s, nil
}
