package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/render/catalog"
)

// duplicatesListed is how many pairs the command line lists.
const duplicatesListed = 1000

func (a *app) duplicates() *cobra.Command {
	return &cobra.Command{
		Use: "duplicates", Short: "List the entries that may be one thing", Args: noArgs,
		Annotations: kept("nothing was changed"),
		Example:     `  assay admin duplicates`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st catalog.Store) error {
				var pairs [][2]catalog.Entry
				var total int
				err := st.View(cmd.Context(), func(tx catalog.Tx) (err error) {
					pairs, total, err = admin.Duplicates(cmd.Context(), tx, duplicatesListed)
					return err
				})
				if err != nil {
					return fmt.Errorf("list possible duplicates: %w", err)
				}
				w := tabwriter.NewWriter(legible{cmd.OutOrStdout()}, 0, 8, 2, ' ', 0)
				fmt.Fprintln(w, "ENTRY\tOF\tADDRESS\tADDRESS OF THE OTHER")
				for i := range pairs {
					e, of := &pairs[i][0], &pairs[i][1]
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Slug, of.Slug, e.PrimarySourceURL, of.PrimarySourceURL)
				}
				if err := w.Flush(); err != nil {
					return err
				}
				a.say("%d of %d pairs", len(pairs), total)
				return nil
			})
		},
	}
}

func (a *app) decideDuplicate() *cobra.Command {
	var same, distinct bool
	cmd := a.explained(&cobra.Command{
		Use: "duplicate ENTRY OF --same|--distinct --reason TEXT", Short: "Decide whether two entries are one thing", Args: cobra.ExactArgs(2),
		Long: "Decides on two entries that may be one thing, by id or slug. --same makes the newer part of the older, which\n" +
			"says what the catalogue nearest to the publisher says, and which unmerge takes back; --distinct says that they are two, and is not asked again.",
		Annotations: kept("assay admin duplicates lists the pair until it is decided"),
		Example:     "  assay admin duplicate air-quality-2 air-quality --same --reason 'both are the national series'",
	}, "decide on", func(ctx context.Context, st catalog.Store, args []string, why string) (string, error) {
		err := admin.DecideDuplicate(ctx, st, harvest.Unite, args[0], args[1], same, why, commandLine, now())
		return fmt.Sprintf("%s and %s are %s", args[0], args[1], map[bool]string{true: "one", false: "two"}[same]), err
	})
	cmd.Flags().BoolVar(&same, "same", false, "they are the same: the newer becomes part of the older")
	cmd.Flags().BoolVar(&distinct, "distinct", false, "they are two things")
	cmd.MarkFlagsMutuallyExclusive("same", "distinct")
	cmd.MarkFlagsOneRequired("same", "distinct")
	return cmd
}

func (a *app) unmerge() *cobra.Command {
	return a.explained(&cobra.Command{
		Use: "unmerge ENTRY --reason TEXT", Short: "Take the merger of an entry back", Args: cobra.ExactArgs(1),
		Long: "Makes an entry of its own again of one that became part of another, by its id or slug. No harvest merges it again;\n" +
			"what its listing brought to the other entry goes from there.",
		Annotations: kept("the merger was taken back, or nothing; run it again"),
		Example:     "  assay admin unmerge air-quality-2 --reason 'it covers another region'",
	}, "take the merger back of", func(ctx context.Context, st catalog.Store, args []string, why string) (string, error) {
		return args[0] + " is an entry of its own again", admin.Unmerge(ctx, st, args[0], why, commandLine, now())
	})
}
