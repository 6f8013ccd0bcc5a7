package query

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/assay-register/assay/render/search/segment"
)

// mapSegment maps the search index of a snapshot, size bytes of a file from an offset, into memory.
// The mapping ends when nothing refers to the segment any more, also when the file is gone by then.
func mapSegment(f *os.File, name string, offset, size int64) (*segment.Segment, error) {
	before := offset % int64(os.Getpagesize())
	if size <= 0 || size+before != int64(int(size+before)) {
		return nil, fmt.Errorf("search index of %s has %d bytes", name, size)
	}
	data, err := syscall.Mmap(int(f.Fd()), offset-before, int(size+before), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map search index of %s: %w", name, err)
	}
	// The checksum touches every page; only those that queries need stay. A
	// system that does not take the advice keeps them until it needs the room.
	forget := func(n int) { _ = unix.Madvise(data[:int(before)+n], unix.MADV_DONTNEED) }
	s, err := segment.OpenMapped(data[before:], forget)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("search index of %s: %w", name, err), syscall.Munmap(data))
	}
	forget(int(size))
	runtime.AddCleanup(s, func(b []byte) { syscall.Munmap(b) }, data) //nolint:errcheck // nobody is left to be told
	return s, nil
}
