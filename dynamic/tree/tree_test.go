package tree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestPlain(t *testing.T) {
	for route, want := range map[string]bool{
		"/": true, "/a": true, "/a/b.json": true, "/.well-known/mcp.json": true, "": false, "a": false, "//": false, "/a//b": false, "/a/": false,
		"/.": false, "/..": false, "/a/..": false, "/.git": false, "/a/.well-known": false, "/.well-known/.x": false, "/a\\b": false, "/a\x00": false, "/...": false,
	} {
		if got := plain(route); got != want {
			t.Errorf("%q: %v", route, got)
		}
	}
}

func TestTroubleIsNotAbsence(t *testing.T) {
	for err, absent := range map[error]bool{
		syscall.ENOENT: true, syscall.ENOTDIR: true, syscall.ELOOP: true, errors.New("path escapes from parent"): true, syscall.EMFILE: false, syscall.EIO: false, syscall.EACCES: false,
	} {
		if got := notExist(&os.PathError{Op: "open", Path: "x", Err: err}); errors.Is(got, fs.ErrNotExist) != absent {
			t.Errorf("%v: %v", err, got)
		}
	}
}
