package month

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is something that the register did otherwise than the oracle says.
type Difference struct {
	Step int
	What string
}

// Report is what a rehearsal found.
type Report struct {
	Differences []Difference
	counts      map[string]int
}

// Differ notes a difference.
func (r *Report) Differ(step int, format string, args ...any) {
	r.Differences = append(r.Differences, Difference{step, fmt.Sprintf(format, args...)})
}

// Count adds to a figure of the report.
func (r *Report) Count(what string, n int) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.counts[what] += n
}

func (r *Report) String() string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&b, "%8d %s\n", r.counts[what], what)
	}
	fmt.Fprintf(&b, "%8d differences from the oracle\n", len(r.Differences))
	for _, d := range r.Differences {
		fmt.Fprintf(&b, "  step %d (day %d, %02d:00 after the start): %s\n", d.Step, d.Step/stepsPerDay+1, d.Step%stepsPerDay*6, d.What)
	}
	return b.String()
}
