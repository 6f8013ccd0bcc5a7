package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/cmd/internal/deploytest"
)

// deploy is the folder of what a register is run with.
var deploy = filepath.Join("..", "..", "site", "deploy")

// TestDashboardAndAlerts: every metric that they name is one that a service
// shows.
func TestDashboardAndAlerts(t *testing.T) {
	base := start(t, "demo", "--addr", "127.0.0.1:0", "--out", filepath.Join(t.TempDir(), "site"))
	fetch(t, base+"/api/v1/entries?limit=1")
	_, shown := fetch(t, base+"/metrics")
	for _, file := range []string{"grafana/assay.json", "prometheus/alerts.yml"} {
		text, err := os.ReadFile(filepath.Join(deploy, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`\b(assay|go|process)_[a-z_]+\b`).FindAllString(string(text), -1)
		if len(names) < 8 {
			t.Errorf("%s names only %v", file, names)
		}
		for _, name := range names {
			// These two have no value before something was refused or queued.
			if name == "assay_rate_limited_total" || name == "assay_jobs" {
				continue
			}
			if !strings.Contains(string(shown), "\n"+name) {
				t.Errorf("%s names %s, which the service does not show", file, name)
			}
		}
	}
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(filepath.Join(deploy, "grafana", "assay.json"))
	if err == nil {
		err = json.Unmarshal(text, &board)
	}
	if err != nil || len(board.Panels) < 10 {
		t.Fatalf("%d panels, %v", len(board.Panels), err)
	}
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || p.Title == "" || len(p.Targets) == 0 || p.Targets[0].Expr == "" {
			t.Errorf("panel %d %q is not complete", p.ID, p.Title)
		}
		ids[p.ID] = true
	}
}

// TestAlertRules runs the rules over series with the tools of Prometheus.
func TestAlertRules(t *testing.T) {
	promtool := program(t, "promtool")
	for _, args := range [][]string{{"check", "rules", "alerts.yml"}, {"check", "config", "prometheus.yml"}, {"test", "rules", "alerts_test.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = filepath.Join(deploy, "prometheus")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// TestUnits lets systemd read the units, with this test's program in place of
// the installed one, and rate how open they are to the system.
func TestUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd is not installed here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"assay.service", "assay-worker.service", "assay-rebuild.service", "assay-rebuild.timer"} {
		text, err := os.ReadFile(filepath.Join(deploy, "systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.ReplaceAll(string(text), "/usr/local/bin/assay", self))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"assay.service", "assay-worker.service", "assay-rebuild.timer"} {
		out, err := exec.Command(analyze, "verify", "--man=no", filepath.Join(dir, name)).CombinedOutput()
		if err != nil || strings.Contains(string(out), name) {
			t.Errorf("systemd-analyze verify %s: %v\n%s", name, err, out)
		}
	}
	for _, name := range []string{"assay.service", "assay-worker.service", "assay-rebuild.service"} {
		out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", filepath.Join(dir, name)).CombinedOutput()
		if err != nil {
			t.Errorf("%s is open to more than 2.0 of 10: %v\n%.2000s", name, err, out)
		}
	}
}

// TestCompose: compose can read the file, every service has an image, and each
// variable is one that the program reads. TestComposeRuns runs it.
func TestCompose(t *testing.T) {
	t.Parallel()
	file, err := deploytest.ReadCompose(t.Context(), filepath.Join(deploy, "compose.yaml"), map[string]string{"POSTGRES_PASSWORD": "x", "ASSAY_HOST": "x"})
	if err != nil {
		t.Fatal(err)
	}
	reference := string(configuration())
	for _, name := range file.Services() {
		s, err := file.Service(name)
		if err != nil || s.Image == "" {
			t.Errorf("%s has no image, %v", name, err)
		}
		for key := range s.Environment {
			if strings.HasPrefix(key, "ASSAY_") && key != "ASSAY_HOST" && key != "ASSAY_CONFIG" && !strings.Contains(reference, "`"+key+"`") {
				t.Errorf("%s sets %s, which no command reads", name, key)
			}
		}
	}
	docker, err := os.ReadFile(filepath.Join(deploy, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"CGO_ENABLED=0", "USER nonroot", "HEALTHCHECK", "assay\", \"health\""} {
		if !strings.Contains(string(docker), part) {
			t.Errorf("the Dockerfile lacks %s", part)
		}
	}
}

// TestWorkflows lets actionlint read the workflows.
func TestWorkflows(t *testing.T) {
	lint, err := filepath.Abs(filepath.Join("..", "..", ".cache", "bin", "actionlint"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(lint); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("actionlint is missing: run make test, which installs it")
		}
		t.Skip("actionlint is not installed; make test installs it")
	}
	files, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	if out, err := exec.Command(lint, append([]string{"-shellcheck=", "-pyflakes="}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
