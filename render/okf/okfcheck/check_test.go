package okfcheck

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const front = `type: API
title: "Companies"
description: "Companies and officers."
resource: "https://data.example/companies"
tags: ["2026"]
timestamp: "2026-11-20T12:00:00Z"
`

const body = "\n# Schema\n\nSee [the part](/apis/b.md) and `[no](link.md)`.\n\n```md\n[no](../x.md)\n# Citations\n```\n\n" +
	"# Citations\n\n[1] [Source](https://data.example/companies)\n\n[2] [Docs](/apis/b.md)\n"

// sound is a bundle that keeps every rule.
func sound() map[string]string {
	concept := "---\n" + front + "---\n" + body
	return map[string]string{
		"index.md":        "---\nokf_version: \"0.1\"\n---\n\n# Sections\n\n* [APIs](apis/) - Two.\n",
		"log.md":          "# Log\n\n## 2026-11-20\n\n* **Update**: [Companies](/apis/a.md).\n\n## 2026-11-19\n* **Creation**: x\n",
		"apis/index.md":   "# APIs\n\n* [Companies](a.md) - Companies and officers.\n* [B \\[x\\]](b.md) - Companies and officers.\n",
		"apis/a.md":       concept,
		"apis/b.md":       concept,
		"apis/sample.csv": "a,b\n",
	}
}

func check(files map[string]string) []Finding {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Check(fsys)
}

func TestSoundBundle(t *testing.T) {
	if found := check(sound()); len(found) > 0 {
		t.Error(found)
	}
}

// broken are one change of the sound bundle for each way to break a rule; an
// empty new text removes the file or the words.
var broken = []struct{ rule, file, old, new string }{
	{"M1", "apis/a.md", "---\n" + front + "---\n", ""},
	{"M1", "apis/a.md", "\n---\n", "\n"},
	{"M1", "apis/a.md", "tags: [", "tags: [" + "\"unclosed"},
	{"M1", "apis/a.md", front, "- a list\n"},
	{"M1", "README.md", "", "# About\n"},
	{"M2", "apis/a.md", "type: API\n", ""},
	{"M2", "apis/a.md", "type: API", "type: \"\""},
	{"M2", "apis/a.md", "type: API", "type: no"},
	{"M2", "apis/a.md", "officers", "offic\xff"},
	{"M3", "apis/index.md", "# APIs", "---\n" + front + "---\n# APIs"},
	{"M3", "log.md", "# Log", "---\ntype: Log\n---\n# Log"},
	{"M4", "apis/index.md", "# APIs", "---\nokf_version: \"0.1\"\n---\n# APIs"},
	{"M4", "index.md", "okf_version", "extra: 1\nokf_version"},
	{"M4", "index.md", "# Sections\n", ""},
	{"M4", "apis/index.md", "# APIs\n", "# APIs\n\nText.\n"},
	{"M4", "apis/index.md", "# APIs\n", "# Empty\n\n# APIs\n"},
	{"M4", "apis/index.md", "* [Companies]", "- [Companies]"},
	{"M4", "index.md", "\n---\n\n#", "\n\n#"},
	{"M5", "log.md", "## 2026-11-19", "## 19 Nov 2026"},
	{"M5", "log.md", "## 2026-11-19", "## 2026-13-19"},
	{"M5", "log.md", "## 2026-11-19", "## 2026-11-21"},
	{"M5", "log.md", "## 2026-11-19", "## 2026-11-20"},
	{"M5", "log.md", "* **Creation**: x\n", ""},
	{"M5", "log.md", "# Log\n", "# Log\n\n* early\n"},
	{"M5", "log.md", "* **Creation**", "### x\n* **Creation**"},
	{"M5", "log.md", "# Log", "---\nx: 1\n---\n# Log"},
	{"S1", "apis/a.md", "title: \"Companies\"\n", ""},
	{"S1", "apis/a.md", "\"Companies\"", "2026"},
	{"S2", "apis/a.md", "description", "descr"},
	{"S2", "apis/a.md", "and officers", "and\\nofficers"},
	{"S3", "apis/a.md", "resource", "res"},
	{"S3", "apis/a.md", "https://data.example/companies\"\ntags", "companies\"\ntags"},
	{"S4", "apis/a.md", "tags: [\"2026\"]\n", ""},
	{"S4", "apis/a.md", "[\"2026\"]", "[2026]"},
	{"S4", "apis/a.md", "[\"2026\"]", "\"2026\""},
	{"S5", "apis/a.md", "timestamp", "stamp"},
	{"S5", "apis/a.md", "\"2026-11-20T12:00:00Z\"", "2026-11-20T12:00:00Z"},
	{"S5", "apis/a.md", "2026-11-20T12:00:00Z", "2026-11-20"},
	{"S5", "apis/a.md", "2026-11-20T12:00:00Z", "2026-13-20T12:00:00Z"},
	{"S6", "apis/a.md", body, "\nText.\n"},
	{"S7", "apis/a.md", "# Schema", "## Schema"},
	{"S7", "apis/a.md", "[2] ", "[3] "},
	{"S7", "apis/a.md", "[2] [Docs](/apis/b.md)", "[2] Docs"},
	{"S7", "apis/a.md", "[2] [Docs]", "# More\n\n[2] [Docs]"},
	{"S7", "apis/a.md", "[1] [Source](https://data.example/companies)\n\n[2] [Docs](/apis/b.md)\n", ""},
	{"S8", "apis/index.md", "(a.md) - Companies and officers.", "(a.md) - Others."},
	{"S8", "apis/index.md", "(a.md) - Companies and officers.", "(a.md)"},
	{"S9", "apis/a.md", "(/apis/b.md) and", "(b.md) and"},
	{"S9", "apis/a.md", "(/apis/b.md) and", "(/apis/c.md) and"},
	{"S9", "log.md", "(/apis/a.md)", "(/apis/c.md)"},
	{"S9", "apis/index.md", "(a.md)", "(c.md)"},
	{"S10", "index.md", "* [APIs](apis/)", "* [Log](log.md)"},
	{"S11", "index.md", "\"0.1\"", "0.1"},
	{"S11", "index.md", "---\nokf_version: \"0.1\"\n---\n", ""},
	{"S12", "apis/a b.md", "", "---\n" + front + "---\n" + body},
}

