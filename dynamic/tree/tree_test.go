package tree

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/assay-register/assay/dynamic/query"
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

// TestAnExchangedDirectory puts another directory in the place of the one that
// files are read from.
func TestAnExchangedDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	put := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	tr := New(dir, query.NewLibrary(dir, slog.New(slog.DiscardHandler)), Budget)
	for _, text := range []string{"old", "new"} {
		put(text)
		path, info := tr.find("/a.txt")
		f, err := tr.open(path, info)
		if err != nil || string(f.body.Bytes()) != text {
			t.Fatalf("%s: %v %v", text, f, err)
		}
		if err := os.Rename(dir, dir+"."+text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tr.read("a.txt", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is gone: %v", err)
	}
}
