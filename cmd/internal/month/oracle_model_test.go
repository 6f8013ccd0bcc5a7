package month

import (
	"maps"
	"slices"
)

// Rules of the documents (site/docs), in steps of six hours.
const (
	// verify.md: "Three failed checks in a row make it FAILING".
	failuresToFail = 3
	// verify.md: "72 h without a success make it STALE unless it is FAILING".
	staleAfter = 3 * stepsPerDay
	// harvest.md: "An entry that three complete runs in a row did not meet is
	// deprecated".
	missesToLeave = 3
	// The sources of a rehearsal are due 20 hours after a run, so once a day;
	// harvest.md: one that failed, an hour later, so at the next step.
	harvestEvery = stepsPerDay
)

// Known is what the register must know of an entry.
type Known struct {
	Key, Title string
	// Active tells that it is listed and probed; else it is deprecated.
	Active bool
	// State is the verdict.
	State string
	// Either is another verdict that is as right, as the step ends in the very
	// hour in which it changes.
	Either string
	// Submitted tells that a person proposed it, and no catalogue lists it.
	Submitted bool
	failures  int
	// failing is the step of the first failure in a row.
	failing  int
	lastGood int
	misses   int
	portal   *Portal
	born     int
}

// source is what the register must know of a portal.
type source struct {
	harvested int
	failed    bool
	accepted  map[string]bool
	downSteps int
	declared  bool
	// outage is that of the whole host that goes on, nil for none.
	outage *Outage
}

// Event is something that the change feed must tell: of an entry by its key, or
// of a host.
type Event struct {
	Step       int
	Type, Subj string
}

// Oracle says what a register that keeps its promises knows. It sees the world
// as it is, and none of the register's code.
type Oracle struct {
	world   *World
	entries map[string]*Known
	sources map[string]*source
	Events  []Event
	Outages []*Outage
	step    int
}

// NewOracle begins with an empty register.
func NewOracle(w *World) *Oracle {
	o := &Oracle{world: w, entries: map[string]*Known{}, sources: map[string]*source{}, step: -1}
	for _, p := range w.Portals {
		o.sources[p.Key] = &source{harvested: -1, accepted: map[string]bool{}}
	}
	return o
}

// Step lets a step pass in which the world stands still as it is.
func (o *Oracle) Step(step int) {
	o.step = step
	for _, p := range o.world.Portals {
		s := o.sources[p.Key]
		if o.due(s) {
			o.harvest(p, s)
		}
		o.probe(p, s)
	}
	for _, k := range o.Entries() {
		o.age(k)
	}
}

// Again is a step in which all is harvested once more, in a world that stands
// still and in which all is well.
func (o *Oracle) Again() {
	for _, p := range o.world.Portals {
		o.harvest(p, o.sources[p.Key])
	}
}

// due tells whether a source is harvested in this step.
func (o *Oracle) due(s *source) bool {
	return s.harvested < 0 || s.failed || o.step-s.harvested >= harvestEvery
}

func (o *Oracle) harvest(p *Portal, s *source) {
	s.harvested, s.failed = o.step, p.Down
	if p.Down {
		return
	}
	met := map[string]bool{}
	for _, it := range p.listed() {
		met[it.Key] = true
		o.meet(p, it)
	}
	// harvest.md: "A listing that is empty, or lacks more than a fifth of the
	// entries that the last accepted one had, is quarantined: what it has is
	// taken, nothing counts as missing."
	lost := 0
	for key := range s.accepted {
		if !met[key] {
			lost++
		}
	}
	if len(s.accepted) > 0 && lost*5 > len(s.accepted) {
		return
	}
	s.accepted = met
	for _, k := range o.of(p) {
		if met[k.Key] || !k.Active || k.Submitted {
			continue
		}
		if k.misses++; k.misses == missesToLeave {
			k.Active = false
			o.tell("entry.deprecated", k.Key)
			o.ended(k, true)
		}
	}
}

