package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// steered are characters by which a text steers a terminal or changes the order
// in which it is read, as runes and as a byte of eight bits.
const steered = "\x1b[2J\a\r\u009b31m\u202e\u2066\x9b"

func TestVisible(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Grüße\t🏛 Ελλάδα\n": "Grüße\t🏛 Ελλάδα\n", "": "",
		steered: `\x1b[2J\a\r\u009b31m\u202e\u2066\x9b`, "a\x00b\u007f": `a\x00b\x7f`, "\xc3": `\xc3`,
	} {
		if got := visible(s); got != want {
			t.Errorf("%q is shown as %q, want %q", s, got, want)
		}
	}
}

// TestNothingSteersTheTerminal: names of files, routes of a site of somebody
// else and words of a service are shown, not obeyed.
func TestNothingSteersTheTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table := write("x\x1b[2J\u202e.csv", "name,url\nx,none\n")
	write("site/snapshot.json", `{"snapshot":"x\u001b[2J"}`)
	write("site/routes.ndjson", `{"route":"/\u001b[2J\u202e","sha256":"\u001b[2J"}`+"\n")
	for _, args := range [][]string{
		{"harvest", "--kind", "csv", "--official", "x", "--file", table, "--db", "sqlite:" + filepath.Join(dir, "a.db")},
		{"check", filepath.Join(dir, "site")},
		{"harvest", "--kind", "csv", "--file", filepath.Join(dir, "none\x1b[2J\u202e"), "--db", "sqlite:" + filepath.Join(dir, "b.db")},
	} {
		code, stdout, stderr := assay(t, args...)
		said := stdout + stderr
		if code != 1 || !strings.Contains(said, `\x1b[2J`) || !utf8.ValidString(said) || strings.ContainsAny(said, "\x1b\u202e") {
			t.Errorf("%s: exit code %d, %q", args[0], code, said)
		}
	}
}
