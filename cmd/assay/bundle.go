package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/dynamic/evidence"
	"github.com/assay-register/assay/render/bundle"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

func (a *app) bundle() *cobra.Command {
	var p place
	var to string
	cmd := &cobra.Command{
		Use: "bundle ENTRY", Short: "Write the evidence about an entry into one file", Args: cobra.ExactArgs(1),
		GroupID: groupPublish, Annotations: kept("no file was written"),
		Example: `  assay bundle fr-base-adresse-nationale --site out
  assay bundle 6f1c1b0e-55a1-5a3c-9f0e-2f4f1c7d9b11 --file evidence.zip`,
		Long: "Writes a ZIP with the page of the entry as the present snapshot has it, its scores, checks and provenance, the rules as\n" +
			"data, the record of its source without personal data, and what the log of verdicts says of it, with its proofs.\n" +
			"`assay verify-bundle` and the page /verify of any register check it. A service answers the same at\n" +
			"/api/v1/entries/ENTRY/bundle.zip.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				body, id, err := a.makeBundle(cmd.Context(), st, p.folder(), args[0])
				if err != nil {
					return err
				}
				name := cmp.Or(to, id+".zip")
				if err := os.WriteFile(name, body, 0o644); err != nil {
					return err
				}
				a.say("%s: %d bytes", name, len(body))
				return nil
			})
		},
	}
	p.registerSite(cmd.Flags())
	cmd.Flags().StringVar(&to, "file", "", "the file to write (default: the id of the entry, and .zip)")
	return cmd
}

// makeBundle makes the bundle of an entry, by id or slug, from the present snapshot of a folder.
func (a *app) makeBundle(ctx context.Context, st catalog.Store, folder, name string) (body []byte, id string, err error) {
	site, err := output.OpenPresent(folder)
	if err == nil && site == nil {
		err = fmt.Errorf("%s holds no site: run assay build", folder)
	}
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	id = name
	err = st.View(ctx, func(tx catalog.Tx) error {
		owners, err := tx.Entries().BySlug(ctx, name)
		id = cmp.Or(owners[name], name)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	records, err := evidence.Published(ctx, st, id, false)
	if err != nil {
		return nil, "", err
	}
	log, err := translog.OpenLog(os.DirFS(filepath.Join(folder, translog.Dir)))
	if err != nil {
		return nil, "", err
	}
	body, err = bundle.Make(bundle.Parts{BaseURL: strings.TrimSuffix(a.site.BaseURL, "/"), EntryID: id, Snapshot: site.ID, Records: &records, Log: log,
		Read: func(route string) ([]byte, error) {
			in, err := site.Document(route)
			if err != nil {
				return nil, err
			}
			return io.ReadAll(in)
		}})
	return body, id, err
}

func (a *app) verifyBundle() *cobra.Command {
	var logKey string
	cmd := &cobra.Command{
		Use: "verify-bundle FILE", Short: "Check the evidence about an entry, without asking anybody", Args: cobra.ExactArgs(1),
		GroupID: groupPublish, Annotations: kept("nothing was changed"),
		Example: `  assay verify-bundle evidence.zip --log-key 'register.example/log+1234abcd+AQ…'`,
		Long: "Holds each document to the snapshot that binds it and to the hash that it names, makes the scores again from the rules in the bundle, and proves what\n" +
			"the log of verdicts says of the entry below a signed checkpoint. It says, too, what the bundle does not show.",
		RunE: func(cmd *cobra.Command, args []string) error {
			keys, err := logKeys(logKey)
			if err != nil {
				return err
			}
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			b, err := io.ReadAll(io.LimitReader(in, bundle.Max+1))
			if err != nil {
				return err
			}
			v, err := bundle.Verify(b, keys...)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "%s (%s) in snapshot %s\nanswer hashes hold\nscores by the rules: mqa %v (%s), trust %v, ranking %v\n", v.Name, v.EntryID, v.Snapshot,
				v.Scores.MQA, v.Scores.Tier, v.Scores.Trust, v.Scores.Ranking)
			if v.Bound {
				fmt.Fprintln(out, "documents and rules are those that the snapshot binds")
			}
			if v.Leaves > 0 {
				fmt.Fprintf(out, "%d leaves proven in a log of %d, signed by %s\n", v.Leaves, v.Size, v.Keys[len(v.Keys)-1])
			}
			for _, open := range v.Open {
				fmt.Fprintln(out, "not shown:", open)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&logKey, "log-key", "", "public key that must have signed the log of verdicts (assay key show), or a file with such keys; without it those that the bundle names")
	return cmd
}