// meet is an item in a listing.
func (o *Oracle) meet(p *Portal, it *Item) {
	k := o.entries[it.Key]
	if k == nil {
		k = &Known{Key: it.Key, Title: it.Title, Active: true, State: "UNVERIFIED", portal: p, born: o.step, lastGood: o.step}
		o.entries[it.Key] = k
		o.tell("entry.created", k.Key)
	}
	k.misses, k.Title = 0, it.Title
	if !k.Active {
		k.Active = true
		o.tell("entry.reactivated", k.Key)
	}
}

// Approve is a moderator's: what somebody proposed is an entry from now on. Of
// what happened while it waited nothing is told (change-feed.md).
func (o *Oracle) Approve(p *Portal, it *Item) {
	o.entries[it.Key] = &Known{Key: it.Key, Title: it.Title, Active: true, State: "UNVERIFIED", portal: p, born: o.step, lastGood: o.step, Submitted: true}
}

// probe is the check of all active entries of a host, each once.
func (o *Oracle) probe(p *Portal, s *source) {
	list := o.active(p)
	if len(list) == 0 {
		return
	}
	if !p.Down {
		o.recovered(p, s)
		for _, k := range list {
			o.check(k, p.item(k.Key).Answer.Works())
		}
		o.together(p, s)
		return
	}
	s.downSteps++
	if len(list) == 1 {
		// verify.md: "The failure of a host with a single entry is the entry's own."
		o.check(list[0], false)
		return
	}
	// verify.md: "When no entry of a host that has several was reached for a sixth
	// of the cadence (an hour) … the host is declared down": not in the first step,
	// which ends within the hour, but in the second. What fails then counts "not
	// against their state".
	if s.downSteps == 2 {
		s.declared = true
		o.tell("host.failing", p.Host)
		o.unreachable(p, s)
	}
}

func (o *Oracle) recovered(p *Portal, s *source) {
	if s.declared {
		o.tell("host.recovered", p.Host)
	}
	s.downSteps, s.declared = 0, false
}

// check applies one check to the verdict of an entry.
func (o *Oracle) check(k *Known, up bool) {
	if up {
		k.failures, k.lastGood = 0, o.step
		o.ended(k, false)
		o.turn(k, "VERIFIED", "entry.verified")
		return
	}
	if k.failures++; k.failures == 1 {
		k.failing = o.step
	}
	if k.failures >= failuresToFail {
		o.turn(k, "FAILING", "entry.failing")
		o.began(k)
	}
}

// age makes a verdict stale. The step in which the 72 hours end may end before
// or after they do.
func (o *Oracle) age(k *Known) {
	k.Either = ""
	if !k.Active || k.State == "FAILING" || k.State == "STALE" {
		return
	}
	switch since := o.step - k.lastGood; {
	case since == staleAfter:
		k.Either = "STALE"
	case since > staleAfter:
		o.turn(k, "STALE", "entry.stale")
	}
}

func (o *Oracle) turn(k *Known, state, event string) {
	if k.State != state {
		k.State = state
		o.tell(event, k.Key)
	}
}

func (o *Oracle) tell(kind, subject string) {
	o.Events = append(o.Events, Event{o.step, kind, subject})
}

// Entries are all entries that ever were, by key.
func (o *Oracle) Entries() []*Known {
	list := make([]*Known, 0, len(o.entries))
	for _, key := range slices.Sorted(maps.Keys(o.entries)) {
		list = append(list, o.entries[key])
	}
	return list
}

func (o *Oracle) of(p *Portal) []*Known {
	return slices.DeleteFunc(o.Entries(), func(k *Known) bool { return k.portal != p })
}

func (o *Oracle) active(p *Portal) []*Known {
	return slices.DeleteFunc(o.of(p), func(k *Known) bool { return !k.Active })
}

// item is an item by its key.
func (p *Portal) item(key string) *Item {
	for _, it := range p.Items {
		if it.Key == key {
			return it
		}
	}
	return nil
}
