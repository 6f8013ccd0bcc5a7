package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/transfer"
)

func (a *app) export() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: "export", Short: "Write the whole catalog as NDJSON", Args: noArgs,
		GroupID: groupKeep, Annotations: kept("nothing of the export was kept: a file that was there is as it was; run it again"),
		Example: `  assay export > catalog.ndjson
  assay export --file catalog.ndjson`,
		Long: "Writes every record of the store as one line of JSON, without what is private to an installation. The file of\n" +
			"--file is there when it is whole, in the place of an earlier one, and not before; its owner alone reads it.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			write := func(w io.Writer) error { return transfer.Export(cmd.Context(), st, w) }
			if path == "" || path == "-" {
				return buffered(cmd.OutOrStdout(), write)
			}
			return writePrivate(path, write)
		},
	}
	cmd.Flags().StringVar(&path, "file", "-", "file to write, - for standard output")
	return cmd
}

func buffered(out io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<16)
	return errors.Join(write(w), w.Flush())
}

// writePrivate makes a file that its owner alone reads. It is written aside, and
// takes the place of one of that name when it is whole and on the disk. A device
// or a pipe is written to as it is.
func writePrivate(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(buffered(f, write), f.Close())
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the link stays
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	if err := errors.Join(buffered(f, write), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
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
