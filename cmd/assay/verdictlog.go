package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/translog"
)

// sequenceLog appends to the log of a site what happened, and the snapshot that is
// presented, if the register has a key. The store remembers how it ended.
func (a *app) sequenceLog(ctx context.Context, st catalog.Store, folder string, resume bool) (sequence.Report, error) {
	r, kept, err := a.appendLog(ctx, st, folder, resume)
	if kept && ctx.Err() == nil {
		err = errors.Join(err, sequence.Note(ctx, st, r.Size, err, now()))
	}
	if err != nil {
		return r, fmt.Errorf("the log of verdicts: %w", err)
	}
	if r.Forgetful != nil {
		a.log.Warn("what the key signed last cannot be kept; a register that is put back together with its log would not be noticed", "error", r.Forgetful)
	}
	if r.Leaves > 0 {
		a.log.Info("log of verdicts", "events", r.Events, "leaves", r.Leaves, "size", r.Size)
	}
	return r, nil
}

// appendLog tells, too, whether the register keeps a log.
func (a *app) appendLog(ctx context.Context, st catalog.Store, folder string, resume bool) (r sequence.Report, kept bool, err error) {
	dir := filepath.Join(folder, translog.Dir)
	keys, err := a.signing()
	if err != nil {
		return r, true, err
	}
	if keys == nil {
		if _, err := os.Stat(filepath.Join(dir, translog.CheckpointFile)); err == nil {
			return r, true, sequence.ErrKeyless
		}
		return r, false, nil
	}
	seen, err := a.seen(folder)
	if err != nil {
		return r, true, err
	}
	if seen == "" {
		a.log.Warn("the key is in no file, so that nothing remembers what it signed last: a register that is put back together with its log would not be noticed; name a file for that where backups do not reach (signing_memory)")
	}
	head, closed, err := sequence.Present(folder)
	if err != nil {
		return r, true, err
	}
	defer closed()
	r, err = sequence.Run(ctx, st, dir, sequence.Options{Keys: keys, Rubric: score.RubricVersion, Head: head, Now: now(), Resume: resume, Seen: seen})
	return r, true, err
}

// seen is the file with the checkpoint that the key signed last: that of --signing-memory, else one beside
// the file of the key; "" where there is neither.
func (a *app) seen(site string) (string, error) {
	if a.signingMemory == "" {
		if a.signingKey == "" || strings.HasPrefix(strings.TrimSpace(a.signingKey), translog.PrivatePrefix) {
			return "", nil
		}
		return a.signingKey + ".signed", nil
	}
	file, err := filepath.Abs(a.signingMemory)
	if err != nil {
		return "", fmt.Errorf("--signing-memory: %w", err)
	}
	folder, err := filepath.Abs(site)
	if err != nil {
		return "", err
	}
	if inside, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(inside) {
		return "", fmt.Errorf("--signing-memory %s lies in the folder of the site (%s), with which a backup would put it back: name a file elsewhere", a.signingMemory, site)
	}
	if _, err := os.Stat(filepath.Dir(file)); err != nil {
		return "", fmt.Errorf("--signing-memory %s: its folder must be there before anything is signed: %w", a.signingMemory, err)
	}
	return file, nil
}

// compareLog says what the log would say of the store, for a build that ends before it is asked.
func (a *app) compareLog(ctx context.Context, st catalog.Store, folder string) error {
	keys, err := a.signing()
	if err != nil || keys == nil {
		return err
	}
	seen, err := a.seen(folder)
	if err != nil {
		return fmt.Errorf("the log of verdicts: %w", err)
	}
	err = sequence.Compare(ctx, st, filepath.Join(folder, translog.Dir), sequence.Options{Keys: keys, Seen: seen})
	if err == nil {
		return nil // it would go on
	}
	return fmt.Errorf("the log of verdicts: %w", errors.Join(err, sequence.Note(ctx, st, 0, err, now())))
}

// logHealth tells readers of a service how the log of the register stands.
func logHealth(st catalog.Store, folder string) health.Check {
	return health.Check{Name: "log", Look: func(ctx context.Context) (string, error) {
		s, known, err := sequence.Stood(ctx, st)
		if err != nil {
			return "its standing cannot be read", err
		}
		if told := s.Told(); told != "" {
			return told, health.ErrDown
		}
		_, err = os.Stat(filepath.Join(folder, translog.Dir, translog.CheckpointFile))
		switch missing := errors.Is(err, fs.ErrNotExist); {
		case missing && known:
			return "the site has no log of verdicts, though the register signed one; put its folder back, from a copy or from where the site was published to", health.ErrDown
		case missing:
			return "the register keeps no log of verdicts; assay key create makes the key of one", health.ErrOff
		case err != nil:
			return "cannot be read", err
		case !known:
			return "the log that lies beside the site is shown; nothing of it was written with this store", nil
		}
		return fmt.Sprintf("%d leaves, all signed at %s", s.Size, s.Signed.UTC().Format(time.RFC3339)), nil
	}}
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
		Use: "resume", Short: "Go on with the log of a register that was put back to an earlier state", Args: noArgs,
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
