package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/entry"
)

// fillsRoom is about what the register adds to an entry's fragment, in bytes.
const fillsRoom = 8 << 10

// fills are what the register as a whole adds to the page of an entry.
type fills struct {
	ordinal int
	// halved is how often the bounds of lists are halved, so that the page fits.
	halved int
	// slots are in the order of the page; nil leaves one empty.
	slots [4]func(*templates.Site) templ.Component
}

// most is a bound of a list in the room that the page has, at least 1.
func (f *fills) most(bound int) int { return max(1, bound>>f.halved) }

// entryFills works out what is added to the page of the entry at the ordinal, in every language,
// with bounds of lists halved so many times.
func (b *snapshotView) entryFills(ordinal, halved int) *fills {
	l, f := &b.c.Lines[ordinal], &fills{ordinal: ordinal, halved: halved}
	f.slots[1], f.slots[2] = b.topics(f).Chips, b.others(f).Section
	if l.Status == catalog.StatusDeprecated {
		var successor *entry.Neighbour
		if i := b.c.ByID(l.Successor); l.Successor != "" && i >= 0 {
			successor = neighbour(&b.c.Lines[i])
		}
		f.slots[0] = func(s *templates.Site) templ.Component { return entry.Fate(s, successor) }
	}
	if l.LeftOut == "" {
		f.slots[3] = func(s *templates.Site) templ.Component { return entry.Graphs(s, l.ID) }
	}
	return f
}

// entry fills the slots of an entry's fragment in a language, with less where the page would be too heavy.
func (b *snapshotView) entry(fragment []byte, lang string, add *fills) ([]byte, error) {
	w := b.writer(artifact.Buffer(len(fragment)+fillsRoom), locales()[lang])
	for {
		if err := b.assemble(w, fragment, lang, add); err != nil || len(w.b) <= heaviest || add.halved == halvedMost {
			return w.b, err
		}
		w.b, add = w.b[:0], b.entryFills(add.ordinal, add.halved+1)
	}
}

func (b *snapshotView) assemble(w *writer, fragment []byte, lang string, add *fills) error {
	for _, fill := range add.slots {
		before, after, found := cutSlot(fragment)
		if !found {
			return fmt.Errorf("page of entry %s lacks a slot", b.c.Lines[add.ordinal].ID)
		}
		w.b = append(w.b, before...)
		if fill != nil {
			if err := w.component(fill(b.sites[lang])); err != nil {
				return err
			}
		}
		fragment = after
	}
	w.b = append(w.b, fragment...)
	return nil
}

// cutSlot parts a fragment at its first slot. It looks for the second character of the slot, for the
// first is the most frequent one of a page.
func cutSlot(fragment []byte) (before, after []byte, found bool) {
	for from := 1; from < len(fragment); {
		i := bytes.Index(fragment[from:], []byte(entry.Slot[1:]))
		if i < 0 {
			break
		}
		if at := from + i; fragment[at-1] == entry.Slot[0] {
			return fragment[:at-1], fragment[at+len(entry.Slot)-1:], true
		}
		from += i + 1
	}
	return fragment, nil, false
}

// topics are what an entry is about.
func (b *snapshotView) topics(f *fills) *entry.Topics {
	l := &b.c.Lines[f.ordinal]
	t := &entry.Topics{Entry: l.ID}
	for _, v := range l.Themes {
		if list := b.lists["theme"][v]; list != nil {
			t.Themes = append(t.Themes, entry.Topic{Key: list.key, Route: list.route(1)})
		}
	}
	for _, tag := range l.Tags[:min(len(l.Tags), f.most(tagsShown))] {
		x := entry.Topic{Name: clip(tag, 50)}
		// A tag that is common enough has a page, others are a question to the search.
		if list := b.lists["tag"][tag]; list != nil {
			x.Route = list.route(1)
		} else {
			x.Route, x.Asked = "/search?tags="+url.QueryEscape(tag), true
		}
		t.Tags = append(t.Tags, x)
	}
	t.Left = len(l.Tags) - len(t.Tags)
	return t
}

// Bounds of the lists of other entries; an entry stands in one of them only.
const (
	tiesShown       = 5
	neighboursShown = 3
)

