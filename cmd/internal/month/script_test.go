package month

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Cadence is how far one step moves the clock: how often an entry is checked.
const Cadence = 6 * time.Hour

// stepsPerDay is how many steps a day has.
const stepsPerDay = int(24 * time.Hour / Cadence)

// Change is one thing that happens to the world.
type Change struct {
	Step   int
	Portal *Portal
	// Item is nil for what happens to a whole portal.
	Item *Item
	What string
	do   func()
}

// trouble is something that happens to a portal for a while: it begins, and
// after so many steps it ends.
type trouble struct {
	name     string
	min, max int
	// alone tells that it is not for a portal of one item.
	alone      bool
	begin, end func(p *Portal, it *Item, r *rand.Rand)
}

var troubles = []trouble{
	{"gone", 1, 9, false, answering(Gone), answering(Good)},
	{"several", 3, 9, true, several(Gone), several(Good)},
	{"retired", 16, 26, true, func(_ *Portal, it *Item, _ *rand.Rand) { it.Listed, it.Answer = false, Gone },
		func(_ *Portal, it *Item, _ *rand.Rand) { it.Listed, it.Answer = true, Good }},
	{"broken", 1, 9, false, answering(Broken), answering(Good)},
	{"closed", 4, 9, false, answering(Closed), answering(Good)},
	{"page", 3, 9, true, answering(Page), answering(Good)},
	// A day of silence is one event; four days make what it hosts STALE.
	{"down", 2, 8, false, func(p *Portal, _ *Item, _ *rand.Rand) { p.Down = true }, func(p *Portal, _ *Item, _ *rand.Rand) { p.Down = false }},
	{"away", 16, 20, false, func(p *Portal, _ *Item, _ *rand.Rand) { p.Down = true }, func(p *Portal, _ *Item, _ *rand.Rand) { p.Down = false }},
	{"slow", 4, 9, false, func(p *Portal, _ *Item, _ *rand.Rand) { p.Slow = 200 * time.Millisecond }, func(p *Portal, _ *Item, _ *rand.Rand) { p.Slow = 0 }},
	// Half a listing is held back; one item less for four days is meant.
	{"half", 4, 9, true, func(p *Portal, _ *Item, _ *rand.Rand) { p.Half = true }, func(p *Portal, _ *Item, _ *rand.Rand) { p.Half = false }},
	{"unlisted", 16, 26, true, func(_ *Portal, it *Item, _ *rand.Rand) { it.Listed = false }, func(_ *Portal, it *Item, _ *rand.Rand) { it.Listed = true }},
	{"renamed", 1, 4, false, func(_ *Portal, it *Item, _ *rand.Rand) {
		it.Title = "New " + strings.TrimPrefix(it.Title, "New ")
	}, func(*Portal, *Item, *rand.Rand) {}},
	{"added", 4, 4, true, func(p *Portal, _ *Item, r *rand.Rand) { p.add(r) }, func(*Portal, *Item, *rand.Rand) {}},
}

func answering(a Answer) func(*Portal, *Item, *rand.Rand) {
	return func(_ *Portal, it *Item, _ *rand.Rand) { it.Answer = a }
}

// several is how half of the items of a portal answer, which make an outage of the host.
func several(a Answer) func(*Portal, *Item, *rand.Rand) {
	return func(p *Portal, _ *Item, _ *rand.Rand) {
		for _, it := range p.Items[:(len(p.Items)+1)/2] {
			it.Answer = a
		}
	}
}

// restMin and restMax are how many steps lie between two troubles of a portal:
// at least a day, so that it was harvested and found well in between.
const restMin, restMax = 5, 16

// quiet is how many steps at either end have no trouble.
const quiet = 2

// Jumps are the steps in which the clock of the register jumps by mistake: far
// ahead, and back. Rehearsals of less than ten days have none.
func Jumps(steps int) (ahead, back int) {
	if steps < 10*stepsPerDay {
		return -1, -1
	}
	return steps/3/stepsPerDay*stepsPerDay + 1, 2*steps/3/stepsPerDay*stepsPerDay + 1
}

// Script says what happens to a world in so many steps, the same for the same
// seed. The troubles of one portal follow each other; those of several overlap.
// The first and the last steps are quiet, and so are those in which the clock
// jumps: what is well does not change by being looked at more or less often, and when something
// was answered again is told by a clock that is right.
func Script(w *World, seed uint64, steps int) []Change {
	var list []Change
	ahead, back := Jumps(steps)
	for i, p := range w.Portals {
		r := rand.New(rand.NewPCG(seed, uint64(i)+1000))
		for at := quiet + r.IntN(min(restMax, steps/3)); ; {
			t := pick(p, r)
			long := t.min + r.IntN(t.max-t.min+1)
			if at <= ahead+1 && at+long >= ahead {
				at = ahead + 2
				continue
			}
			if at <= back+1 && at+long >= back {
				at = back + 2
				continue
			}
			if at+long > steps-quiet {
				break
			}
			it := p.Items[r.IntN(itemsOf(p))]
			list = append(list, change(at, p, it, t.name, func() { t.begin(p, it, r) }),
				change(at+long, p, it, "end of "+t.name, func() { t.end(p, it, r) }))
			at += long + restMin + r.IntN(restMax-restMin+1)
		}
	}
	return list
}

// itemsOf is how many items of a portal were there from the beginning.
func itemsOf(p *Portal) int {
	if p.Kind == "ogc" {
		return 1
	}
	return itemsEach
}

func pick(p *Portal, r *rand.Rand) trouble {
	for {
		t := troubles[r.IntN(len(troubles))]
		// A page is what the register was promised of a portal of pages.
		if (p.Kind == "ogc" && t.alone) || (p.Kind == "socrata" && t.name == "page") {
			continue
		}
		return t
	}
}

func change(step int, p *Portal, it *Item, what string, do func()) Change {
	return Change{Step: step, Portal: p, Item: it, What: fmt.Sprintf("%s %s", it.Key, what), do: do}
}
