package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/transfer"
)

func (a *app) export() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: "export", Short: "Write the whole catalog as NDJSON", Args: cobra.NoArgs,
		GroupID: groupKeep, Annotations: kept("what was written of the export is not complete; run it again"),
		Example: `  assay export > catalog.ndjson
  assay export --file catalog.ndjson`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			out := cmd.OutOrStdout()
			if path != "" && path != "-" {
				f, err := createPrivate(path)
				if err != nil {
					return err
				}
				w := bufio.NewWriterSize(f, 1<<16)
				return errors.Join(transfer.Export(cmd.Context(), st, w), w.Flush(), f.Close())
			}
			w := bufio.NewWriterSize(out, 1<<16)
			return errors.Join(transfer.Export(cmd.Context(), st, w), w.Flush())
		},
	}
	cmd.Flags().StringVar(&path, "file", "-", "file to write, - for standard output")
	return cmd
}

// createPrivate makes a file that its owner alone reads, also in the place of one
// that others could.
func createPrivate(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, err // a device or a pipe keeps its rights
	}
	if err := f.Chmod(0o600); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (a *app) importCmd() *cobra.Command {
	var report string
	var strict bool
	cmd := &cobra.Command{
		Use: "import [FILE]", Short: "Read entries or a whole catalog from NDJSON", Args: cobra.MaximumNArgs(1),
		GroupID: groupKeep, Annotations: kept("what was taken is in the store; import the same file again to take the rest"),
		Example: `  assay import catalog.ndjson
  zcat catalog.ndjson.gz | assay import --strict
  assay import catalog.ndjson --db postgres://localhost/register`,
		Long: "Reads NDJSON, gzip or not, from a file or standard input: the whole catalog that `assay export` wrote,\n" +
			"or bare entries. A bad record is listed with its line and reason and never stops the rest.",
		RunE: func(cmd *cobra.Command, args []string) error {
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			in, closeIn, err := inputOf(cmd, args)
			if err != nil {
				return err
			}
			defer func() { _ = closeIn() }()
			r, err := transfer.Import(cmd.Context(), st, in, transfer.Options{Now: now(), Strict: strict,
				Progress: func(n int) { a.bar.Set("import", n, 0) }})
			a.bar.Done()
			if err != nil && !errors.Is(err, transfer.ErrRejected) {
				return errors.Join(err, writeReport(report, r))
			}
			a.say("%s", strings.TrimSpace(r.Summary()))
			for _, x := range r.Repairs[:min(len(r.Repairs), rejectionsMax)] {
				a.say("repaired %s: %s", x.Place, x.Reason)
			}
			a.listRejections(r.Rejections, r.Rejected)
			if reportErr := writeReport(report, r); reportErr != nil {
				return reportErr
			}
			if err != nil {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&report, "report", "", "write a JSON report to this file")
	cmd.Flags().BoolVar(&strict, "strict", false, "end with exit code 1 if a record was rejected")
	return cmd
}

func inputOf(cmd *cobra.Command, args []string) (io.Reader, func() error, error) {
	if len(args) == 0 || args[0] == "-" {
		return cmd.InOrStdin(), func() error { return nil }, nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}
