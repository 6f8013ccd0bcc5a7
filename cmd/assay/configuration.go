package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-register/assay/cmd/internal/setup"
)

// configuration writes the reference of all settings from the flags of all
// commands, as Markdown.
func configuration() []byte {
	var b bytes.Buffer
	root := newRoot(os.Stderr)
	b.WriteString("# Configuration\n\n" +
		"<!-- Written from the code: go test ./cmd/assay -run TestConfigurationReference -update -->\n\n" +
		"Each setting is a flag, an environment variable and a key of `assay.yaml`. A flag beats the\n" +
		"environment, the environment the file, the file the default. `assay init` writes a file that explains\n" +
		"the most important ones; `--config FILE` (`ASSAY_CONFIG`) names another one. An unknown key is an error.\n" +
		"Lists are written `a,b` in flags and variables, and as lists in the file. Durations are written `90s`, `30m`, `6h`.\n\n" +
		"`sources` is the one key that is no flag: a list of the catalogues to harvest, each with `key`, `kind`, `url`\n" +
		"or `file`, `endpoint`, `title`, `country`, `institution`, `official`, `schedule`, `filters`, `enabled`, `incremental`\n" +
		"([harvest](harvest.md)).\n\n" +
		"Passwords and keys belong into the environment: `PGPASSWORD` for PostgreSQL, `AWS_ACCESS_KEY_ID` and\n" +
		"`AWS_SECRET_ACCESS_KEY` for object stores. `GOMEMLIMIT` bounds the memory of any command.\n")
	section(&b, "All commands", root.PersistentFlags())
	for _, cmd := range every(root) {
		if cmd.LocalNonPersistentFlags().HasAvailableFlags() {
			section(&b, "`"+cmd.CommandPath()+"`: "+cmd.Short, cmd.LocalNonPersistentFlags())
		}
	}
	return b.Bytes()
}

// every lists the commands below one, in the order of their names.
func every(cmd *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.Name() != "help" && c.Name() != "completion" {
			out = append(append(out, c), every(c)...)
		}
	}
	slices.SortStableFunc(out, func(a, b *cobra.Command) int { return strings.Compare(a.CommandPath(), b.CommandPath()) })
	return out
}

func section(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	fmt.Fprintf(b, "\n## %s\n\n| flag | variable | key | default | meaning |\n|---|---|---|---|---|\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		variable, key := "`"+setup.Variable(f.Name)+"`", "`"+setup.Key(f.Name)+"`"
		switch {
		case f.Name == "config":
			key = ""
		case f.Annotations[setup.Spoken] != nil:
			variable, key = "", ""
		}
		fmt.Fprintf(b, "| `--%s` | %s | %s | %s | %s |\n", f.Name, variable, key, value(f), strings.ReplaceAll(f.Usage, "|", "\\|"))
	})
}

// value is the default of a flag.
func value(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "[]":
		return ""
	}
	return "`" + f.DefValue + "`"
}
