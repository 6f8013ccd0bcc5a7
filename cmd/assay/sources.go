package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/cmd/internal/walltime"
	"github.com/assay-register/assay/render/catalog"
)

func (a *app) sources() *cobra.Command {
	var enabled, asJSON, publishers bool
	cmd := &cobra.Command{
		Use: "sources [SOURCE…]", Short: "List the sources with their last harvest",
		GroupID: groupFill, Annotations: kept("nothing was changed"),
		Example: `  assay sources --enabled
  assay sources fr-data-gouv --json
  assay sources fr-data-gouv --publishers`,
		Long: "Lists the sources: those that ship with the product, those of the configuration file and those of earlier\n" +
			"harvests, each with its last run, its counts and its errors. One that is named is shown with its latest runs:\n" +
			"what became of the records, why some were rejected, and what went wrong.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if publishers && len(args) != 1 {
				return errors.New("--publishers is about one source: name it")
			}
			return a.withSources(cmd, func(ctx context.Context, st catalog.Store, now time.Time) error {
				if publishers {
					return showPublishers(ctx, cmd, st, args, asJSON, now)
				}
				rows, err := listSources(ctx, st, args, enabled, now)
				if err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(cmd.OutOrStdout()).Encode(rows)
				}
				if len(args) > 0 {
					return printLogs(legible{cmd.OutOrStdout()}, rows)
				}
				return printSources(cmd, rows)
			})
		},
	}
	cmd.Flags().BoolVar(&enabled, "enabled", false, "only those that are enabled")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&publishers, "publishers", false, "which institution was taken for each publisher of the source, and why")
	cmd.AddCommand(a.confirm())
	return cmd
}

func (a *app) confirm() *cobra.Command {
	return &cobra.Command{
		Use: "confirm SOURCE", Short: "Accept the last listing of a source although it is empty or has shrunk", Args: cobra.ExactArgs(1),
		Annotations: kept("nothing was changed"),
		Example:     `  assay sources confirm fr-data-gouv`,
		Long: "A listing that is empty or lost more than a fifth of its entries is quarantined: none counts as missing.\n" +
			"Confirming it makes that run complete and the listing the measure for the next one.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withSources(cmd, func(ctx context.Context, st catalog.Store, now time.Time) error {
				list, err := harvest.Choose(ctx, st, args, now)
				if err != nil {
					return err
				}
				run, err := harvest.Confirm(ctx, st, list[0].ID, now)
				if err != nil {
					return err
				}
				a.say("%s: %d entries count as missing, %d were deprecated", args[0], run.Counts.Missing, run.Counts.Deprecated)
				return nil
			})
		},
	}
}

// withSources opens the store, brings the shipped and the configured sources
// into it, and does something.
func (a *app) withSources(cmd *cobra.Command, do func(context.Context, catalog.Store, time.Time) error) error {
	ctx := cmd.Context()
	list, err := configuredSources(cmd)
	if err != nil {
		return err
	}
	st, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	now := clock()
	if err := takeSources(ctx, st, list, now); err != nil {
		return err
	}
	return do(ctx, st, now)
}

// configuredSources are the judged sources of the configuration file, nil
// without a file.
func configuredSources(cmd *cobra.Command) ([]catalog.Source, error) {
	configured, err := setup.Sources(cmd)
	if err != nil || configured == nil {
		return nil, err
	}
	return rowsOf(configured)
}

// takeSources brings the shipped and the configured sources into the store.
// Without a configuration file those of the store stay as they are: another
// machine may have one.
func takeSources(ctx context.Context, st catalog.Store, configured []catalog.Source, now time.Time) error {
	if err := harvest.LoadReference(ctx, st, now); err != nil || configured == nil {
		return err
	}
	return harvest.Configure(ctx, st, configured, now)
}

// workerName tells this process apart from others that take jobs: containers
// may share a host name and a number.
func (a *app) workerName() string {
	if a.worker != "" {
		return a.worker
	}
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	a.worker = fmt.Sprintf("%s-%d-%s", host, os.Getpid(), strings.ToLower(rand.Text()[:6]))
	return a.worker
}

// now is the time of the program, which --clock may move.
func now() time.Time { return walltime.Now().UTC() }

// clock is the time in whole seconds, as the register keeps it.
func clock() time.Time { return now().Truncate(time.Second) }

