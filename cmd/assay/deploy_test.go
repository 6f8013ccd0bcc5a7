package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/deploytest"
	"github.com/assay-register/assay/render/catalog"
)

// deploy is the folder of what a register is run with.
var deploy = filepath.Join("..", "..", "site", "deploy")

// registerWithSource is a store with two entries that are due, a source that was
// harvested, and a job that nobody takes; and its site.
func registerWithSource(t *testing.T) (db, site string) {
	t.Helper()
	db, site = verifyStore(t), filepath.Join(t.TempDir(), "site")
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	now := time.Now().UTC()
	src := catalog.Source{ID: harvest.SourceID("portal"), Key: "portal", Kind: "ckan", Title: "Portal", URL: "http://127.0.0.1:9/", Enabled: true, Managed: true,
		Schedule: "monthly", CreatedAt: now, UpdatedAt: now}
	run := catalog.HarvestRun{ID: catalog.NewRunID(src.ID, now, 0), SourceID: src.ID, State: catalog.RunComplete, StartedAt: now, UpdatedAt: now, FinishedAt: now,
		Counts: catalog.RunCounts{In: 2, Created: 2}}
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(t.Context(), catalog.Job{ID: "waits", Kind: "nobody.takes", RunAt: now, CreatedAt: now, MaxAttempts: 1})
		return errors.Join(err, tx.Sources().Put(t.Context(), src), tx.Runs().Put(t.Context(), run))
	})
	if err != nil {
		t.Fatal(err)
	}
	must(t, "build", "--db", db, "--site", site)
	return db, site
}

// TestDashboardAndAlerts starts the service as it is shipped: every metric that
// the dashboard and the alerts name is there.
func TestDashboardAndAlerts(t *testing.T) {
	t.Parallel()
	db, site := registerWithSource(t)
	base := start(t, "serve", "--db", db, "--site", site, "--addr", "127.0.0.1:0", "--allow-private", "--rate-per-host", "200", "--confirm-after", "0",
		"--mail-dir", t.TempDir())
	fetch(t, base+"/api/v1/entries?limit=1")
	var shown []byte
	for end := time.Now().Add(hang); !strings.Contains(string(shown), `assay_probes_total{outcome="up"} 1`); time.Sleep(50 * time.Millisecond) {
		if _, shown = fetch(t, base+"/metrics"); time.Now().After(end) {
			t.Fatal("no probe was counted in time")
		}
	}
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
			// It has no value before something was refused.
			if name == "assay_rate_limited_total" {
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
