package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRootOpensTheSameBothWays: the quick way never opens what the safe one does
// not.
func TestRootOpensTheSameBothWays(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	write(t, filepath.Join(parent, "secret.txt"), "secret", time.Hour)
	write(t, filepath.Join(dir, "a/b/c.txt"), "text", time.Hour)
	for name, target := range map[string]string{
		"inside": "a/b/c.txt", "folder": "a/b", "out": "../secret.txt", "out-and-in": "../site/a/b/c.txt", "absolute": filepath.Join(dir, "a/b/c.txt"),
		"a/up": "../a/b/c.txt", "a/far": "../../secret.txt", "loop": "loop", "process": "/proc/self/environ", "nowhere": "nothing",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	quick, err := openRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	safe := &root{safe: quick.safe}
	read := func(r *root, path string) (string, error) {
		in, info, err := r.open(path)
		if err != nil {
			return "", err
		}
		defer in.Close()
		text, err := io.ReadAll(in)
		if err != nil || info.Size() != int64(len(text)) {
			t.Errorf("%s: %d of %d bytes, %v", path, len(text), info.Size(), err)
		}
		return string(text), nil
	}
	for path, want := range map[string]string{
		"a/b/c.txt": "text", "inside": "text", "folder/c.txt": "text", "a/up": "text",
		"out": "", "out-and-in": "", "absolute": "", "a/far": "", "loop": "", "process": "", "nowhere": "", "nothing": "", "a/b/c.txt/d": "", "../secret.txt": "",
	} {
		got, err := read(quick, path)
		alone, errAlone := read(safe, path)
		if got != want || alone != want || (err == nil) != (want != "") || errors.Is(err, fs.ErrNotExist) != errors.Is(errAlone, fs.ErrNotExist) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; without the quick way %q, %v", path, got, err, alone, errAlone)
		}
		if in, err := openBeneath(quick.quick, path); err == nil {
			in.Close()
			if want == "" {
				t.Errorf("%s: opened by the quick way", path)
			}
		} else if want != "" && quick.quick != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := openRoot(filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func write(t *testing.T, path, text string, age time.Duration) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if at := time.Now().Add(-age); os.Chtimes(path, at, at) != nil {
		t.Fatal("the time of a file cannot be set")
	}
}
