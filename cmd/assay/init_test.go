package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/assay-register/assay/cmd/internal/setup"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestConfigurationReference: site/docs/configuration.md says what the code
// takes.
func TestConfigurationReference(t *testing.T) {
	path := filepath.Join("..", "..", "site", "docs", "configuration.md")
	if *update {
		if err := os.WriteFile(path, configuration(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(want, configuration()) {
		t.Errorf("%s differs from the flags (%v); run go test ./cmd/assay -run TestConfigurationReference -update", path, err)
	}
}

// TestInit writes the configuration of a new register and runs with it.
func TestInit(t *testing.T) {
	t.Chdir(t.TempDir())
	_, _, said := assay(t, "init")
	if !strings.Contains(said, "assay.yaml") {
		t.Errorf("init says %s", said)
	}
	if _, err := os.Stat("assay.db"); err != nil {
		t.Error(err)
	}
	must(t, "sources")
	if code, _, said := assay(t, "init"); code != 1 || !strings.Contains(said, "there already") {
		t.Errorf("the second init: exit code %d, %s", code, said)
	}
	if b, err := os.ReadFile("assay.yaml"); err != nil || !bytes.Equal(b, initial) {
		t.Errorf("the file was overwritten: %v", err)
	}
}

// TestInitialKeys: each key of the file, also in a comment, is one that a
// command takes, and what is commented out is the default.
func TestInitialKeys(t *testing.T) {
	defaults := map[string]string{}
	root := newRoot(os.Stderr)
	note := func(f *pflag.Flag) { defaults[setup.Key(f.Name)] = f.DefValue }
	root.PersistentFlags().VisitAll(note)
	for _, cmd := range every(root) {
		cmd.LocalNonPersistentFlags().VisitAll(note)
	}
	line := regexp.MustCompile(`(?m)^(# )?([a-z_0-9]+): ?(.*)$`)
	found := 0
	for _, m := range line.FindAllStringSubmatch(string(initial), -1) {
		comment, key, value := m[1] != "", m[2], strings.Trim(m[3], `"`)
		if key == "sources" {
			continue
		}
		found++
		def, known := defaults[key]
		if !known {
			t.Errorf("no command has the key %s", key)
		}
		if comment && value != def && value+"0s" != def && strings.TrimSuffix(strings.TrimSuffix(def, "0s"), "0m") != value {
			t.Errorf("%s is commented out as %q, the default is %q", key, value, def)
		}
	}
	if found < 15 {
		t.Errorf("only %d keys are explained", found)
	}
}

// TestRedact keeps the password of a store out of messages.
func TestRedact(t *testing.T) {
	for db, want := range map[string]string{
		"sqlite:assay.db": "sqlite:assay.db", "postgres://user:secret@host/name": "postgres://user:xxxxx@host/name",
	} {
		if got := setup.Redact(db); got != want {
			t.Errorf("%s is shown as %s", db, got)
		}
	}
}
