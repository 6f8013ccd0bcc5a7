package template

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var stepBlock = regexp.MustCompile("(?s)\n   ```sh\n(.*?)\n   ```\n")

// TestSteps takes the steps of site/docs/add-a-connector.md in a copy of the
// source, word for word: a connector is added, listed, written into the reference
// of the configuration, tested and tried.
func TestSteps(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("it compiles a copy of the source; ASSAY_SOAK=1 runs it")
	}
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	guide, err := os.ReadFile(filepath.Join(root, "site", "docs", "add-a-connector.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := "set -euo pipefail\n"
	steps := stepBlock.FindAllStringSubmatch(string(guide), -1)
	for _, step := range steps {
		script += strings.ReplaceAll(step[1], "\n   ", "\n")[3:] + "\n"
	}
	if len(steps) != 4 {
		t.Fatalf("the guide has %d steps that are commands", len(steps))
	}
	copied := t.TempDir()
	for _, dir := range []string{"build", "cmd", "dynamic", "migrations", "render", "site", "templates"} {
		if err := os.CopyFS(filepath.Join(copied, dir), os.DirFS(filepath.Join(root, dir))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "LICENSE", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(copied, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "bash", "-c", script)
	cmd.Dir = copied
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"created      1", "rejected     2"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the trial does not say %q:\n%s", want, out)
		}
	}
	reference, err := os.ReadFile(filepath.Join(copied, "site", "docs", "configuration.md"))
	if err != nil || !strings.Contains(string(reference), "example") {
		t.Errorf("the reference does not name the kind: %v", err)
	}
}
