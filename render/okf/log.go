package okf

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// Bounds of the log: days before its newest one, and entries of one kind that a
// day names; the rest is counted.
const (
	logDays = 365
	logMax  = 50
)

// logKinds are the bold words of the log (SPEC §7), in the order within a day.
var logKinds = []string{"Creation", "Update", "Deprecation", "Removal"}

// history collects what the log shows. Only the last change of each entry is
// known, so a later change takes the place of an earlier one.
type history struct {
	c *snapshot.Catalog
	// days maps a day, counted from 1970, to what happened by kind.
	days   map[int64]*[4]happened
	newest int64
}

// happened is what one kind of event did on one day.
type happened struct {
	count int
	lines []string
}

func newHistory(c *snapshot.Catalog) history {
	h := history{c: c, days: map[int64]*[4]happened{}}
	for _, g := range c.Gone {
		text := "`" + g.Slug + "` left the register (" + inline(g.Reason) + ")"
		if i := c.ByID(g.Successor); g.Successor != "" && i >= 0 {
			text += ", see [" + inline(oneLine(c.Lines[i].Name)) + "](/" + conceptPath(&c.Lines[i]) + ")"
		}
		h.put(g.At.Unix(), 3, func() string { return text + "." })
	}
	return h
}

func (h *history) add(ordinal int, f *facts) {
	l := &h.c.Lines[ordinal]
	named := func(text string) func() string {
		return func() string { return text + " [" + inline(f.Title) + "](/" + conceptPath(l) + ")." }
	}
	h.put(f.Published, 0, named("Added"))
	if f.Content > f.Published && day(f.Content) != day(f.Published) {
		h.put(f.Content, 1, named("Changed"))
	}
	if f.Deprecated > 0 {
		h.put(f.Deprecated, 2, named("Deprecated"))
	}
}

func day(unix int64) int64 { return unix / (24 * 3600) }

func (h *history) put(at int64, kind int, text func() string) {
	if at == 0 {
		return
	}
	d := day(at)
	h.newest = max(h.newest, d)
	if h.days[d] == nil {
		h.days[d] = &[4]happened{}
	}
	k := &h.days[d][kind]
	k.count++
	if len(k.lines) < logMax {
		k.lines = append(k.lines, text())
	}
}

// render writes the log, newest day first.
func (h *history) render() ([]byte, error) {
	var b strings.Builder
	b.WriteString("# Log\n")
	days := slices.Sorted(maps.Keys(h.days))
	slices.Reverse(days)
	for _, d := range days {
		if d <= h.newest-logDays {
			break
		}
		fmt.Fprintf(&b, "\n## %s\n\n", time.Unix(d*24*3600, 0).UTC().Format(time.DateOnly))
		for n, kind := range logKinds {
			k := &h.days[d][n]
			for _, text := range k.lines {
				fmt.Fprintf(&b, "* **%s**: %s\n", kind, text)
			}
			if more := k.count - len(k.lines); more > 0 {
				fmt.Fprintf(&b, "* **%s**: and %d more.\n", kind, more)
			}
		}
	}
	return []byte(b.String()), nil
}
