package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/render/okf/okfcheck"
)

func (a *app) check() *cobra.Command {
	var against string
	cmd := &cobra.Command{
		Use: "check DIR|URL", Short: "Verify a published site: hashes, links, promises", Args: cobra.ExactArgs(1),
		Long: "Recomputes every hash, follows every link and, with --against, refuses a site in which an entry of\n" +
			"the other one vanished without a tombstone or a publication time moved.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var before publish.Pages
			if against != "" {
				before = a.pages(against)
			}
			r, err := publish.Check(cmd.Context(), a.pages(args[0]), before, a.bar.Set)
			a.bar.Done()
			if err != nil {
				return err
			}
			for _, f := range r.Faults {
				a.say("%s: %s", f.Route, f.What)
			}
			r.FaultCount += a.checkOKF(args[0])
			fmt.Fprintf(a.stderr, "%d routes, %d manifests, %d links checked: %d faults\n", r.Routes, r.Manifests, r.Links, r.FaultCount)
			if r.FaultCount > 0 {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&against, "against", "", "an earlier site, DIR or URL, whose promises must be kept")
	return cmd
}

// checkOKF holds the bundle of a site on disk to the rules of OKF and returns
// how many it breaks.
func (a *app) checkOKF(site string) int {
	bundle := filepath.Join(site, "api", "v1", "okf")
	if _, err := os.Stat(bundle); err != nil {
		return 0
	}
	findings := okfcheck.Check(os.DirFS(bundle))
	for _, f := range findings {
		a.say("/api/v1/okf: %v", f)
	}
	return len(findings)
}

// pages reads a site from a directory or over HTTP. The site under check is
// the operator's own, so private addresses are allowed.
func (a *app) pages(where string) publish.Pages {
	if strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		client := outbound.Client(outbound.Options{AllowPrivate: true, Version: release, Contact: a.site.BaseURL})
		return publish.Remote{Base: strings.TrimSuffix(where, "/"), Client: client}
	}
	return publish.Dir(where)
}
