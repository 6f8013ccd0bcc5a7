package main

import (
	"bytes"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestConfigurationReference: site/docs/configuration.md says what the code
// takes.
func TestConfigurationReference(t *testing.T) {
	t.Parallel()
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
	if b, err := os.ReadFile("assay.yaml"); err != nil || !bytes.Equal(b, initial()) {
		t.Errorf("the file was overwritten: %v", err)
	}
}

// TestInitialFile: the file of a new register explains every setting, and loads
// with every key in force, in every command.
func TestInitialFile(t *testing.T) {
	t.Parallel()
	text := string(initial())
	for _, f := range setup.SourceFields() {
		if !strings.Contains(text, "#   "+f.Key+" ") {
			t.Errorf("the file does not explain the key %s of a source", f.Key)
		}
	}
	inForce := regexp.MustCompile(`(?m)^# ([a-z0-9_]+:(?: \S*)?)$`).ReplaceAllString(text, "$1")
	for _, key := range setup.Keys(newRoot(os.Stderr)) {
		if got := len(regexp.MustCompile(`(?m)^`+key+`:`).FindAllString(inForce, -1)); got != 1 {
			t.Errorf("the key %s stands in the file %d times", key, got)
		}
	}
	path := filepath.Join(t.TempDir(), "assay.yaml")
	if err := os.WriteFile(path, []byte(inForce), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range every(newRoot(os.Stderr)) {
		if err := cmd.ParseFlags([]string{"--config", path}); err != nil {
			t.Fatal(err)
		}
		if err := setup.Fill(cmd, os.Stderr); err != nil {
			t.Errorf("%s: %v", cmd.CommandPath(), err)
		}
		if list, err := setup.Sources(cmd); err != nil || len(list) != 0 {
			t.Errorf("%s: %v, %v", cmd.CommandPath(), list, err)
		}
	}
	// What is behind comment signs is what the commands do without it.
	for _, list := range settings() {
		for _, s := range list {
			for _, u := range s.uses {
				if value := u.standard(); begins[s.name] == "" && value != s.shown() && !strings.Contains(text, "Default: "+yamlValue(value)) {
					t.Errorf("%s: the default of %s is %q", s.name, u.where(), value)
				}
			}
		}
	}
}

// TestRedact keeps the password of a store out of messages.
func TestRedact(t *testing.T) {
	t.Parallel()
	for db, want := range map[string]string{
		"sqlite:assay.db": "sqlite:assay.db", "postgres://user:secret@host/name": "postgres://user:xxxxx@host/name",
	} {
		if got := setup.Redact(db); got != want {
			t.Errorf("%s is shown as %s", db, got)
		}
	}
}

// TestWhoRunsIt: name, contact, licence and colours of the configuration reach
// what the register says of itself, and the contact the servers that it asks.
func TestWhoRunsIt(t *testing.T) {
	t.Chdir(t.TempDir())
	config := "name: Rivertown\nbase_url: https://rivertown.example\nlicense: CC-BY-4.0\ncontact: open@rivertown.example\naccent: \"#7a1f5c\"\nout: site\n"
	if err := os.WriteFile("assay.yaml", []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "build")
	for file, want := range map[string]string{
		"llms.txt": "mailto:open@rivertown.example", "catalog.ttl": "<mailto:open@rivertown.example>", "snapshot.json": `"CC-BY-4.0"`,
		"index.html": "/assets/theme.", "openapi.json": "Rivertown",
	} {
		if b, err := os.ReadFile(filepath.Join("site", file)); err != nil || !bytes.Contains(b, []byte(want)) {
			t.Errorf("%s does not say %s (%v)", file, want, err)
		}
	}
	must(t, "check", "site")
	agent := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		http.NotFound(w, r)
	}))
	defer s.Close()
	if code, _, _ := assay(t, "check", s.URL); code == 0 || !strings.Contains(agent, "open@rivertown.example") {
		t.Errorf("a server is asked by %q", agent)
	}
	if code, _, said := assay(t, "build", "--accent", "#ffee00"); code != 1 || !strings.Contains(said, "darker") {
		t.Errorf("a colour that cannot be read: exit code %d, %s", code, said)
	}
}

// TestThresholds: those of the configuration reach the harvest and the checks,
// and ones that make no sense are refused by name.
func TestThresholds(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("assay.yaml", []byte("approve_at: 30\nquarantine_at: 20\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	page := `{"openapi":"3.0.3","info":{"title":"Rain","version":"1"},"servers":[{"url":"https://api.os.uk/rain"}],"paths":{}}`
	if err := os.WriteFile("rain.json", []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	harvest := func(more ...string) string {
		t.Helper()
		code, _, said := assay(t, append([]string{"harvest", "--kind", "openapi", "--file", "rain.json"}, more...)...)
		if want := strings.Count(strings.Join(more, " "), "--quarantine-at"); code != want {
			t.Fatal(said) // a run of which nothing is taken fails
		}
		return strings.Join(strings.Fields(said), " ")
	}
	if said := harvest("--quarantine-at", "100", "--approve-at", "100"); !strings.Contains(said, "not_official 1") {
		t.Errorf("a strict register: %s", said)
	}
	if said := harvest("--approve-at", "100"); !strings.Contains(said, "quarantined 1") {
		t.Errorf("a wary register: %s", said)
	}
	if said := harvest(); !strings.Contains(said, "updated 1") {
		t.Errorf("as the file says: %s", said)
	}
	want := catalog.Thresholds{Approve: 30, Quarantine: 20}
	a := &app{thresholds: want, log: slog.New(slog.DiscardHandler)}
	if got := a.batch(&harvestFlags{}).Options.Thresholds; got != want {
		t.Errorf("queued harvests use %+v", got)
	}
	if got := a.checker(nil, &workerFlags{}).Options.Thresholds; got != want {
		t.Errorf("checks of submissions use %+v", got)
	}
	for _, bad := range [][]string{{"--approve-at", "10", "--approve-at, --quarantine-at: "}, {"--quarantine-at", "0", "use 1 to 100"}, {"--approve-at", "101", "use 1 to 100"}} {
		if code, _, said := assay(t, append([]string{"sources"}, bad[:2]...)...); code == 0 || !strings.Contains(said, bad[2]) {
			t.Errorf("%v: exit code %d, %s", bad, code, said)
		}
	}
}
