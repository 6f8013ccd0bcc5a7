package output

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// create writes a file with as few calls as it takes. os.WriteFile makes two
// more of each, to learn whether the file can be polled, and a build writes
// millions.
func create(path string, body []byte) error {
	fd, err := again(func() (int, error) {
		return unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o644)
	})
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	for len(body) > 0 {
		n, err := again(func() (int, error) { return unix.Write(fd, body) })
		if err != nil {
			_ = unix.Close(fd) // the write's error says more
			return &fs.PathError{Op: "write", Path: path, Err: err}
		}
		body = body[n:]
	}
	if err := unix.Close(fd); err != nil {
		return &fs.PathError{Op: "close", Path: path, Err: err}
	}
	return nil
}

// again repeats a call that a signal broke off.
func again(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
