package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	httpfetch "github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/lint"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/render/catalog"
	rules "github.com/assay-register/assay/render/lint"
)

// codeUnreadable is the exit code of `assay lint` when what it was given cannot be
// read, so that it is not taken for a catalogue with faults.
const codeUnreadable = 2

func (a *app) lint() *cobra.Command {
	var format, kind, out string
	var gap time.Duration
	cmd := &cobra.Command{
		Use: "lint URL|FILE", Short: "Find what must be mended in a catalogue that is in no register", Args: cobra.ExactArgs(1),
		GroupID: groupPublish, Annotations: kept("nothing was changed"),
		Example: `  assay lint data.json
  assay lint https://data.example.gov/data.json --format sarif --output lint.sarif
  assay lint catalogue.ttl.gz --format json
  assay lint https://data.example.gov --kind ckan`,
		Long: "Reads a catalogue, or a description of an API, as a register would, and lists what is wrong with it: the record\n" +
			"and the member, the rule and where it comes from, what readers lose, the points of the quality score that are\n" +
			"gained, and a patch. No store is needed and nothing is kept. Exit code 1 says that something must be mended,\n" +
			"2 that the catalogue cannot be read.",
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.lintInput(args[0], gap)
			if err != nil {
				return err
			}
			to := cmd.OutOrStdout()
			if out != "" {
				file, err := os.Create(out)
				if err != nil {
					return fmt.Errorf("--output: %w", err)
				}
				defer file.Close()
				to = file
			}
			buffered := bufio.NewWriterSize(to, 1<<20)
			w, err := rules.NewWriter(buffered, format)
			if err != nil {
				return err
			}
			sum, err := lint.Run(cmd.Context(), lint.Options{Input: in, Kind: kind, Connectors: harvest.Connectors(), Found: w.Write})
			if err != nil {
				return err
			}
			if err := errors.Join(w.Close(&sum), buffered.Flush()); err != nil {
				return fmt.Errorf("write the findings: %w", err)
			}
			if sum.Must > 0 {
				return errFailed
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", rules.FormText, "how findings are written: "+strings.Join(rules.Forms(), ", "))
	f.StringVar(&kind, "kind", "", "protocol of the catalogue, told by its content without it: "+strings.Join(harvest.Kinds(), ", ")+", or "+lint.KindNone+" to look at the documents alone")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(lintKinds(), cobra.ShellCompDirectiveNoFileComp)) // refused for a flag that is not there
	f.StringVar(&out, "output", "", "file that gets the findings, in place of the standard output")
	f.DurationVar(&gap, "gap", time.Second, "least time between two requests to one host")
	return cmd
}

// lintKinds are the protocols, and that of what has none.
func lintKinds() []string { return append(slices.Clone(harvest.Kinds()), lint.KindNone) }

// lintInput is what lies at an address or in a file.
func (a *app) lintInput(where string, gap time.Duration) (source.Input, error) {
	src := catalog.Source{ID: harvest.SourceID("lint|" + where)}
	live := strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://")
	if live {
		src.URL, src.Endpoint = where, where
	} else {
		src.File = where
	}
	in, err := harvest.InputOf(src, a.allowPrivate)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // whoever asked for it knows its name, and nobody the id that sources have
	}
	if err != nil {
		return in, fmt.Errorf("%s: %w", where, err)
	}
	in.Now = clock()
	if live {
		client := outbound.Client(outbound.Options{AllowPrivate: a.allowPrivate, Only: a.only, Version: release, Contact: a.contact()})
		session := httpfetch.New(httpfetch.Options{Client: client, Gap: max(gap, time.Nanosecond), Backoff: 2 * gap}).Session(nil)
		in.Fetch = session.Fetch
	}
	return in, nil
}
