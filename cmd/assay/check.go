package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/cmd/internal/outbound"
)

func (a *app) check() *cobra.Command {
	var against, logKey string
	cmd := &cobra.Command{
		Use: "check DIR|URL", Short: "Verify a published site: hashes, links, formats, promises", Args: cobra.ExactArgs(1),
		GroupID: groupPublish, Annotations: kept("nothing was changed"),
		Example: `  assay check site
  assay check https://register.example --against site`,
		Long: "Recomputes every hash, follows every link, holds DCAT-AP documents, feeds and the OKF bundle to the rules\n" +
			"of their formats and, with --against, refuses a site in which an entry of the other one vanished without\n" +
			"a tombstone or a publication time moved.",
		RunE: func(cmd *cobra.Command, args []string) error {
			site, err := a.pages(args[0])
			if err != nil {
				return err
			}
			var before output.Pages
			if against != "" {
				if before, err = a.pages(against); err != nil {
					return err
				}
			}
			keys, err := logKeys(logKey)
			if err != nil {
				return err
			}
			r, err := check.Site(cmd.Context(), site, before, a.bar.Set, keys...)
			a.bar.Done()
			if err != nil {
				return err
			}
			for _, f := range r.Faults {
				a.say("%s: %s", f.Route, f.What)
			}
			fmt.Fprintf(a.stderr, "%d routes, %d manifests, %d links, %d RDF documents of %d statements, %d feeds, %d OKF files checked: %d faults\n",
				r.Routes, r.Manifests, r.Links, r.Graphs, r.Statements, r.Feeds, r.Concepts, r.FaultCount)
			if r.Live > 0 {
				a.say("%d documents are later than the snapshot: the service answers them itself", r.Live)
			}
			if r.Rescored > 0 {
				a.say("the scores of %d entries were made again by the published rules", r.Rescored)
			}
			if r.Leaves > 0 && r.FaultCount == 0 {
				a.say("%d leaves of the log of verdicts make its signed root", r.Leaves)
			}
			if r.Leaves == 0 {
				a.say("no log of verdicts to verify")
			}
			if r.FaultCount > 0 {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&logKey, "log-key", "", "public key that must have signed the log of verdicts (assay key show), or a file with such keys; without it the one that the log names")
	cmd.Flags().StringVar(&against, "against", "", "an earlier site, DIR or URL, whose promises must be kept; of another copy of the same snapshot, each document that differs is named")
	return cmd
}

// pages reads a site from snapshot files, from a directory of documents, or over HTTP. The
// site under check is the operator's own, so private addresses are allowed.
func (a *app) pages(where string) (output.Pages, error) {
	if strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		client := outbound.Client(outbound.Options{AllowPrivate: true, Version: release, Contact: a.contact()})
		return output.Remote{Base: strings.TrimSuffix(where, "/"), Client: client}, nil
	}
	s, err := output.OpenPresent(where)
	if err != nil || s != nil {
		return s, err
	}
	return output.Dir(where), nil
}
