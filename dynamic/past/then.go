package past

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// restate says what the register said at an instant.
func (d *Handlers) restate(s *query.Snapshot, x *subject, at time.Time) (*wire.RestatedEntry, error) {
	out := &wire.RestatedEntry{EntryID: x.entry.ID, At: wire.Instant(at), Standing: x.standing(at), Members: []wire.PastMember{}, Unknown: []string{},
		Kept: x.citations(s), Proof: x.proof(s)}
	head, err := headAt(x.log, at)
	if err != nil {
		return nil, err
	}
	known := x.members(at)
	if head != nil {
		out.Snapshot = head
		body, err := d.Documents.ReadIn(head.ID, entryPrefix+x.entry.ID)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		head.Kept = err == nil
		if err == nil && !x.left() {
			out.Answer = bytes.TrimSpace(body)
			if err := whole(known, out.Answer); err != nil {
				return nil, err
			}
		}
	}
	if out.Standing == wire.StandingNotYet {
		return out, nil
	}
	if out.Answer == nil && !x.left() {
		if err := d.present(s, x, at, known); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		out.Members = append(out.Members, *known[name])
	}
	for _, name := range wire.EntryMembers() {
		if known[name] == nil {
			out.Unknown = append(out.Unknown, name)
		}
	}
	return out, nil
}

// standing is what had become of the entry.
func (x *subject) standing(at time.Time) string {
	if at.Before(x.entry.PublishedAt) {
		return wire.StandingNotYet
	}
	standing := wire.StandingShown
	for i := range x.told {
		if x.told[i].at.After(at) {
			break
		}
		switch catalog.EventKind(x.told[i].kind) {
		case catalog.EventRemoved:
			standing = wire.StandingRemoved
		case catalog.EventMerged:
			standing = wire.StandingMerged
		case catalog.EventReopened:
			standing = wire.StandingReopened
		case catalog.EventCreated, catalog.EventReactivated, catalog.EventUnmerged:
			standing = wire.StandingShown
		}
	}
	return standing
}

// startless are fields whose changes do not say what was before.
var startless = []string{"provenance", "reliability_target"}

// members are what changes and daily scores say of an instant, by name.
func (x *subject) members(at time.Time) map[string]*wire.PastMember {
	known := map[string]*wire.PastMember{}
	guessed := false // that something changed after the instant, but not what
	for i := range x.told {
		t := &x.told[i]
		if t.silent() {
			if guessed = guessed || t.at.After(at); !guessed {
				clear(known)
			}
		}
		for _, c := range t.changes {
			if x.left() && !t.logged(c.Field) || c.Field == startless[0] {
				continue
			}
			m := known[c.Field]
			switch when := wire.Instant(t.at); {
			case !t.at.After(at):
				v, ok := wire.PastValue(c.Field, c.To)
				delete(known, c.Field)
				if ok {
					known[c.Field] = t.member(c.Field, v, t.basis(c.Field))
					known[c.Field].Since = &when
				}
			case m != nil && m.Until == nil:
				m.Until = &when
			case m == nil && !guessed && !slices.Contains(startless, c.Field) && !x.changed(c.Field, t):
				if v, ok := wire.PastValue(c.Field, c.From); ok {
					known[c.Field] = t.member(c.Field, v, wire.BasisLater)
					known[c.Field].Until = &when
				}
			}
		}
	}
	x.daily(at, known)
	return known
}

// changed tells that an earlier change of the field is known, so that its first value is not
// the one before this change.
func (x *subject) changed(field string, before *told) bool {
	for i := range x.told {
		if &x.told[i] == before {
			return false
		}
		if slices.ContainsFunc(x.told[i].changes, func(c catalog.FieldChange) bool { return c.Field == field }) {
			return true
		}
	}
	return false
}

// silent tells of an event that does not say what it changed: one that was forgotten.
func (t *told) silent() bool {
	switch catalog.EventKind(t.kind) {
	case catalog.EventCreated, catalog.EventClaimVerified, catalog.EventClaimEnded:
		return false
	}
	return t.event != nil && len(t.changes) == 0
}

// logged tells that the leaf itself says the field.
func (t *told) logged(field string) bool {
	if t.leaf == nil {
		return false
	}
	_, ok := t.leaf.Verdict[field]
	return ok
}

func (t *told) basis(field string) string {
	if t.logged(field) || t.bound {
		return wire.BasisLog
	}
	return wire.BasisFeed
}

func (t *told) member(name string, value json.RawMessage, basis string) *wire.PastMember {
	m := &wire.PastMember{Name: name, Value: value, Basis: basis}
	if t.event != nil {
		id := wire.EventID(t.event.Number)
		m.Event = &id
	}
	if t.leaf != nil {
		m.Leaf = &t.index
	}
	return m
}