// others are what ties the entry to others, and what could serve instead, each with its
// reasons.
func (b *snapshotView) others(f *fills) *entry.Others {
	out := &entry.Others{Series: b.seriesAround(f.ordinal)}
	shown := shown{ties: f.most(tiesShown), neighbours: f.most(neighboursShown)}
	ties := b.c.Relations(f.ordinal)
	near := slices.IndexFunc(ties, func(t snapshot.Tie) bool { return t.Kind == snapshot.TieInstitution || t.Kind == snapshot.TieHost })
	if near < 0 {
		near = len(ties)
	}
	out.Add("related.ties", b.tied(ties[:near], &shown))
	out.Add("related.instead", b.neighbours(shown.next(b.c.Alternatives(f.ordinal))))
	if list := b.neighbours(shown.next(b.c.Related(f.ordinal))); len(list) > 0 {
		out.Add("related.close", list)
		return out
	}
	// Who else is of the publisher or the host says little beside what is close.
	out.Add("related.ties", b.tied(ties[near:], &shown))
	return out
}

// tied are the entries of the first ties.
func (b *snapshotView) tied(ties []snapshot.Tie, shown *shown) (list []entry.Neighbour) {
	for _, t := range ties[:min(len(ties), shown.ties)] {
		shown.add(t.Ordinal)
		n := neighbour(&b.c.Lines[t.Ordinal])
		n.Reasons = []entry.Reason{{Key: "tie." + string(t.Kind)}}
		list = append(list, *n)
	}
	return list
}

// shown are the entries that stand in a list already.
type shown struct {
	// ties and neighbours are how many a list has at most.
	ties, neighbours int
	ordinals         [2 * (tiesShown + neighboursShown)]int32
	n                int
}

func (s *shown) add(ordinal int32) {
	s.ordinals[s.n] = ordinal
	s.n++
}

// next are the first neighbours that are not shown yet; nil ends them.
func (s *shown) next(list []snapshot.Neighbour) (out [neighboursShown]*snapshot.Neighbour) {
	n := 0
	for i := range list {
		if o := list[i].Ordinal; n < s.neighbours && !slices.Contains(s.ordinals[:s.n], o) {
			s.add(o)
			out[n] = &list[i]
			n++
		}
	}
	return out
}

func (b *snapshotView) neighbours(list [neighboursShown]*snapshot.Neighbour) []entry.Neighbour {
	var out []entry.Neighbour
	for _, n := range list {
		if n != nil {
			x := neighbour(&b.c.Lines[n.Ordinal])
			x.Reasons = reasons(n)
			out = append(out, *x)
		}
	}
	return out
}

// neighbour is a line of the snapshot as another entry.
func neighbour(l *snapshot.Line) *entry.Neighbour {
	n := &entry.Neighbour{Slug: l.Slug, Title: func(lang string) entry.Text {
		text, in := l.TitleIn(lang)
		return entry.Text{Lang: in, Text: clip(cmp.Or(strings.TrimSpace(text), l.Slug), 140)}
	}, State: string(l.State), Class: cmp.Or(stateClasses[l.State], "idle")}
	if l.Member == nil {
		return n
	}
	if p := l.Member.Period; !p.IsZero() {
		n.Period = p.Years().String()
	}
	return n
}

func reasons(n *snapshot.Neighbour) []entry.Reason {
	var list []entry.Reason
	add := func(holds bool, key, words string) {
		if holds {
			list = append(list, entry.Reason{Key: key, Words: words})
		}
	}
	// The narrowest of the three says the others.
	add(n.SameInstitution, "reason.institution", "")
	add(n.SameHost && !n.SameInstitution, "reason.host", "")
	add(n.SameCountry && !n.SameHost && !n.SameInstitution, "reason.country", "")
	add(len(n.Concepts) > 0, "reason.concept", strings.Join(n.Concepts, ", "))
	add(len(n.Tags) > 0, "reason.tags", clip(strings.Join(n.Tags, ", "), 60))
	return list
}

// seriesAround is the series of an entry with its neighbours in it, nil for none.
func (b *snapshotView) seriesAround(ordinal int) *entry.Series {
	s := b.c.SeriesOf(ordinal)
	if s == nil {
		return nil
	}
	out := &entry.Series{Route: "/series/" + s.ID, Title: clip(s.Title, 160), Lang: s.Lang, Members: len(s.Members)}
	at := slices.Index(s.Members, int32(ordinal))
	if at > 0 {
		out.Previous = neighbour(&b.c.Lines[s.Members[at-1]])
	}
	if at+1 < len(s.Members) {
		out.Next = neighbour(&b.c.Lines[s.Members[at+1]])
	}
	return out
}
