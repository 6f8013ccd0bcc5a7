package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// release, and what it was made of, are set by the linker: `make build` does.
var release, commit, committed, modified = "dev", "", "", ""

// archived is the commit and its time in a tree that `git archive` wrote, and
// the placeholder anywhere else (gitattributes, export-subst).
//
//go:embed archived.txt
var archived string

func version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version, commit, its time and the Go version", Args: noArgs,
		GroupID: groupAbout, Annotations: kept("nothing was changed"), Example: "  assay version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "assay "+madeFrom())
			return err
		},
	}
}

// origin is what a program was made from.
type origin struct {
	commit, time string
	// modified says that files were changed since the commit.
	modified bool
}

// originOf is what the linker was told, else what the Go command noted, else
// what the archive of the tree says.
func originOf(settings []debug.BuildSetting, archived string) origin {
	noted := map[string]string{}
	for _, s := range settings {
		noted[s.Key] = s.Value
	}
	hash, when, _ := strings.Cut(strings.TrimSpace(archived), " ")
	if strings.HasPrefix(hash, "$") {
		hash, when = "", ""
	}
	return origin{cmp.Or(commit, noted["vcs.revision"], hash), cmp.Or(committed, noted["vcs.time"], when),
		cmp.Or(modified, noted["vcs.modified"]) == "true"}
}

func (o origin) String() string {
	text := "commit " + cmp.Or(o.commit, "unknown")
	if o.time != "" {
		text += " of " + o.time
	}
	if o.modified {
		text += ", modified"
	}
	return text
}

// buildInfo is what the Go command noted of this program.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

// madeFrom tells in one line what this program was made from, and with what.
func madeFrom() string {
	info, name := buildInfo(), release
	if v := info.Main.Version; name == "dev" && v != "" && v != "(devel)" {
		name = v // go install …@version
	}
	return fmt.Sprintf("%s (%s, %s %s/%s)", name, originOf(info.Settings, archived), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// renderer tells this program from those of other commits, "" where nobody knows what
// it was made of.
func renderer() string {
	info := buildInfo()
	from := originOf(info.Settings, archived)
	if from.commit == "" || from.modified {
		return ""
	}
	return from.commit + " " + info.GoVersion
}

// madeAt is the time of the commit, or the start of time where it is not known.
func madeAt() time.Time {
	t, err := time.Parse(time.RFC3339, originOf(buildInfo().Settings, archived).time)
	if err != nil {
		return time.Unix(0, 0).UTC()
	}
	return t.UTC()
}
