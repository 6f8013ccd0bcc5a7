package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/pack"
)

func (a *app) snapshot() *cobra.Command {
	cmd := &cobra.Command{
		Use: "snapshot", Short: "Look into a snapshot file", GroupID: groupPublish,
		Long: "A snapshot file is a whole site in one file, as `assay build` makes it. FILE is one, or the folder of\n" +
			"them, whose present one is meant.",
	}
	cmd.AddCommand(a.snapshotInfo(), a.snapshotList(), a.snapshotCat(), a.snapshotUnpack())
	return cmd
}

// openSnapshot opens a snapshot file, or the present one of a directory.
func openSnapshot(path string) (*output.SnapshotFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return output.OpenSnapshot(path)
	}
	s, err := output.OpenPresent(output.Folder(path))
	if err == nil && s == nil {
		err = fmt.Errorf("%s holds no snapshot file: make one with assay build --site %s", path, path)
	}
	return s, err
}

// looking is a command that reads a snapshot file.
func (a *app) looking(use, short, example string, args cobra.PositionalArgs, do func(ctx context.Context, s *output.SnapshotFile, args []string, out io.Writer) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, Example: "  " + example, Annotations: kept("the file is as it was"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openSnapshot(args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
			return errors.Join(do(cmd.Context(), s, args, out), out.Flush())
		}}
}

func (a *app) snapshotInfo() *cobra.Command {
	return a.looking("info FILE", "Say what a snapshot file holds", "assay snapshot info site", cobra.ExactArgs(1),
		func(_ context.Context, s *output.SnapshotFile, _ []string, out io.Writer) error {
			d := &s.Pack.Directory
			fmt.Fprintf(out, "snapshot %s\ncontent %s\n%d documents of %d bytes in %d groups\n", s.ID, d.Content, d.Documents, d.Bytes, d.Groups)
			sums, err := s.Pack.Sums()
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "kind\tframes\tbytes\tstored\t")
			for _, k := range sums {
				fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", k.Kind, k.Frames, k.Bytes, k.Stored)
			}
			for _, part := range d.Sections {
				fmt.Fprintf(w, "%s\t\t\t%d\t\n", part.Name, part.Length)
			}
			return w.Flush()
		})
}

func (a *app) snapshotList() *cobra.Command {
	return a.looking("ls FILE [PREFIX]", "List the routes of a snapshot file", "assay snapshot ls site /api/v1/entries", cobra.RangeArgs(1, 2),
		func(ctx context.Context, s *output.SnapshotFile, args []string, out io.Writer) error {
			prefix := "/"
			if len(args) > 1 {
				prefix = args[1]
			}
			return s.Pack.Each(func(f *pack.Found) error {
				d := f.Document
				for _, route := range []string{d.Route, d.Alias} {
					if route != "" && strings.HasPrefix(route, prefix) {
						fmt.Fprintf(out, "%s %12d %s  %s\n", hex.EncodeToString(d.Sum[:]), d.Size, route, d.Type)
					}
				}
				return ctx.Err()
			})
		})
}

func (a *app) snapshotCat() *cobra.Command {
	return a.looking("cat FILE ROUTE", "Print a document of a snapshot file", "assay snapshot cat site /api/v1/entries", cobra.ExactArgs(2),
		func(_ context.Context, s *output.SnapshotFile, args []string, out io.Writer) error {
			found, err := s.Pack.Route(args[1])
			if err == nil && found == nil {
				err = fmt.Errorf("no document has the route %s; assay snapshot ls lists all", args[1])
			}
			if err != nil {
				return err
			}
			return s.Pack.Verify(out, found)
		})
}

func (a *app) snapshotUnpack() *cobra.Command {
	return a.looking("unpack FILE DIR", "Write the documents of a snapshot file into an empty directory", "assay snapshot unpack site www", cobra.ExactArgs(2),
		func(ctx context.Context, s *output.SnapshotFile, args []string, _ io.Writer) error {
			n, err := output.Unpack(ctx, s, args[1])
			if err == nil {
				a.say("%d documents in %s", n, args[1])
			}
			return err
		})
}
