package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestHelp: each command stands in a group, says what a stop leaves and has
// examples that its own flags allow.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, cmd := range newRoot(os.Stderr).Commands() {
		if cmd.GroupID == "" {
			t.Errorf("%s stands in no group", cmd.CommandPath())
		}
	}
	for _, cmd := range runnable(t) {
		if cmd.Annotations[keptKey] == "" {
			t.Errorf("%s does not say what a stop leaves", cmd.CommandPath())
		}
		if !strings.Contains(cmd.Example, cmd.CommandPath()) {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		flags := map[string]bool{}
		note := func(f *pflag.Flag) { flags[f.Name] = true }
		cmd.Flags().VisitAll(note)
		cmd.InheritedFlags().VisitAll(note)
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+)`).FindAllStringSubmatch(cmd.Example, -1) {
			if !flags[m[1]] {
				t.Errorf("%s: the example names --%s", cmd.CommandPath(), m[1])
			}
		}
	}
}

func TestUnknownCommands(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"biuld": "did you mean build?", "admin tokne": "did you mean token?", "nothing": "`assay --help` lists them", "admin nothing": "`assay admin --help` lists them",
	} {
		if code, _, said := assay(t, strings.Fields(args)...); code != 1 || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, %s", args, code, said)
		}
	}
}

// TestManual: one page for each command, with its examples, the same each time.
func TestManual(t *testing.T) {
	t.Parallel()
	one, two := filepath.Join(t.TempDir(), "man1"), t.TempDir()
	must(t, "man", one)
	must(t, "man", two)
	for _, cmd := range runnable(t) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(one, name))
		if err != nil || !strings.Contains(string(page), ".SH EXAMPLE") || !strings.HasPrefix(string(page), ".nh\n.TH \"ASSAY\" \"1\"") {
			t.Errorf("%s: %v\n%.300s", name, err, page)
		}
		if again, err := os.ReadFile(filepath.Join(two, name)); err != nil || string(again) != string(page) {
			t.Errorf("%s differs the second time, %v", name, err)
		}
	}
}

// TestOrigin: the linker beats the Go command, that one the archive of the tree.
func TestOrigin(t *testing.T) {
	t.Parallel()
	noted := []debug.BuildSetting{{Key: "vcs.revision", Value: "bbb"}, {Key: "vcs.time", Value: "2026-02-02T00:00:00Z"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		settings []debug.BuildSetting
		archived string
		want     string
	}{
		{noted, "aaa 2026-01-01T00:00:00Z", "commit bbb of 2026-02-02T00:00:00Z, modified"},
		{nil, "aaa 2026-01-01T00:00:00Z\n", "commit aaa of 2026-01-01T00:00:00Z"},
		{nil, "$Format:%H %cI$\n", "commit unknown"},
	} {
		if got := originOf(c.settings, c.archived).String(); got != c.want {
			t.Errorf("%q: %s, want %s", c.archived, got, c.want)
		}
	}
	for _, args := range []string{"version", "--version"} {
		if out := must(t, args); !regexp.MustCompile(`^assay \S+ \(commit \S+.*, go1\.\S+ \w+/\w+\)\n$`).MatchString(out) {
			t.Errorf("%s prints %q", args, out)
		}
	}
}

// TestArchive: a tree that git archives carries its commit.
func TestArchive(t *testing.T) {
	t.Parallel()
	attributes, err := os.ReadFile(filepath.Join("..", "..", ".gitattributes"))
	if err != nil || !strings.Contains(string(attributes), "cmd/assay/archived.txt export-subst") {
		t.Errorf("%s, %v", attributes, err)
	}
	if !regexp.MustCompile(`^(\$Format:%H %cI\$|[0-9a-f]{40} \d{4}-\d\d-\d\dT\S+)\n$`).MatchString(archived) {
		t.Errorf("archived.txt holds %q", archived)
	}
}

// TestCompletion: shells are told sources, kinds and roles.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"gb-api-catalogue\t": {"harvest", "gb-"}, "fr-data-gouv": {"sources", "confirm", "fr"}, "ckan\n": {"harvest", "--kind", ""},
		"moderator\n": {"admin", "token", "create", "--role", ""}, "json\n": {"build", "--log", ""},
	} {
		if out := must(t, append([]string{"__complete"}, args...)...); !strings.Contains(out, want) {
			t.Errorf("%v: %q is not among %s", args, want, out)
		}
	}
}

// TestCompletionOfTheStore: shells are told entries and tokens; a store that is
// not there is not made.
func TestCompletionOfTheStore(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none.db")
	if out := must(t, "__complete", "verify", "--db", "sqlite:"+none, ""); !strings.HasPrefix(out, ":4") {
		t.Errorf("without a store: %s", out)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("completion made a store")
	}
	db := sampleStore(t)
	must(t, "admin", "token", "create", "--role", "moderator", "--name", "Ada", "--db", db)
	list := strings.Split(must(t, "admin", "token", "list", "--db", db), "\n")
	id, _, _ := strings.Cut(list[1], " ")
	for _, c := range []struct {
		args []string
		want string
		no   string
	}{
		{[]string{"verify", "--db", db, "base-"}, "base-adresse-nationale\t", "digitraffic"},
		{[]string{"verify", "--db", db, "base-adresse-nationale", "digitraffic-r"}, "digitraffic-rautatieliikenne\t", "base-"},
		{[]string{"admin", "token", "revoke", "--db", db, ""}, id + "\tAda", "base-"},
		{[]string{"admin", "token", "revoke", "--db", db, id, ""}, ":4", id},
	} {
		if out := must(t, append([]string{"__complete"}, c.args...)...); !strings.Contains(out, c.want) || strings.Contains(out, c.no) {
			t.Errorf("%v: %s", c.args, out)
		}
	}
}
