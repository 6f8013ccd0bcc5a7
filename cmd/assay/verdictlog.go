package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/translog"
)

// sequenceLog appends to the log of a site what happened, and the snapshot that is
// presented, if the register has a key.
func (a *app) sequenceLog(ctx context.Context, st catalog.Store, folder string, resume bool) (sequence.Report, error) {
	keys, err := a.signing()
	if err != nil || keys == nil {
		return sequence.Report{}, err
	}
	head, closed, err := sequence.Present(folder)
	if err != nil {
		return sequence.Report{}, err
	}
	defer closed()
	r, err := sequence.Run(ctx, st, filepath.Join(folder, translog.Dir), sequence.Options{Keys: keys, Rubric: score.RubricVersion, Head: head, Now: now(), Resume: resume, Seen: a.seen()})
	if err != nil {
		return r, fmt.Errorf("the log of verdicts: %w", err)
	}
	if r.Forgetful != nil {
		a.log.Warn("what the key signed last cannot be kept beside it; a register that is put back together with its log would not be noticed", "error", r.Forgetful)
	}
	if r.Leaves > 0 {
		a.log.Info("log of verdicts", "events", r.Events, "leaves", r.Leaves, "size", r.Size)
	}
	return r, nil
}

// seen is the file beside that of the key with the checkpoint that it signed last; "" where the
// key is in no file.
func (a *app) seen() string {
	if a.signingKey == "" || strings.HasPrefix(strings.TrimSpace(a.signingKey), translog.PrivatePrefix) {
		return ""
	}
	return a.signingKey + ".signed"
}

// compareLog says what the log would say of the store, for a build that ends before it is asked.
func (a *app) compareLog(ctx context.Context, st catalog.Store, folder string) error {
	keys, err := a.signing()
	if err != nil || keys == nil {
		return err
	}
	if err := sequence.Compare(ctx, st, filepath.Join(folder, translog.Dir), sequence.Options{Keys: keys, Seen: a.seen()}); err != nil {
		return fmt.Errorf("the log of verdicts: %w", err)
	}
	return nil
}

func (a *app) logCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "log", GroupID: groupKeep, Short: "The log of verdicts", Args: noSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(a.resumeLog())
	return cmd
}

func (a *app) resumeLog() *cobra.Command {
	var p place
	cmd := &cobra.Command{
		Use: "resume", Short: "Go on with the log of a register that was put back to an earlier state", Args: cobra.NoArgs,
		Annotations: kept("the log is as it was"),
		Example:     "  assay log resume --site out",
		Long: "A register that was restored from a backup knows less than its log, which will sign nothing then. This says in the\n" +
			"log that the register was put back, and goes on from its present state. What the log told before stays there. Entries that the\n" +
			"site shows and the restore lost leave the register: the log says so of each, and the next build buries them.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				if a.signingKey == "" {
					return fmt.Errorf("--signing-key: name the key of the log")
				}
				r, err := a.sequenceLog(cmd.Context(), st, p.folder(), true)
				if err == nil {
					a.say("%d leaves appended, the log has %d", r.Leaves, r.Size)
					if r.Lost > 0 {
						a.say("%d entries of the site are not in the store: the next build buries them", r.Lost)
					}
				}
				return err
			})
		},
	}
	p.registerSite(cmd.Flags())
	return cmd
}
