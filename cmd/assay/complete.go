package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/mailer"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

// complete tells shells what stands behind the commands and flags that take one
// of a few words.
func (a *app) complete(root *cobra.Command) {
	words := map[string][]string{"kind": harvest.Kinds(), "role": roles(), "log": {"text", "json"}, "keys": {"route", "file"},
		"state":    {string(catalog.InstitutionKnown), string(catalog.InstitutionStated)},
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
		case "verify":
			cmd.ValidArgsFunction = a.entryWords
		case "institutions show", "institutions alias", "institutions domain", "institutions parent", "institutions merge":
			cmd.ValidArgsFunction = a.institutionWords
		case "admin token revoke":
			cmd.ValidArgsFunction = a.tokenWords
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

// patience is how long a shell waits for words of the store, and wordsMax how
// many it is told.
const (
	patience = 2 * time.Second
	wordsMax = 1000
)

// entryWords are the slugs of the entries that begin with what was typed.
func (a *app) entryWords(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.stored(cmd, func(ctx context.Context, tx catalog.Tx, add func(string, string)) error {
		return tx.Entries().Scan(ctx, catalog.Range{Fleeting: true}, func(e *catalog.Entry) error {
			if strings.HasPrefix(e.Slug, typed) {
				add(e.Slug, e.Name)
			}
			return nil
		})
	})
}

// tokenWords are the ids of the tokens that are not revoked.
func (a *app) tokenWords(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.stored(cmd, func(ctx context.Context, tx catalog.Tx, add func(string, string)) error {
		list, err := tx.Tokens().All(ctx)
		for i := range list {
			if list[i].RevokedAt.IsZero() && strings.HasPrefix(list[i].ID, typed) {
				add(list[i].ID, list[i].Name)
			}
		}
		return err
	})
}

// institutionWords are the keys of the institutions that begin with what was
// typed.
func (a *app) institutionWords(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.stored(cmd, func(ctx context.Context, tx catalog.Tx, add func(string, string)) error {
		list, err := tx.Institutions().All(ctx)
		for i := range list {
			if strings.HasPrefix(list[i].Key, typed) {
				add(list[i].Key, list[i].Name)
			}
		}
		return err
	})
}

// stored are words of the store, as many as there is time for. A store that is
// not there is not made for a shell's sake, and an error gives no words.
func (a *app) stored(cmd *cobra.Command, words func(context.Context, catalog.Tx, func(word, meaning string)) error) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), patience)
	defer cancel()
	if err := setup.Fill(cmd, io.Discard); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if path, isFile := setup.StoreFile(a.db); isFile {
		if _, err := os.Stat(path); err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	_ = a.withStore(ctx, func(st catalog.Store) error {
		return st.View(ctx, func(tx catalog.Tx) error {
			return words(ctx, tx, func(word, meaning string) {
				if list = append(list, cobra.CompletionWithDesc(word, meaning)); len(list) == wordsMax {
					cancel()
				}
			})
		})
	})
	return list, cobra.ShellCompDirectiveNoFileComp
}
