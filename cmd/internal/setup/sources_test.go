package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

const file = `db: sqlite:x.db
sources:
  - key: gb-data-gov
  - key: own   # a comment
    kind: ckan
    url: https://data.example.gov/
    title: Own portal
    country: GB
    institution: gb-tides
    official: by law
    schedule: weekly
    incremental: true
    enabled: false
    filters: {fq: "organization:x", q: rivers}
`

func TestSources(t *testing.T) {
	off := false
	want := []Source{
		{Key: "gb-data-gov", Place: "configuration c.yaml, line 3"},
		{Key: "own", Kind: "ckan", URL: "https://data.example.gov/", Title: "Own portal", Country: "GB", Institution: "gb-tides", Official: "by law",
			Schedule: "weekly", Incremental: true, Enabled: &off, Filters: map[string]string{"fq": "organization:x", "q": "rivers"},
			Place: "configuration c.yaml, line 4"},
	}
	got, err := parseSources("c.yaml", []byte(file))
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	for _, empty := range []string{"", "\n# nothing\n", "db: x\n", "sources:\n", "sources: []\n"} {
		if got, err := parseSources("c.yaml", []byte(empty)); err != nil || len(got) != 0 {
			t.Errorf("%q: %v, %v", empty, got, err)
		}
	}
	for text, want := range map[string]string{
		"sources:\n  - key: x\n    colour: red\n":        "line 3",
		"sources:\n  - key: [a]\n":                       "line 2",
		"sources:\n  key: x\n":                           "line 2",
		"sources:\n  - key: x\n    enabled: perhaps\n":   "line 3",
		"sources:\n  - key: x\n    filters: [a]\n":       "line 3",
		"sources:\n  - key: \"x\n":                       "line",
		"sources:\n  - x\n":                              "line 2",
		"sources:\n  - key: x\n    key: y\n    url: z\n": "line 3",
	} {
		if _, err := parseSources("c.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "c.yaml") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestConfigurationPrecedence: flag over environment over file over default;
// sources are no unknown key.
func TestConfigurationPrecedence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		env  string
		want string
	}{
		{nil, "", "sqlite:x.db"}, {nil, "sqlite:env.db", "sqlite:env.db"}, {[]string{"--db", "sqlite:flag.db"}, "sqlite:env.db", "sqlite:flag.db"},
	} {
		cmd := &cobra.Command{Use: "assay", RunE: func(cmd *cobra.Command, _ []string) error { return Fill(cmd) }}
		cmd.Flags().String("config", DefaultConfig, "")
		db := cmd.Flags().String("db", "sqlite:default.db", "")
		cmd.SetArgs(append(c.args, "--config", path))
		if c.env != "" {
			t.Setenv("ASSAY_DB", c.env)
		}
		if err := cmd.Execute(); err != nil || *db != c.want {
			t.Errorf("%v %s: %s, %v", c.args, c.env, *db, err)
		}
		if got, err := Sources(cmd); err != nil || len(got) != 2 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

func FuzzSources(f *testing.F) {
	f.Add([]byte(file))
	f.Add([]byte("sources: [{key: a}, {key: b}]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseSources("c.yaml", b)
		for _, s := range got {
			if err == nil && s.Place == "" {
				t.Errorf("%q: a source without a place", b)
			}
		}
	})
}