func TestEveryRuleCanFail(t *testing.T) {
	failing := map[string]bool{}
	for _, b := range broken {
		files := sound()
		old := files[b.file]
		if !strings.Contains(old, b.old) {
			t.Errorf("%s: %s has no %q", b.rule, b.file, b.old)
		}
		if b.old == "" {
			files[b.file] = b.new
		} else {
			files[b.file] = strings.Replace(old, b.old, b.new, 1)
		}
		found := check(files)
		if !slices.ContainsFunc(found, func(f Finding) bool {
			return f.Rule == b.rule && f.Path == b.file || f.Rule == b.rule && b.rule == "S10"
		}) {
			t.Errorf("%s: %s with %q in place of %q gives %v", b.rule, b.file, b.new, b.old, found)
		}
		failing[b.rule] = true
	}
	want := []string{"M1", "M2", "M3", "M4", "M5", "S1", "S10", "S11", "S12", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"}
	if got := slices.Sorted(maps.Keys(failing)); !slices.Equal(got, want) {
		t.Errorf("failing cases for %v, rules are %v", got, want)
	}
}

func TestFindingSaysWhere(t *testing.T) {
	f := Finding{"a.md", "M2", "type is missing"}
	if f.String() != "a.md: M2: type is missing" || !f.Must() || (Finding{Rule: "S1"}).Must() {
		t.Error(f)
	}
}

// unreadable is a file system whose files cannot be opened.
type unreadable struct{ fstest.MapFS }

// ReadFile implements fs.ReadFileFS.
func (unreadable) ReadFile(string) ([]byte, error) { return nil, fs.ErrPermission }

func TestUnreadableFileIsAFinding(t *testing.T) {
	found := Check(unreadable{fstest.MapFS{"a.md": {}}})
	if len(found) == 0 || found[0].Rule != "M1" {
		t.Error(found)
	}
}

// FuzzCheck gives the checker any text; it must not panic.
func FuzzCheck(f *testing.F) {
	for _, text := range sound() {
		f.Add(text)
	}
	f.Add("---\n---\n")
	f.Fuzz(func(_ *testing.T, text string) {
		check(map[string]string{"index.md": text, "log.md": text, "a.md": text, "b/index.md": text})
	})
}
