package okf

import (
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// Bounds of the log: days before its newest one, and entries of one kind that a
// day names; the rest is counted.
const (
	logDays = 365
	logMax  = 50
)

// Kinds of events, in the order within a day.
const (
	kindCreation = iota
	kindUpdate
	kindDeprecation
	kindRemoval
)

// logKinds are the bold words of the log (SPEC §7) and what it says of an
// entry.
var logKinds = [...]struct{ word, said string }{
	kindCreation: {"Creation", "Added"}, kindUpdate: {"Update", "Changed"},
	kindDeprecation: {"Deprecation", "Deprecated"}, kindRemoval: {word: "Removal"},
}

// history collects what the log shows. Only the last change of each entry is
// known, so a later change takes the place of an earlier one.
type history struct {
	c *snapshot.Catalog
	// days maps a day, counted from 1970, to what happened by kind.
	days   map[int64]*[4]happened
	newest int64
	// lines counts those that the days have.
	lines int
}

// happened is what one kind of event did on one day: how often, and to which
// entries first, by ordinal; those that are gone by their place among them.
type happened struct {
	count int
	first []int32
}

func newHistory(c *snapshot.Catalog) history {
	h := history{c: c, days: map[int64]*[4]happened{}}
	for i := range c.Gone {
		h.put(c.Gone[i].At.Unix(), kindRemoval, i)
	}
	return h
}

func (h *history) add(ordinal int, f *facts) {
	h.put(f.Published, kindCreation, ordinal)
	if f.Content > f.Published && day(f.Content) != day(f.Published) {
		h.put(f.Content, kindUpdate, ordinal)
	}
	if f.Deprecated > 0 {
		h.put(f.Deprecated, kindDeprecation, ordinal)
	}
}

func day(unix int64) int64 { return unix / (24 * 3600) }

func (h *history) put(at int64, kind, entry int) {
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
	if len(k.first) < logMax {
		k.first = append(k.first, int32(entry))
		h.lines++
	}
}

// render writes the log, newest day first.
func (h *history) render(m *markdown) error {
	m.raw("# Log\n")
	days := slices.Sorted(maps.Keys(h.days))
	slices.Reverse(days)
	for _, d := range days {
		if d <= h.newest-logDays {
			break
		}
		m.raw("\n## ", time.Unix(d*24*3600, 0).UTC().Format(time.DateOnly), "\n\n")
		for kind := range logKinds {
			h.write(m, kind, &h.days[d][kind])
		}
	}
	return nil
}

func (h *history) write(m *markdown, kind int, k *happened) {
	bold := logKinds[kind]
	for _, entry := range k.first {
		m.raw("* **", bold.word, "**: ")
		if kind == kindRemoval {
			h.gone(m, &h.c.Gone[entry])
			continue
		}
		m.raw(bold.said, " ")
		h.named(m, int(entry))
		m.raw(".\n")
	}
	if more := k.count - len(k.first); more > 0 {
		m.raw("* **", bold.word, "**: and ").number(more).raw(" more.\n")
	}
}

// gone tells of an entry that left, and of the one that took its place.
func (h *history) gone(m *markdown, g *snapshot.Tombstone) {
	m.raw("`", g.Slug, "` left the register (").inline(g.Reason).raw(")")
	if i := h.c.ByID(g.Successor); g.Successor != "" && i >= 0 {
		m.raw(", see ")
		h.named(m, i)
	}
	m.raw(".\n")
}

func (h *history) named(m *markdown, ordinal int) {
	l := &h.c.Lines[ordinal]
	m.raw("[").inline(title(l.Name, l.Slug)).raw("](/", sectionOf(l.Type), "/", l.Slug, ".md)")
}