// rowsOf checks configured sources and lays them over those that ship.
func rowsOf(configured []setup.Source) ([]catalog.Source, error) {
	shipped, err := harvest.ShippedSources()
	if err != nil {
		return nil, err
	}
	list := []catalog.Source{}
	places := map[string]string{}
	for i := range configured {
		c := &configured[i]
		if first, twice := places[c.Key]; twice {
			return nil, fmt.Errorf("%s: the key %q stands at %s already", c.Place, c.Key, first)
		}
		places[c.Key] = c.Place
		row := catalog.Source{Key: c.Key, ID: harvest.SourceID(c.Key), Title: c.Key}
		k := slices.IndexFunc(shipped, func(s catalog.Source) bool { return s.Key == c.Key })
		if k >= 0 {
			row = shipped[k]
		}
		overlay(&row, c)
		if err := checkSource(&row); err != nil {
			return nil, fmt.Errorf("%s: source %q: %w", c.Place, c.Key, err)
		}
		list = append(list, row)
	}
	return list, nil
}

func overlay(row *catalog.Source, c *setup.Source) {
	row.Kind, row.Title, row.Official = cmp.Or(c.Kind, row.Kind), cmp.Or(c.Title, row.Title), cmp.Or(c.Official, row.Official)
	if c.URL != "" {
		row.URL, row.Endpoint = c.URL, ""
	}
	row.Endpoint, row.File = cmp.Or(c.Endpoint, row.Endpoint), c.File
	row.CountryCode = cmp.Or(strings.ToUpper(c.Country), row.CountryCode)
	row.DefaultInstitution, row.Schedule = c.Institution, c.Schedule
	row.Filters, row.Incremental = c.Filters, c.Incremental
	if c.Portal != nil {
		row.Portal = *c.Portal
	}
	row.Enabled = c.Enabled == nil || *c.Enabled
}

// checkSource looks for what a source lacks; setup has judged each of its fields.
func checkSource(s *catalog.Source) error {
	switch {
	case s.URL == "" && s.File == "":
		return errors.New("it has neither url nor file: give it one")
	case s.Kind == "":
		return fmt.Errorf("it has no kind: use one of %s", strings.Join(harvest.Kinds(), ", "))
	}
	return nil
}

// sourceRow is a source with its last run.
type sourceRow struct {
	Source catalog.Source      `json:"source"`
	Due    *time.Time          `json:"due,omitempty"`
	Last   *catalog.HarvestRun `json:"last_run,omitempty"`
	// Runs are the latest ones, newest first, of a source that was named.
	Runs []catalog.HarvestRun `json:"runs,omitempty"`
}

// runsListed is how many runs of a named source are shown.
const runsListed = 10

func listSources(ctx context.Context, st catalog.Store, names []string, enabled bool, now time.Time) ([]sourceRow, error) {
	list, err := harvest.List(ctx, st, names, now)
	if err != nil {
		return nil, err
	}
	rows, wanted := []sourceRow{}, 1
	if len(names) > 0 {
		wanted = runsListed
	}
	err = st.View(ctx, func(tx catalog.Tx) error {
		rows = rows[:0]
		for _, s := range list {
			if enabled && !s.Enabled {
				continue
			}
			row := sourceRow{Source: s}
			runs, err := tx.Runs().Latest(ctx, s.ID, wanted)
			if err != nil {
				return err
			}
			if len(runs) > 0 {
				row.Last = &runs[0]
			}
			if len(names) > 0 {
				row.Runs = runs
			}
			if at, err := harvest.DueAt(&s, row.Last, now); err == nil && s.Enabled {
				due := maxTime(at, now)
				row.Due = &due
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, err
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func printSources(cmd *cobra.Command, rows []sourceRow) error {
	w := tabwriter.NewWriter(legible{cmd.OutOrStdout()}, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "SOURCE\tKIND\tCOUNTRY\tDUE\tLAST RUN\tSTATE\tIN\tCREATED\tUPDATED\tREJECTED\tMISSING\tERROR")
	for i := range rows {
		r := &rows[i]
		due := "-"
		if r.Due != nil {
			due = r.Due.Format(minute)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t", cmp.Or(r.Source.Key, r.Source.ID), r.Source.Kind, cmp.Or(r.Source.CountryCode, "-"), due)
		if r.Last == nil {
			fmt.Fprintln(w, "never\t-\t\t\t\t\t\t")
			continue
		}
		c, last := &r.Last.Counts, ""
		if n := len(r.Last.Errors); n > 0 {
			last = r.Last.Errors[n-1].Code
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\n", r.Last.StartedAt.Format(minute), r.Last.State,
			c.In, c.Created, c.Updated, c.Rejected, c.Missing, last)
	}
	return w.Flush()
}
