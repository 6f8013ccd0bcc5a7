package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// printLogs prints the latest runs of each source that was named.
func printLogs(out io.Writer, rows []sourceRow) error {
	for i := range rows {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := printLog(out, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func printLog(out io.Writer, r *sourceRow) error {
	s := &r.Source
	fmt.Fprintf(out, "%s: %s\n%s, %s\n", cmp.Or(s.Key, s.ID), s.Title, s.Kind, cmp.Or(s.File, s.Endpoint, s.URL))
	switch {
	case r.Due != nil:
		fmt.Fprintf(out, "due %s\n", r.Due.Format(minute))
	case s.Key != "":
		fmt.Fprintf(out, "not enabled; `assay harvest %s` reads it once\n", s.Key)
	}
	if len(r.Runs) == 0 {
		fmt.Fprintln(out, "never harvested")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "BEGAN\tSTATE\tPAGES\tIN\tCREATED\tUPDATED\tUNCHANGED\tMERGED\tQUARANTINED\tSUPPRESSED\tREPEATED\tREJECTED\tMISSING\tGONE")
	for i := range r.Runs {
		run := &r.Runs[i]
		c := &run.Counts
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", run.StartedAt.Format(minute), run.State, run.Pages,
			c.In, c.Created, c.Updated, c.Unchanged, c.Merged, c.Quarantined, c.Suppressed, c.Repeated, c.Rejected, c.Missing, c.Deprecated)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i := range r.Runs {
		printRun(out, &r.Runs[i])
	}
	printRejections(out, &r.Runs[0])
	return nil
}

// printRun prints what the figures of a run do not tell.
func printRun(out io.Writer, run *catalog.HarvestRun) {
	say := func(format string, args ...any) {
		fmt.Fprintf(out, "%s  "+format+"\n", append([]any{run.StartedAt.Format(minute)}, args...)...)
	}
	if len(run.Counts.RejectedBy) > 0 {
		say("rejected: %s", harvest.Reasons(run.Counts.RejectedBy))
	}
	for _, e := range run.Errors {
		say("%s: %s", e.Code, e.Text)
	}
	if run.Notice != "" {
		say("%s", run.Notice)
	}
}

// printRejections lists rejections of the last run with what helps.
func printRejections(out io.Writer, run *catalog.HarvestRun) {
	for _, x := range run.Rejections[:min(len(run.Rejections), rejectionsMax)] {
		fmt.Fprintf(out, "rejected %s: %s: %s (%s)\n", x.Place, x.Code, x.Reason, x.Remedy)
	}
	if more := run.Counts.Rejected - rejectionsMax; more > 0 {
		fmt.Fprintf(out, "… and %d more\n", more)
	}
	for _, x := range run.Repeats[:min(len(run.Repeats), rejectionsMax)] {
		fmt.Fprintf(out, "repeated %s: %s (%s)\n", x.Place, x.Reason, x.Remedy)
	}
}
