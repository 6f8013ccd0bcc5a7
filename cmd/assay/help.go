package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// The groups in which `assay help` lists the commands.
const (
	groupBegin   = "begin"
	groupFill    = "fill"
	groupPublish = "publish"
	groupRun     = "run"
	groupKeep    = "keep"
	groupAbout   = "about"
)

func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupBegin, Title: "Begin:"},
		{ID: groupFill, Title: "Fill the catalog:"},
		{ID: groupPublish, Title: "Make and publish the site:"},
		{ID: groupRun, Title: "Run the service:"},
		{ID: groupKeep, Title: "Administer and back up:"},
		{ID: groupAbout, Title: "About the program:"},
	}
}

// noSuch refuses the arguments of a command that only has others below it, and
// names those that are spelt alike.
func noSuch(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("%s; did you mean %s?", text, strings.Join(near, " or "))
	}
	return fmt.Errorf("%s; `%s --help` lists them", text, cmd.CommandPath())
}

// man writes the manual pages of all commands.
func man() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write manual pages, one for each command", Args: cobra.ExactArgs(1),
		GroupID: groupAbout, Annotations: kept("some pages may be missing; run it again"),
		Example: `  assay man /usr/local/share/man/man1`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root, date := cmd.Root(), madeAt()
			root.DisableAutoGenTag = true // the same program writes the same pages
			return doc.GenManTree(root, &doc.GenManHeader{Title: "ASSAY", Section: "1", Source: "Assay " + release, Manual: "Assay", Date: &date}, args[0])
		},
	}
}
