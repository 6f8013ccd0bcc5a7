package setup

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

const sample = `db: sqlite:x.db
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
    portal: true
    enabled: false
    filters: {fq: "organization:x", q: rivers}
`

func TestSources(t *testing.T) {
	off, on := false, true
	want := []Source{
		{Key: "gb-data-gov", Place: "c.yaml:3"},
		{Key: "own", Kind: "ckan", URL: "https://data.example.gov/", Title: "Own portal", Country: "GB", Institution: "gb-tides", Official: "by law",
			Schedule: "weekly", Incremental: true, Portal: &on, Enabled: &off, Filters: map[string]string{"fq": "organization:x", "q": "rivers"},
			Place: "c.yaml:4"},
	}
	got, err := parseSources(sample)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	for _, empty := range []string{"", "\n# nothing\n", "db: x\n", "sources:\n", "sources: []\n"} {
		if got, err := parseSources(empty); err != nil || len(got) != 0 {
			t.Errorf("%q: %v, %v", empty, got, err)
		}
	}
	for text, want := range map[string]string{
		"sources:\n  - key: x\n    titel: red\n":             `c.yaml:3: a source has no key "titel"; did you mean title?`,
		"sources:\n  - key: [a]\n":                           `c.yaml:2: key: write one value`,
		"sources:\n  key: x\n":                               `c.yaml:2: sources: write a list`,
		"sources:\n  - key: x\n    enabled: perhaps\n":       `c.yaml:3: enabled: "perhaps": use true or false`,
		"sources:\n  - key: x\n    filters: [a]\n":           `c.yaml:3: filters: write keys and values`,
		"sources:\n  - key: x\n    filters:\n      a: [b]\n": `c.yaml:3: filters: a: write one value`,
		"sources:\n  - x\n":                                  `c.yaml:2: sources: write keys and values`,
		"sources:\n  - key: x\n    key: y\n    url: z\n":     `c.yaml:3: the key key stands at line 2 already`,
		"sources:\n  - kind: ckan\n":                         `c.yaml:2: the source has no key`,
		"sources:\n  - key: X y\n":                           `c.yaml:2: key: "X y": use small letters`,
		"sources:\n  - key: x\n\n    kind: ckna\n":           `c.yaml:4: kind: "ckna": there is no such protocol; did you mean ckan?`,
		"sources:\n  - key: x\n    url: x.example\n":         `c.yaml:3: url: "x.example": use an http or https URL`,
		"sources:\n  - key: x\n    country: Latvia\n":        `c.yaml:3: country: "Latvia": use two letters`,
		"sources:\n  - key: x\n    schedule: often\n":        `c.yaml:3: schedule: "often": use hourly`,
	} {
		if _, err := parseSources(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// parseSources reads the sources of the file c.yaml.
func parseSources(text string) ([]Source, error) {
	f, err := parse("c.yaml", []byte(text), []string{"db"})
	if err != nil {
		return nil, err
	}
	return f.readSources()
}

// TestConfigurationPrecedence: flag over environment over file over default;
// sources are no unknown key.
func TestConfigurationPrecedence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		env  string
		want string
	}{
		{nil, "", "sqlite:x.db"}, {nil, "sqlite:env.db", "sqlite:env.db"}, {[]string{"--db", "sqlite:flag.db"}, "sqlite:env.db", "sqlite:flag.db"},
	} {
		cmd := &cobra.Command{Use: "assay", RunE: func(cmd *cobra.Command, _ []string) error { return Fill(cmd, io.Discard) }}
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
	f.Add([]byte(sample))
	f.Add([]byte("sources: [{key: a}, {key: b}]"))
	f.Add([]byte("a: &x [1]\nsources: *x\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseSources(string(b))
		for _, s := range got {
			if err == nil && (s.Place == "" || s.Key == "") {
				t.Errorf("%q: a source without a place or a key", b)
			}
		}
		if err != nil && (!strings.Contains(err.Error(), "c.yaml:") || strings.Contains(err.Error(), "setup.") || strings.Contains(err.Error(), "!!")) {
			t.Errorf("%q: %v", b, err)
		}
	})
}
