package harvest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// listed bounds how many rejections a report lists; all are counted.
const listed = 1000

// Report says what a harvest did with every record that came in. Each record
// has exactly one outcome: In is the sum of Created to Rejected.
type Report struct {
	// Source is the id of the source, Key its short name, Kind its protocol.
	Source string `json:"source"`
	Key    string `json:"key,omitempty"`
	Kind   string `json:"kind"`
	// Run is the id of the run in the public log, State where it ended.
	Run   string           `json:"run,omitempty"`
	State catalog.RunState `json:"state,omitempty"`
	// Resumed counts how often the run was taken up again after it broke off.
	Resumed int `json:"resumed,omitempty"`
	// Pages counts the answers that were read.
	Pages int `json:"pages,omitempty"`
	// In counts the records that the source delivered, readable or not.
	In int `json:"in"`
	// Created are new public entries.
	Created int `json:"created"`
	// Updated are known entries whose content changed, or that came back.
	Updated int `json:"updated"`
	// Unchanged are known entries whose content is the same.
	Unchanged int `json:"unchanged"`
	// Merged are further listings of an entry that this or another source
	// lists too.
	Merged int `json:"merged"`
	// PossibleDuplicates are new entries that may be the same as one of another
	// catalogue; a moderator decides.
	PossibleDuplicates int `json:"possible_duplicates"`
	// Quarantined are new entries that wait for a moderator.
	Quarantined int `json:"quarantined"`
	// Suppressed are listings of entries that a moderator removed.
	Suppressed int `json:"suppressed"`
	// Repeated are records with the identity of another one of this run; of them
	// the one that was modified last is kept.
	Repeated int `json:"repeated"`
	// Rejected did not get in; RejectedBy counts them by code.
	Rejected   int                 `json:"rejected"`
	RejectedBy map[source.Code]int `json:"rejected_by,omitempty"`
	// Missing are entries of the source that it did not list this time, Gone
	// those that were deprecated for it.
	Missing int `json:"missing,omitempty"`
	Gone    int `json:"gone,omitempty"`
	// Unfollowed are records whose relations to others were not looked up: a run
	// remembers a bounded number of them.
	Unfollowed int `json:"unfollowed,omitempty"`
	// Fields tells what the publisher left out from what the harvest lost.
	Fields catalog.RunFields `json:"fields"`
	// Errors are what went wrong with the run as a whole.
	Errors []catalog.RunError `json:"errors,omitempty"`
	// Notice says what the run left undone, and why.
	Notice string `json:"notice,omitempty"`
	// Rejections lists the first 1,000 rejections; Options.Rejected gets all.
	Rejections []source.Rejection `json:"rejections"`
	// Repeats lists the first 1,000 repeated records.
	Repeats []source.Rejection `json:"repeats,omitempty"`
	// unbounded keeps all rejections: a batch has few.
	unbounded bool
	// Publishers tells which institution was taken for each publisher, and why,
	// those of most records first: what this process read of the run.
	Publishers []catalog.PublisherDecision `json:"publishers,omitempty"`
	// Started and Finished are set by the caller, who has the clock.
	Started  time.Time `json:"started,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
}

func (r *Report) reject(x source.Rejection) {
	r.Rejected++
	if r.RejectedBy == nil {
		r.RejectedBy = map[source.Code]int{}
	}
	r.RejectedBy[x.Code]++
	if len(r.Rejections) < listed || r.unbounded {
		r.Rejections = append(r.Rejections, x)
	}
}

func (r *Report) repeat(x source.Rejection) {
	r.Repeated++
	if len(r.Repeats) < listed {
		r.Repeats = append(r.Repeats, x)
	}
}

// clone is a copy that can be added to on its own.
func (r *Report) clone() Report {
	c := *r
	c.RejectedBy = maps.Clone(r.RejectedBy)
	c.Rejections, c.Repeats = slices.Clone(r.Rejections), slices.Clone(r.Repeats)
	c.Errors = slices.Clone(r.Errors)
	return c
}

// add takes over the outcomes of a committed batch.
func (r *Report) add(b *Report) {
	r.Created += b.Created
	r.Updated += b.Updated
	r.Unchanged += b.Unchanged
	r.Merged += b.Merged
	r.PossibleDuplicates += b.PossibleDuplicates
	r.Quarantined += b.Quarantined
	r.Suppressed += b.Suppressed
	for _, x := range b.Rejections {
		r.reject(x)
	}
	for _, x := range b.Repeats {
		r.repeat(x)
	}
}

// check tells whether every record has exactly one outcome.
func (r *Report) check() error {
	sum := r.Created + r.Updated + r.Unchanged + r.Merged + r.Quarantined + r.Suppressed + r.Repeated + r.Rejected
	if sum != r.In {
		return fmt.Errorf("harvest of %s: %d records came in, %d have an outcome", r.Source, r.In, sum)
	}
	return nil
}

// Lacks says of each thing that readers ask for how many records go without
// it, and how many of them because the register could not resolve what their
// source states.
func (r Report) Lacks() []string {
	var lines []string
	for _, l := range r.Fields.Lacks {
		if n := l.NotStated + l.Unresolved; n > 0 {
			lines = append(lines, fmt.Sprintf("%-12s %d of %d records (%s): %d do not state it, %d were not resolved", "no "+l.What, n, l.Of, percent(n, l.Of), l.NotStated, l.Unresolved))
		}
	}
	return lines
}

// percent is a share in full per cent; only nothing is 0 % and only all 100 %.
func percent(n, of int) string {
	p := n * 100 / of
	if p == 0 && n > 0 {
		return "< 1 %"
	}
	return strconv.Itoa(p) + " %"
}

// Summary is the report as a small table for people.
func (r Report) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %s\n", "kind", r.Kind)
	for _, line := range []struct {
		name string
		n    int
	}{
		{"in", r.In}, {"created", r.Created}, {"updated", r.Updated}, {"unchanged", r.Unchanged}, {"merged", r.Merged},
		{"quarantined", r.Quarantined}, {"suppressed", r.Suppressed}, {"repeated", r.Repeated}, {"rejected", r.Rejected},
	} {
		fmt.Fprintf(&b, "%-12s %d\n", line.name, line.n)
	}
	for _, code := range slices.Sorted(maps.Keys(r.RejectedBy)) {
		fmt.Fprintf(&b, "  %-24s %d\n", code, r.RejectedBy[code])
	}
	if r.PossibleDuplicates > 0 {
		fmt.Fprintf(&b, "%-12s %d new entries may be the same as one of another catalogue; a moderator decides\n", "duplicates?", r.PossibleDuplicates)
	}
	if r.Missing > 0 {
		fmt.Fprintf(&b, "%-12s %d (%d deprecated)\n", "missing", r.Missing, r.Gone)
	}
	if r.Unfollowed > 0 {
		fmt.Fprintf(&b, "%-12s %d records whose relations to others were not looked up\n", "unfollowed", r.Unfollowed)
	}
	if f := &r.Fields; f.Delivered > 0 {
		fmt.Fprintf(&b, "%-12s %d delivered, %d repaired, %d refused, %d left out by the publisher\n", "fields",
			f.Delivered, f.Repaired, f.Refused, f.Omitted)
	}
	for _, line := range r.Lacks() {
		fmt.Fprintln(&b, line)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(&b, "%-12s %s: %s\n", "error", e.Code, e.Text)
	}
	if r.Notice != "" {
		fmt.Fprintf(&b, "%s\n", r.Notice)
	}
	return b.String()
}
