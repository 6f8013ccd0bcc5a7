package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/cmd/internal/setup"
)

// configuration writes the reference of all settings from the flags of all
// commands, as Markdown.
func configuration() []byte {
	var b bytes.Buffer
	b.WriteString("# Configuration\n\n" +
		"<!-- Written from the code: go test ./cmd/assay -run TestConfigurationReference -update -->\n\n" +
		"Each setting is a flag, an environment variable and a key of `assay.yaml`: `--keep-for`, `ASSAY_KEEP_FOR`,\n" +
		"`keep_for`. A flag beats the environment, the environment the file, the file the default. `assay init` writes a\n" +
		"file that explains every setting; `--config FILE` (`ASSAY_CONFIG`) names another one. A command judges every\n" +
		"value that it uses at its start: one that cannot be, or an unknown key, ends it and is reported with its line,\n" +
		"its variable or its flag, and with what would do. A key without a value is as good as none.\n" +
		"Lists are written `a,b` in flags and variables, and as lists in the file. Durations are written `90s`, `30m`, `6h`.\n\n" +
		"Passwords and keys belong into the environment: `PGPASSWORD` for PostgreSQL, `AWS_ACCESS_KEY_ID` and\n" +
		"`AWS_SECRET_ACCESS_KEY` for object stores. `GOMEMLIMIT` bounds the memory of any command.\n")
	for i, list := range settings() {
		fmt.Fprintf(&b, "\n## %s\n", chapters[i].title)
		if chapters[i].intro != "" {
			fmt.Fprintf(&b, "\n%s\n", chapters[i].intro)
		}
		b.WriteString("\n| key | flag and variable | default | of | meaning |\n|---|---|---|---|---|\n")
		for i := range list {
			list[i].row(&b)
		}
		if slices.ContainsFunc(list, func(s setting) bool { return s.name == "sources" }) {
			sourceTable(&b)
		}
	}
	return b.Bytes()
}

// row writes a setting; where it means several things, a row for each.
func (s *setting) row(b *bytes.Buffer) {
	if s.uses == nil {
		fmt.Fprintf(b, "| `%s` |  | `[]` | harvest, sources, serve, worker | The catalogues to harvest, each with the keys below ([harvest](harvest.md)). %s |\n", s.name, remarks[s.name])
		return
	}
	for i := range s.uses {
		u := &s.uses[i]
		where, def := u.where(), u.standard()
		if where == "" {
			where = "all commands"
		}
		if def != "" {
			def = "`" + def + "`"
		}
		meaning := strings.TrimSpace(u.meaning() + " " + remarks[s.name])
		fmt.Fprintf(b, "| `%s` | `--%s` `%s` | %s | %s | %s |\n", setup.Key(s.name), s.name, setup.Variable(s.name), def, where, strings.ReplaceAll(meaning, "|", "\\|"))
	}
}

func sourceTable(b *bytes.Buffer) {
	b.WriteString("\nThe keys of a source:\n\n| key | meaning |\n|---|---|\n")
	for _, f := range setup.SourceFields() {
		fmt.Fprintf(b, "| `%s` | %s |\n", f.Key, sentence(f.Meaning))
	}
}
