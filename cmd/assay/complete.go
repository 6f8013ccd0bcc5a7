package main

import (
	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/mailer"
	"github.com/assay-register/assay/cmd/internal/setup"
)

// complete tells shells what stands behind the commands and flags that take one
// of a few words.
func complete(root *cobra.Command) {
	words := map[string][]string{"kind": harvest.Kinds(), "role": roles(), "log": {"text", "json"}, "keys": {"route", "file"},
		"smtp-tls": {mailer.TLSStart, mailer.TLSFull, mailer.TLSNone}}
	for _, cmd := range append(every(root), root) {
		for name, list := range words {
			if cmd.LocalFlags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)) // refused for a flag that has one
			}
		}
		switch path(cmd) {
		case "harvest", "sources", "sources confirm":
			cmd.ValidArgsFunction = sourceWords
		}
	}
}

// sourceWords are the keys of the sources that ship and of those configured.
func sourceWords(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	if configured, err := setup.Sources(cmd); err == nil {
		for i := range configured {
			list = append(list, configured[i].Key)
		}
	}
	shipped, err := harvest.ShippedSources()
	if err != nil {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	for i := range shipped {
		list = append(list, cobra.CompletionWithDesc(shipped[i].Key, shipped[i].Title))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
