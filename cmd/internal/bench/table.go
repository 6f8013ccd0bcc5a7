//go:build linux

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// table prints the medians, the ratios and whether they reach the goals.
func table(w io.Writer, r *result) {
	for _, n := range slices.Sorted(maps.Keys(r.Sites)) {
		s := r.Sites[n]
		fmt.Fprintf(w, "site of %d entries: %d files, %d links, %d folders, %d MiB\n", n, s.Files, s.Links, s.Dirs, s.Bytes>>20)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "program\tentries\tours s\tCPU s\tMiB\tplain s\tCPU s\tratio\tCPU ratio\tentries/s\tgoal\t")
	for _, x := range r.Comparisons {
		if len(x.Ours) == 0 {
			continue
		}
		o := median(x.Ours)
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t%.0f\t", x.Name, x.N, o.Wall, o.CPU, o.PeakMiB)
		if len(x.Plain) == 0 {
			fmt.Fprintf(t, "\t\t\t\t%.0f\t\t\n", float64(x.N)/o.Wall)
			continue
		}
		p := median(x.Plain)
		fmt.Fprintf(t, "%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%s\t\n", p.Wall, p.CPU, o.Wall/p.Wall, o.CPU/p.CPU, float64(x.N)/o.Wall, verdict(&x, &o, &p))
	}
	t.Flush()
	fmt.Fprintln(w, "ours and plain are the medians of", runsOf(r), "alternated runs, MiB is the largest peak of ours; a ratio is ours / plain.")
}

func runsOf(r *result) int {
	n := 0
	for _, x := range r.Comparisons {
		n = max(n, len(x.Ours))
	}
	return n
}

func verdict(x *comparison, ours, plain *usage) string {
	word := map[bool]string{true: "met", false: "NOT MET"}
	if x.Name == "build" {
		return fmt.Sprintf("≤ %.1f, < %d MiB: %s", buildGoal, memoryGoal, word[ours.Wall <= buildGoal*plain.Wall && ours.PeakMiB < memoryGoal])
	}
	return fmt.Sprintf("≤ %.1f: %s", 1/importGoal, word[importGoal*ours.Wall <= plain.Wall])
}
