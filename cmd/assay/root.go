package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/cmd/internal/progress"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/cmd/internal/walltime"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// app holds what all commands share.
type app struct {
	db, logFormat string
	verbose       bool
	allowPrivate  bool
	// only are the addresses that this register reaches, if there are any.
	only  []string
	clock string
	// signingKey is the key of the log of verdicts, or the file that holds it.
	signingKey string
	// signingMemory is the file with the checkpoint that it signed last.
	signingMemory string
	site          snapshot.Site
	names         []string
	thresholds    catalog.Thresholds
	keep          int
	keepFor       time.Duration
	stderr        *os.File
	log           *slog.Logger
	bar           *progress.Bar
	// worker is this process among those that take jobs, "" before it is asked
	// for (workerName).
	worker string
}

func newRoot(stderr *os.File) *cobra.Command {
	a := &app{stderr: stderr, bar: progress.New(stderr)}
	root := &cobra.Command{
		Use: "assay", Short: "A register of official public-sector APIs, datasets and MCP servers",
		SilenceUsage: true, SilenceErrors: true, Args: noSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := setup.Fill(cmd, stderr); err != nil {
				return err
			}
			if a.clock != "" {
				if err := walltime.Follow(a.clock); err != nil {
					return fmt.Errorf("--clock: %w", err)
				}
			}
			if err := a.takeNames(); err != nil {
				return err
			}
			if err := a.site.CheckAccents(); err != nil {
				return err
			}
			if err := a.thresholds.Validate(); err != nil {
				return fmt.Errorf("--approve-at, --quarantine-at: %w", err)
			}
			var err error
			a.log, err = setup.Logger(stderr, a.logFormat, a.verbose)
			return err
		},
	}
	f := root.PersistentFlags()
	f.String("config", setup.DefaultConfig, "configuration file")
	f.StringVar(&a.db, "db", "sqlite:assay.db", "store: sqlite:PATH or postgres://…")
	f.StringVar(&a.logFormat, "log", "text", "log format: text or json")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "log details")
	f.StringVar(&a.clock, "clock", "", "file with a duration, such as 36h, that moves the clock: for rehearsals only; read again when it changes")
	f.BoolVar(&a.allowPrivate, "allow-private", false, "let harvest, verify and webhooks reach loopback and private addresses")
	f.StringVar(&a.site.BaseURL, "base-url", "http://127.0.0.1:8080", "public address of the site, without a trailing slash")
	f.StringVar(&a.site.Name, "name", "Assay", "name of the register")
	f.BoolVar(&a.site.NoAccessService, "no-access-service", false, "leave dcat:accessService out of the DCAT documents")
	f.StringVar(&a.site.License, "license", "CC0-1.0", "licence of the register's own data, an SPDX id")
	f.StringVar(&a.site.Contact, "contact", "", "where to reach who runs the register, by web or mail; sources that are visited are told (default: the base URL)")
	from := catalog.DefaultThresholds()
	f.IntVar(&a.thresholds.Approve, "approve-at", from.Approve, "officialness, of 100, from which a source of a known institution is public at once; the published proven_threshold stays 80")
	f.IntVar(&a.thresholds.Quarantine, "quarantine-at", from.Quarantine, "officialness, of 100, from which a moderator looks at a source; below it, it is rejected")
	f.StringVar(&a.signingKey, "signing-key", "", "file with the key that signs the log of verdicts (assay key create), or the key itself, better in ASSAY_SIGNING_KEY; no log is kept without one")
	f.StringVar(&a.signingMemory, "signing-memory", "", "file that keeps the checkpoint that the key signed last, where backups of the register do not reach, so that a register that was put back signs no second story (default: beside the file of the key, KEY.signed; none for a key in the environment)")
	f.StringSliceVar(&a.names, "names", nil, "files of places and things with their names in many languages, as SKOS (such as EuroVoc) or CSV (such as the table of local administrative units, LAU)")
	f.StringVar(&a.site.Accent, "accent", "", "colour of links and buttons on light pages, such as #0a4c86")
	f.StringVar(&a.site.AccentDark, "accent-dark", "", "colour of links and buttons on dark pages, such as #8fc3f7")
	root.AddGroup(groups()...)
	root.SetHelpCommandGroupID(groupAbout)
	root.SetCompletionCommandGroupID(groupAbout)
	root.Version = madeFrom()
	root.SetVersionTemplate("assay {{.Version}}\n")
	root.AddCommand(a.demo(), a.initCmd(), a.harvest(), a.sources(), a.verify(), a.build(), a.check(), a.lint(), a.snapshot(), a.publish(), a.rebuildCmd(), a.serve(), a.health(), a.workerCmd(), a.admin(), a.key(), a.logCmd(), a.witness(), a.bundle(), a.verifyBundle(), a.institutions(), a.importCmd(), a.export(), version(), man())
	root.SetFlagErrorFunc(setup.FlagError)
	limit(root)
	explainArgs(root)
	a.complete(root)
	return root
}

// contact is what strangers' servers are told of who asks them.
func (a *app) contact() string { return cmp.Or(a.site.Contact, a.site.BaseURL) }

// open opens the store.
func (a *app) open(ctx context.Context) (catalog.Store, error) {
	st, err := setup.Open(ctx, a.db)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return st, nil
}

// writeReport writes a report as JSON if a file is named.
func writeReport(path string, report any) error {
	if path == "" {
		return nil
	}
	b, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

func (a *app) say(format string, args ...any) { fmt.Fprintf(legible{a.stderr}, format+"\n", args...) }

// rejectionsMax is how many rejections are shown; a report lists more.
const rejectionsMax = 20

// listRejections shows where records were refused and what helps.
func (a *app) listRejections(list []source.Rejection, total int) {
	for _, r := range list[:min(len(list), rejectionsMax)] {
		a.say("rejected %s: %s: %s (%s)", r.Place, r.Code, r.Reason, r.Remedy)
	}
	if total > rejectionsMax {
		a.say("… and %d more; --report FILE lists them", total-rejectionsMax)
	}
}