// daily adds the scores of the last day that had ended.
func (x *subject) daily(at time.Time, known map[string]*wire.PastMember) {
	var last *catalog.ScoreDay
	for i := range x.scores {
		if day, err := time.Parse(time.DateOnly, x.scores[i].Day); err == nil && !dayEnd(day).After(at) {
			last = &x.scores[i]
		}
	}
	if last == nil {
		return
	}
	scores := map[string]*float64{"mqa_score": &last.MQA, "trust_score": &last.Trust, "ranking_score": last.Ranking}
	for name, v := range scores {
		if m := known[name]; m != nil && m.Basis != wire.BasisLater || v == nil {
			continue
		}
		if b, err := json.Marshal(*v); err == nil {
			known[name] = &wire.PastMember{Name: name, Value: b, Basis: wire.BasisScores, Since: &last.Day}
		}
	}
}

// present adds the members of the present answer of which no change is known since.
func (d *Handlers) present(s *query.Snapshot, x *subject, at time.Time, known map[string]*wire.PastMember) error {
	body, err := d.Documents.ReadAt(s, entryPrefix+x.entry.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var now map[string]json.RawMessage
	if err := json.Unmarshal(body, &now); err != nil {
		return err
	}
	for _, name := range wire.PlainMembers() {
		if v, there := now[name]; there && known[name] == nil && !x.touched(name, at) {
			known[name] = &wire.PastMember{Name: name, Value: v, Basis: wire.BasisUnchanged}
		}
	}
	return nil
}

// touched tells that the field, or a part of it, changed after an instant.
func (x *subject) touched(name string, at time.Time) bool {
	for i := range x.told {
		if x.told[i].at.After(at) && (x.told[i].silent() || slices.ContainsFunc(x.told[i].changes, func(c catalog.FieldChange) bool {
			return c.Field == name || strings.HasPrefix(c.Field, name+".")
		})) {
			return true
		}
	}
	return false
}

// whole takes the members of a whole answer over; what else is known of a member stays
// beside its value.
func whole(known map[string]*wire.PastMember, answer json.RawMessage) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(answer, &all); err != nil {
		return err
	}
	delete(all, "manifest")
	for name, v := range all {
		m := known[name]
		if m == nil {
			m = &wire.PastMember{Name: name}
			known[name] = m
		}
		if m.Basis == wire.BasisLater || !bytes.Equal(m.Value, v) {
			m.Since, m.Event, m.Leaf = nil, nil, nil
		}
		m.Value, m.Basis = v, wire.BasisAnswer
	}
	return nil
}

// over is an instant that is past. A second or a day that is not over is the present.
func (x *subject) over(at time.Time) (time.Time, error) {
	if at.After(x.now) {
		return x.settled(x.now)
	}
	return at, nil
}

// settled is the first second since whose end all that is told of the entry stayed as it is at a
// later instant. An answer about the present names it, so that it is the same until something happens.
func (x *subject) settled(at time.Time) (time.Time, error) {
	var since time.Time
	take := func(t time.Time) {
		if !t.After(at) {
			since = latest(since, t)
		}
	}
	take(x.entry.PublishedAt)
	for i := range x.told {
		take(x.told[i].at)
	}
	for i := range x.scores {
		if day, err := time.Parse(time.DateOnly, x.scores[i].Day); err == nil {
			take(dayEnd(day))
		}
	}
	head, err := headAt(x.log, at)
	if err != nil || head == nil {
		return secondEnd(since), err
	}
	told, err := time.Parse(time.RFC3339, head.AsOf)
	take(told)
	return secondEnd(since), err
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// headAt is the last snapshot of the log at an instant, nil for none.
func headAt(log *translog.Log, at time.Time) (*wire.PastSnapshot, error) {
	if log == nil {
		return nil, nil
	}
	head, index, err := log.HeadAt(at)
	if err != nil || head == nil {
		return nil, err
	}
	return &wire.PastSnapshot{ID: head.Subject, AsOf: head.At, Leaf: index, SHA256: head.Evidence}, nil
}

// compare lists in what two instants differ.
func compare(from, to *wire.RestatedEntry) *wire.EntryDifferences {
	out := &wire.EntryDifferences{EntryID: from.EntryID, From: from.At, To: to.At, StandingFrom: from.Standing, StandingTo: to.Standing,
		Members: []wire.PastDifference{}, Same: []string{}, Unknown: []string{}}
	before, after := map[string]*wire.PastMember{}, map[string]*wire.PastMember{}
	names := map[string]bool{}
	for i := range from.Members {
		before[from.Members[i].Name], names[from.Members[i].Name] = &from.Members[i], true
	}
	for i := range to.Members {
		after[to.Members[i].Name], names[to.Members[i].Name] = &to.Members[i], true
	}
	for _, name := range slices.Concat(from.Unknown, to.Unknown) {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, b := before[name], after[name]
		switch {
		case a == nil || b == nil:
			out.Unknown = append(out.Unknown, name)
		case bytes.Equal(a.Value, b.Value):
			out.Same = append(out.Same, name)
		default:
			out.Members = append(out.Members, wire.PastDifference{Name: name, From: a.Value, To: b.Value, FromBasis: a.Basis, ToBasis: b.Basis})
		}
	}
	return out
}
