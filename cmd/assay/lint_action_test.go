package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/cmd/internal/binary"
)

// TestLintAction runs the step of the GitHub Action that finds what must be mended, as a runner
// does, and holds the workflow in the guide to the inputs and outputs of the action.
func TestLintAction(t *testing.T) {
	t.Parallel()
	var action struct {
		Inputs, Outputs map[string]any
		Runs            struct {
			Steps []struct {
				ID, Run string
				Env     map[string]string
			}
		}
	}
	text, err := os.ReadFile("../../.github/actions/lint/action.yml")
	if err != nil || yaml.Unmarshal(text, &action) != nil || action.Inputs["path"] == nil || action.Outputs["report"] == nil {
		t.Fatalf("%+v, %v", action, err)
	}
	step := action.Runs.Steps[slices.IndexFunc(action.Runs.Steps, func(s struct {
		ID, Run string
		Env     map[string]string
	}) bool {
		return s.ID == "lint"
	})]
	bad := `{"@type":"dcat:Catalog","conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":[{"@type":"dcat:Dataset","identifier":"a","title":""}]}`
	for name, c := range map[string]struct {
		text, fail   string
		code         int
		mend         string
		path, report string
	}{"must be mended": {bad, "must", 1, "mend=true", "data.json", "report.sarif"}, "told only": {bad, "never", 0, "mend=true", "data.json", "report.sarif"}, "unreadable": {"", "never", 2, "", "data.json", "report.sarif"},
		"a path like a flag": {bad, "must", 2, "", "-h", "report.sarif"}, "an output in the report": {bad, "must", 2, "", "data.json", "report.sarif\nmend=false"}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "assay"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(binary.Path(t), filepath.Join(dir, "assay", "assay")); err != nil {
				t.Fatal(err)
			}
			if c.text != "" {
				if err := os.WriteFile(filepath.Join(dir, "data.json"), []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", step.Run)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+filepath.Join(dir, "out"), "LINT_PATH="+c.path, "LINT_KIND=", "LINT_FORMAT=sarif", "LINT_REPORT="+c.report, "LINT_FAIL="+c.fail)
			log, _ := cmd.CombinedOutput()
			out, _ := os.ReadFile(filepath.Join(dir, "out"))
			if got := cmd.ProcessState.ExitCode(); got != c.code || !strings.Contains(string(out), c.mend) || c.mend == "" && len(out) > 0 {
				t.Errorf("exit code %d, want %d, outputs %q\n%s", got, c.code, out, log)
			}
			if report, err := os.ReadFile(filepath.Join(dir, "report.sarif")); c.mend != "" && (err != nil || !strings.Contains(string(report), `"version"`)) {
				t.Errorf("report %.80s, %v", report, err)
			}
		})
	}
	for name := range step.Env {
		if !strings.HasPrefix(name, "LINT_") {
			t.Errorf("the step has %s, which this test does not give it", name)
		}
	}
}
