package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// showPublishers writes the matcher's table of one source.
func showPublishers(ctx context.Context, cmd *cobra.Command, st catalog.Store, names []string, asJSON bool, now time.Time) error {
	list, err := harvest.List(ctx, st, names, now)
	if err != nil {
		return err
	}
	rows, err := harvest.Publishers(ctx, st, list[0].ID)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(rows)
	}
	w := tabwriter.NewWriter(legible{cmd.OutOrStdout()}, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ENTRIES\tPUBLISHER\tINSTITUTION\tSTATE\tHOW\tEVIDENCE")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", r.Records, cmp.Or(r.Publisher, "-"), cmp.Or(r.Key, "-"), cmp.Or(string(r.State), "-"), cmp.Or(r.Rule, "-"), cmp.Or(r.Evidence, "-"))
	}
	return w.Flush()
}
