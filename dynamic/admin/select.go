package admin

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/wire"
)

// selection reads the candidates that waits for moderators and keeps those of one page: in one
// pass over them, with memory for the page and the groups alone.
type selection struct {
	asked         query.Plain
	caller, after string
	limit         int
	now           time.Time
	sources       map[string]string
	// source is the id of the source that was asked for.
	source       string
	institutions map[string]string
	taken        map[string]catalog.Assignment
	// matching counts what the filters let pass, overdue those of them that waited too long.
	matching, overdue int
	groups            map[string]*wire.QueueGroup
	chosen            chosenHeap
}

// chosen is a candidate by its place in the order that was asked for.
type chosen struct{ key, id string }

// chosenHeap has the last of its candidates on top.
type chosenHeap []chosen

func (h chosenHeap) Len() int           { return len(h) }
func (h chosenHeap) Less(i, j int) bool { return h[i].key > h[j].key }
func (h chosenHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *chosenHeap) Push(x any) { *h = append(*h, x.(chosen)) }

// Pop implements heap.Interface.
func (h *chosenHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

const (
	// wordMax is how much of a name the order goes by, in bytes; candidateCursorMax follows.
	wordMax            = 80
	candidateCursorMax = 2*wordMax + 100
	// groupsMax bounds the groups that are counted, groupsShown those that are listed.
	groupsMax, groupsShown = 10_000, 100
	// pendingAtOnce is how many candidates are read at a time.
	pendingAtOnce = 256
)

func newSelection(q query.Plain, caller web.Caller, after string, now time.Time) *selection {
	return &selection{asked: q, source: q["source"], caller: cmp.Or(caller.Name, caller.Token), after: after, limit: q.Int("limit"), now: now,
		sources: map[string]string{}, institutions: map[string]string{}, groups: map[string]*wire.QueueGroup{}}
}

// read looks at every candidate once.
func (s *selection) read(ctx context.Context, tx catalog.Tx) error {
	sources, err := tx.Sources().All(ctx)
	if err != nil {
		return err
	}
	for i := range sources {
		if sources[i].Key != "" && sources[i].Key == s.asked["source"] {
			s.source = sources[i].ID
		}
		s.sources[sources[i].ID] = cmp.Or(sources[i].Title, sources[i].Key, sources[i].URL)
	}
	if s.taken, err = tx.Moderations().Assignments(ctx); err != nil {
		return err
	}
	for after := ""; ; {
		list, err := tx.Candidates().Pending(ctx, after, pendingAtOnce)
		if err != nil {
			return err
		}
		for i := range list {
			s.look(&list[i])
		}
		if len(list) < pendingAtOnce {
			break
		}
		after = list[len(list)-1].ID
	}
	slices.SortFunc(s.chosen, func(a, b chosen) int { return strings.Compare(a.key, b.key) })
	if s.asked["group"] != "publisher" {
		return nil
	}
	all, err := tx.Institutions().All(ctx)
	for i := range all {
		s.institutions[all[i].ID] = all[i].Name
	}
	return err
}

func (s *selection) look(e *catalog.Entry) {
	if !s.passes(e) {
		return
	}
	s.matching++
	since := wire.WaitsSince(e)
	if s.now.Sub(since) >= wire.OverdueDays*24*time.Hour {
		s.overdue++
	}
	s.count(e, since)
	if key := s.key(e, since); key > s.after {
		if heap.Push(&s.chosen, chosen{key, strings.Clone(e.ID)}); len(s.chosen) > s.limit+1 {
			heap.Pop(&s.chosen)
		}
	}
}

// passes tells whether the filters let a candidate pass.
func (s *selection) passes(e *catalog.Entry) bool {
	q := s.asked
	has := func(name, value string) bool { return q[name] == "" || q[name] == value }
	publisher := q["publisher"] == "" || q["publisher"] == publisherKey(e)
	if !publisher || q["source"] != "" && e.SourceID != s.source || !has("type", string(e.Type)) || !has("country", e.CountryCode) || !has("signals", heldSignals(e)) {
		return false
	}
	if q["officialness_min"] != "" && score.Confidence(e.Signals) < q.Int("officialness_min") {
		return false
	}
	if q["waiting_days"] != "" && s.now.Sub(wire.WaitsSince(e)) < time.Duration(q.Int("waiting_days"))*24*time.Hour {
		return false
	}
	holder := s.taken[e.ID].Holder
	switch q["assigned"] {
	case "":
	case "me":
		if holder != s.caller {
			return false
		}
	case "nobody":
		if holder != "" {
			return false
		}
	default:
		if holder != q["assigned"] {
			return false
		}
	}
	return hasLetters(q["q"], []string{e.Name, e.NameEn, e.PublisherName, e.PrimarySourceURL})
}

// publisherKey tells publishers apart: by institution where it is known.
func publisherKey(e *catalog.Entry) string { return cmp.Or(e.InstitutionID, e.PublisherName) }

// noSignal stands for candidates without a proof.
const noSignal = "none"

// heldSignals are the proofs that held, in one word.
func heldSignals(e *catalog.Entry) string {
	var kinds []string
	for _, sig := range e.Signals {
		if sig.Held {
			kinds = append(kinds, string(sig.Kind))
		}
	}
	slices.Sort(kinds)
	return cmp.Or(strings.Join(slices.Compact(kinds), ","), noSignal)
}

// key is the place of a candidate in the order: its value, and its id.
func (s *selection) key(e *catalog.Entry, since time.Time) string {
	value := ""
	switch s.asked["sort"] {
	case "newest":
		value = fmt.Sprintf("%020d", 1<<60-since.UnixMicro())
	case "officialness":
		value = fmt.Sprintf("%03d", 100-score.Confidence(e.Signals))
	case "doubtful":
		value = fmt.Sprintf("%03d", score.Confidence(e.Signals))
	case "name":
		value = word(e.Name)
	case "publisher":
		value = word(e.PublisherName) + "\x01" + word(e.Name)
	default:
		value = fmt.Sprintf("%020d", since.UnixMicro())
	}
	return value + "\x00" + e.ID
}

// word is the beginning of a name as it is sorted.
func word(name string) string {
	w := search.Fold(name)
	return strings.ToValidUTF8(w[:min(len(w), wordMax)], "")
}

// count adds a candidate to its group.
func (s *selection) count(e *catalog.Entry, since time.Time) {
	var key, name string
	switch s.asked["group"] {
	case "source":
		key, name = e.SourceID, s.sources[e.SourceID]
	case "publisher":
		key, name = publisherKey(e), e.PublisherName
	case "signals":
		key = heldSignals(e)
	default:
		return
	}
	g := s.groups[key]
	if g == nil {
		if len(s.groups) >= groupsMax {
			return
		}
		g = &wire.QueueGroup{By: s.asked["group"], Key: strings.Clone(key), Name: strings.Clone(cmp.Or(name, key)), OldestAt: since.UTC().Format(time.RFC3339)}
		s.groups[g.Key] = g
	}
	g.Count++
	g.OldestAt = min(g.OldestAt, since.UTC().Format(time.RFC3339))
}

// listGroups are the groups, the largest first.
func (s *selection) listGroups() []wire.QueueGroup {
	list := []wire.QueueGroup{}
	for _, g := range s.groups {
		if name := s.institutions[g.Key]; name != "" {
			g.Name = name
		}
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b wire.QueueGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name), strings.Compare(a.Key, b.Key))
	})
	return list[:min(len(list), groupsShown)]
}

// again is what was asked for, so that the next page asks the same.
func (s *selection) again() url.Values {
	values := asked(s.asked, "sort", "group", "source", "publisher", "signals", "type", "country", "assigned", "officialness_min", "waiting_days", "q", "limit")
	values.Set("kind", "candidates")
	return values
}
