package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-register/assay/cmd/internal/setup"
)

// chapter is a part of the configuration.
type chapter struct {
	title string
	// flags are named in the order in which they are explained; "sources" stands
	// for the list of catalogues.
	flags string
	intro string
}

// chapters are those of the reference and of the file of a new register, which
// are both written from them. What no chapter names stands in the last one.
var chapters = []chapter{
	{"Who you are", "name base-url license contact accent accent-dark", ""},
	{"Where the catalog is kept", "db", ""},
	{"What is listed", "sources names approve-at quarantine-at blocklist publish-window gap prove keep-records", ""},
	{"How it is checked", "cadence confirm-after survey-every rate-per-host timeout concurrency probe allow-private", ""},
	{"What is published", "site out keep-snapshots keep-for signing-key signing-memory no-access-service to s3-endpoint s3-region s3-path-style keys whole gzip uploads", ""},
	{"The service", "addr trusted-proxies mcp-origins site-folder limit-reads limit-writes limit-moderation limit-proxy limit-connections worker checks rebuild rebuild-quiet rebuild-latest log-requests", ""},
	{"Mail", "smtp smtp-tls smtp-user smtp-password mail-from mail-dir mail-key operator-mail dkim-domain dkim-selector dkim-key", ""},
	{"What is logged", "log verbose", ""},
	{"For one run", "", "These are given on the command line as a rule; as keys they hold for every run."},
}

// remarks say of settings what their flags have no room for.
var remarks = map[string]string{
	"base-url":      "It stands in every document, so decide on it before you publish.",
	"license":       "The sources keep theirs.",
	"accent":        "One that could not be read there is refused.",
	"db":            "Give the password of PostgreSQL in PGPASSWORD or a .pgpass file.",
	"quarantine-at": "Whatever stands here, an item counts as proven by itself from 80.",
	"names":         "The service and whoever builds need the same files.",
	"sources":       "None of the catalogues that ship with the product (`assay sources` lists them) is asked before it stands here; a key alone enables one, further fields replace its own.",
	"allow-private": "For registers of an intranet.",
}

// setting is one key of the configuration with the flags that it gives values
// to.
type setting struct {
	name string
	uses []use
}

// use is a setting in commands in which it means the same.
type use struct {
	commands []string
	flag     *pflag.Flag
}

// settings lists the flags of all commands, chapter by chapter.
func settings() [][]setting {
	all := map[string]*setting{}
	var names []string
	note := func(command string, f *pflag.Flag) {
		if !setup.Settable(f) || f.Hidden || f.Name == "config" {
			return
		}
		s := all[f.Name]
		if s == nil {
			s = &setting{name: f.Name}
			all[f.Name], names = s, append(names, f.Name)
		}
		s.add(command, f)
	}
	root := newRoot(os.Stderr)
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { note("", f) })
	for _, cmd := range every(root) {
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { note(path(cmd), f) })
	}
	list := make([][]setting, len(chapters))
	for i, c := range chapters {
		for name := range strings.FieldsSeq(c.flags) {
			if s := all[name]; s != nil {
				list[i] = append(list[i], *s)
			} else if name == "sources" {
				list[i] = append(list[i], setting{name: name})
			}
			names = slices.DeleteFunc(names, func(n string) bool { return n == name })
		}
	}
	last := len(list) - 1
	for _, name := range names {
		list[last] = append(list[last], *all[name])
	}
	return list
}

// path is a command without the program's name.
func path(cmd *cobra.Command) string {
	_, rest, _ := strings.Cut(cmd.CommandPath(), " ")
	return rest
}

func (s *setting) add(command string, f *pflag.Flag) {
	for i := range s.uses {
		if u := &s.uses[i]; u.flag.Usage == f.Usage && u.flag.DefValue == f.DefValue {
			u.commands = append(u.commands, command)
			return
		}
	}
	s.uses = append(s.uses, use{[]string{command}, f})
}

// where names the commands of a use, "" for all.
func (u *use) where() string { return strings.Join(u.commands, ", ") }

// standard is the default of a flag as the file writes it.
func (u *use) standard() string {
	if u.flag.Value.Type() == "stringSlice" {
		return "[" + strings.Trim(u.flag.DefValue, "[]") + "]"
	}
	if d, err := time.ParseDuration(u.flag.DefValue); err == nil && u.flag.Value.Type() == "duration" {
		return setup.Short(d)
	}
	return u.flag.DefValue
}

// meaning is what a use means, as a sentence.
func (u *use) meaning() string { return sentence(u.flag.Usage) }

func sentence(s string) string {
	if s == "" {
		return ""
	}
	if !strings.HasPrefix(s, "dcat:") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.TrimSuffix(s, ".") + "."
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
