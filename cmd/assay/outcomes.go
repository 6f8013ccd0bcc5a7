package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// printOutcomes prints a line for each source that was harvested, and below
// what went wrong with it.
func (a *app) printOutcomes(outcomes []harvest.Outcome) error {
	if len(outcomes) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(legible{a.stderr}, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "SOURCE\tSTATE\tIN\tCREATED\tUPDATED\tUNCHANGED\tMERGED\tQUARANTINED\tSUPPRESSED\tREPEATED\tREJECTED\tMISSING\tGONE\tSECONDS")
	for i := range outcomes {
		r := &outcomes[i].Report
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\n", cmp.Or(r.Key, r.Source), cmp.Or(string(r.State), stateOf(&outcomes[i])), r.In, r.Created,
			r.Updated, r.Unchanged, r.Merged, r.Quarantined, r.Suppressed, r.Repeated, r.Rejected, r.Missing, r.Gone, r.Finished.Sub(r.Started).Seconds())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i := range outcomes {
		a.sayOutcome(&outcomes[i])
	}
	return nil
}

// stateOf is what became of a source that has no run of its own.
func stateOf(o *harvest.Outcome) string {
	if o.Busy() {
		return "busy"
	}
	return "failed"
}

// sayOutcome says what a person should know of one source.
func (a *app) sayOutcome(o *harvest.Outcome) {
	r := &o.Report
	name := cmp.Or(r.Key, r.Source)
	switch {
	case o.Err != nil:
		a.say("%s: %v", name, o.Err)
	case r.State == catalog.RunQuarantined:
		a.say("%s: %s; `assay sources confirm %s` accepts it", name, r.Notice, name)
	case r.Notice != "":
		a.say("%s: %s", name, r.Notice)
	}
	for _, e := range r.Errors {
		if o.Err == nil {
			a.say("%s: %s: %s", name, e.Code, e.Text)
		}
	}
	for _, line := range r.Lacks() {
		a.say("%s: %s", name, line)
	}
	if r.Rejected == 0 {
		return
	}
	a.say("%s: %d of %d records were rejected: %s", name, r.Rejected, r.In, r.Reasons())
	said := map[source.Code]bool{}
	for _, x := range r.Rejections {
		if !said[x.Code] {
			said[x.Code] = true
			a.say("  such as %s: %s: %s (%s)", x.Place, x.Code, x.Reason, x.Remedy)
		}
	}
}

// sayNothingDue says why no source is harvested: which failed, and when each is
// due again.
func (a *app) sayNothingDue(ctx context.Context, st catalog.Store, now time.Time) error {
	rows, err := listSources(ctx, st, nil, true, now)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r sourceRow) bool { return r.Due == nil })
	if len(rows) == 0 {
		a.say("no source is enabled: name one that `assay sources` lists, or enable it in assay.yaml")
		return nil
	}
	a.say("no source is due; one that is named is harvested at any time")
	slices.SortStableFunc(rows, func(x, y sourceRow) int { return x.Due.Compare(*y.Due) })
	for i := range rows {
		r := &rows[i]
		if r.Last != nil && !r.Last.Reached() {
			a.say("  %s: %s at %s%s; due again at %s", r.Source.Key, r.Last.State, r.Last.StartedAt.Format(minute), lastError(r.Last), r.Due.Format(minute))
		}
	}
	a.say("the next one is %s, at %s", rows[0].Source.Key, rows[0].Due.Format(minute))
	return nil
}

// minute is how instants are shown, in UTC.
const minute = "2006-01-02 15:04"

// lastError is the last error of a run with what leads to it, "" if it had none.
func lastError(run *catalog.HarvestRun) string {
	if len(run.Errors) == 0 {
		return ""
	}
	e := &run.Errors[len(run.Errors)-1]
	return " (" + e.Code + ": " + strings.TrimSuffix(e.Text, ".") + ")"
}
