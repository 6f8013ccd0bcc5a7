package month

import (
	"cmp"
	"fmt"
	"slices"
)

// Outage is a time in which a source or a host did not answer, in steps.
type Outage struct {
	// Subj is the key of an entry, or a host; Cause is source, unreachable or several.
	Subj, Cause string
	// From is the step of the first failure, Until that of the first answer, -1 while it lasts.
	From, Until int
	// Unresolved tells that it ended because nobody asks any more; Planned that it lies in
	// maintenance that was announced before.
	Unresolved, Planned bool
}

func (x *Outage) String() string {
	return fmt.Sprintf("%s %s from step %d to %d, unresolved %t, planned %t", x.Subj, x.Cause, x.From, x.Until, x.Unresolved, x.Planned)
}

// sorted puts outages into the order of their subjects.
func sorted(list []*Outage) []*Outage {
	slices.SortFunc(list, func(a, b *Outage) int { return cmp.Or(cmp.Compare(a.Subj, b.Subj), cmp.Compare(a.From, b.From)) })
	return list
}

// going is the outage of a source that lasts, nil for none.
func (o *Oracle) going(key string) *Outage {
	for _, x := range o.Outages {
		if x.Subj == key && x.Until < 0 {
			return x
		}
	}
	return nil
}

// began: verify.md, "An outage of a source opens when its verdict becomes FAILING …; it begins
// with the first of these".
func (o *Oracle) began(k *Known) {
	if o.going(k.Key) == nil {
		o.Outages = append(o.Outages, &Outage{Subj: k.Key, Cause: "source", From: k.failing, Until: -1})
	}
}

// ended: "… and ends with the first check that is answered"; "A source that is not checked any
// more ends its outage as unresolved".
func (o *Oracle) ended(k *Known, unresolved bool) {
	if x := o.going(k.Key); x != nil {
		x.Until, x.Unresolved = o.step, unresolved
	}
}

// unreachable: "the host has an outage of its own, from when it was first not reached until it
// is reached again".
func (o *Oracle) unreachable(p *Portal, s *source) {
	s.outage = &Outage{Subj: p.Host, Cause: "unreachable", From: o.step - 1, Until: -1}
	o.Outages = append(o.Outages, s.outage)
}

// together: "A host that answers has one, too, while at least three of its sources fail, and
// at least half of those that are checked there".
func (o *Oracle) together(p *Portal, s *source) {
	list, from, failing := o.active(p), 0, 0
	for _, k := range list {
		if o.going(k.Key) != nil {
			failing++
			from = max(from, k.failing)
		}
	}
	enough := failing >= 3 && 2*failing >= len(list)
	switch {
	case s.outage != nil && s.outage.Cause == "unreachable" && enough:
		s.outage.Cause = "several"
	case s.outage != nil && !enough:
		s.outage.Until = o.step
		s.outage = nil
	case s.outage == nil && enough:
		s.outage = &Outage{Subj: p.Host, Cause: "several", From: from, Until: -1}
		o.Outages = append(o.Outages, s.outage)
	}
}
