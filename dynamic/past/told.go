package past

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// told is one thing that happened to an entry: an event of the store, a leaf of the log, or
// both.
type told struct {
	at      time.Time
	kind    string
	changes []catalog.FieldChange
	event   *catalog.Event
	leaf    *translog.Leaf
	index   int64
	// bound tells that the leaf has the hash of the event.
	bound bool
}

// eventsMax bounds the events of one entry that are read, the newest.
const eventsMax = 20_000

// eventsOf reads the public events of an entry, newest first.
func eventsOf(ctx context.Context, tx catalog.Tx, entry *catalog.Entry) (public []catalog.Event, err error) {
	for before, read := int64(0), 0; read < eventsMax; {
		list, err := tx.Events().About(ctx, entry.ID, before, 1000)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if list[i].Public(entry) {
				public = append(public, list[i])
			}
		}
		if read += len(list); len(list) < 1000 {
			break
		}
		before = list[len(list)-1].Number
	}
	return public, nil
}

// tell joins events and leaves, in the order of time.
func tell(events []catalog.Event, log *translog.Log, id string) ([]told, error) {
	list := make([]told, 0, len(events))
	bySum, byNumber := map[string]int{}, map[int64]int{}
	for i := range events {
		sum, err := translog.Evidence(&events[i])
		if err != nil {
			return nil, err
		}
		bySum[sum], byNumber[events[i].Number] = len(list), len(list)
		list = append(list, told{at: events[i].OccurredAt.UTC(), kind: string(events[i].Type), changes: events[i].Changes, event: &events[i], index: -1})
	}
	if log != nil {
		proof, err := log.Leaves(id)
		if err != nil {
			return nil, err
		}
		for i := range proof {
			l := &proof[i]
			if at, ok := bySum[l.Leaf.Evidence]; ok && l.Leaf.Event == list[at].event.Number {
				list[at].leaf, list[at].index, list[at].bound = l.Leaf, l.Index, true
				continue
			}
			at, ok := byNumber[l.Leaf.Event]
			when, err := time.Parse(time.RFC3339, l.Leaf.At)
			if err != nil {
				return nil, errors.Join(errors.New("the time of a leaf"), err)
			}
			if ok && list[at].leaf == nil && list[at].kind == l.Leaf.Type && list[at].at.Truncate(time.Millisecond).Equal(when) {
				// What the event told was forgotten.
				list[at].leaf, list[at].index, list[at].changes = l.Leaf, l.Index, changesOf(l.Leaf)
				continue
			}
			list = append(list, told{at: when, kind: l.Leaf.Type, changes: changesOf(l.Leaf), leaf: l.Leaf, index: l.Index})
		}
	}
	slices.SortStableFunc(list, func(a, b told) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return int(a.number() - b.number())
	})
	return list, nil
}

func (t *told) number() int64 {
	switch {
	case t.event != nil:
		return t.event.Number
	case t.leaf != nil:
		return t.leaf.Event
	}
	return 0
}

// changesOf are the changes of verdicts that a leaf says.
func changesOf(l *translog.Leaf) (list []catalog.FieldChange) {
	for field, d := range l.Verdict {
		from, err := json.Marshal(d.From)
		to, also := json.Marshal(d.To)
		if err == nil && also == nil { // they came from JSON
			list = append(list, catalog.FieldChange{Field: field, From: from, To: to})
		}
	}
	slices.SortFunc(list, func(a, b catalog.FieldChange) int {
		if a.Field < b.Field {
			return -1
		}
		return 1
	})
	return list
}

// events are the public forms of what happened from one instant to another, both included.
func (x *subject) events(from, to time.Time) []wire.PastEvent {
	out := []wire.PastEvent{}
	for i := range x.told {
		t := &x.told[i]
		if t.at.Before(from) || t.at.After(to) {
			continue
		}
		p := wire.PastEvent{At: wire.Instant(t.at), Type: t.kind, Bound: t.bound}
		changes := t.changes
		if t.event != nil {
			id := wire.EventID(t.event.Number)
			p.Event = &id
		}
		if t.leaf != nil {
			p.Leaf, p.Evidence, p.Cause, p.Reason = &t.index, text(t.leaf.Evidence), text(t.leaf.Cause), text(t.leaf.Reason)
		}
		if x.left() {
			changes = nil
			if t.leaf != nil {
				changes = changesOf(t.leaf)
			}
		}
		p.Changes = wire.PastChanges(changes)
		out = append(out, p)
	}
	return out
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
