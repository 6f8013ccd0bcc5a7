// Package binary gives tests the program as it is shipped. Linking it takes some
// seconds, so it is made once: make test names the binary that it has built in
// ASSAY_PROGRAM, and without that each test binary links one for its tests.
package binary

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// variable names a binary that is built already, by an absolute path.
const variable = "ASSAY_PROGRAM"

var made struct {
	sync.Mutex
	dir string
}

// Path is the path of the program, in a folder that every user can reach. It stays
// there for all tests of the binary; TestMain calls [Remove] at their end.
func Path(t testing.TB) string {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if made.dir == "" {
		dir, err := put(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		made.dir = dir
	}
	return filepath.Join(made.dir, "assay")
}

// Remove removes what Path made.
func Remove() {
	made.Lock()
	defer made.Unlock()
	if made.dir != "" {
		_ = os.RemoveAll(made.dir)
		made.dir = ""
	}
}

// put makes the folder with the program.
func put(ctx context.Context) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "assay"); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "assay")
	if built := os.Getenv(variable); built != "" {
		err = copyFile(built, path)
	} else {
		err = compile(ctx, path)
	}
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

func compile(ctx context.Context, path string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", "-s -w", "-o", path, "github.com/assay-register/assay/cmd/assay")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// copyFile opens what it copies, so that go test knows that a result depends on it.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("%s: %w", variable, err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}
