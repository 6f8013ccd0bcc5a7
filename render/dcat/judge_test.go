package dcat

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestJudges lets the outside judges read a register of every rule and every
// nasty value. `make test` shows them the demo register too.
func TestJudges(t *testing.T) {
	if testing.Short() || os.Getenv("DCAT_SITE") != "" {
		t.Skip("the judges are slow")
	}
	script := filepath.Join("..", "..", ".ci", "dcat", "judge.sh")
	if _, err := os.Stat(filepath.Join("..", "..", ".cache", "node", "node_modules", "n3")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the judges are not installed, run .ci/install.sh: %v", err)
		}
		t.Skip("the judges are not installed, run .ci/install.sh")
	}
	dir := t.TempDir()
	r := New(Options{})
	for route, doc := range files(t, r, freeze(t, r, append(fixture(), hostile(5)...))) {
		path := filepath.Join(dir, filepath.FromSlash(route))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(script, dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}
