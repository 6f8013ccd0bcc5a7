package month

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lived lets a world of one portal live for so many steps; change is called
// before each of them.
func lived(kind string, steps int, change func(step int, p *Portal)) (*Oracle, *Portal) {
	w := NewWorld(7, len(Kinds))
	w.Portals = w.Portals[slices.Index(Kinds, kind):][:1]
	p, o := w.Portals[0], NewOracle(w)
	for step := range steps {
		change(step, p)
		o.Step(step)
	}
	return o, p
}

// events are those after the first step, without the portal in their keys.
func events(o *Oracle, p *Portal) string {
	var list []string
	for _, e := range o.Events {
		if e.Step > 0 {
			subject := strings.TrimPrefix(strings.TrimPrefix(e.Subj, "k"+p.Key[len("portal-"):]), p.Host)
			list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s %s", e.Step, strings.TrimPrefix(e.Type, "entry."), subject)))
		}
	}
	return strings.Join(list, ", ")
}

// during gives a change that holds in steps from to before to.
func during(from, to int, set func(p *Portal, on bool)) func(int, *Portal) {
	return func(step int, p *Portal) { set(p, step >= from && step < to) }
}

func TestOracle(t *testing.T) {
	t.Parallel()
	answer := func(a Answer) func(*Portal, bool) {
		return func(p *Portal, on bool) {
			if p.Items[0].Answer = Good; on {
				p.Items[0].Answer = a
			}
		}
	}
	down := func(p *Portal, on bool) { p.Down = on }
	unlisted := func(p *Portal, on bool) { p.Items[0].Listed = !on }
	for name, c := range map[string]struct {
		kind   string
		change func(int, *Portal)
		want   string
	}{
		"nothing":                     {"ckan", during(0, 0, answer(Gone)), ""},
		"two failures are none":       {"ckan", during(2, 4, answer(Gone)), ""},
		"three in a row fail":         {"ckan", during(2, 5, answer(Broken)), "4 failing x00, 5 verified x00"},
		"a password is no failure":    {"ckan", during(2, 9, answer(Closed)), ""},
		"one step down is no event":   {"ckan", during(2, 3, down), ""},
		"a host is one event":         {"ckan", during(2, 6, down), "3 host.failing, 6 host.recovered"},
		"a host of one is the entry":  {"ogc", during(2, 6, down), "4 failing x00, 6 verified x00"},
		"an item that is away a day":  {"ckan", during(3, 7, unlisted), ""},
		"three runs without it":       {"ckan", during(3, 13, unlisted), "12 deprecated x00, 16 reactivated x00"},
		"half a listing is held back": {"ckan", during(3, 17, func(p *Portal, on bool) { p.Half = on }), ""},
	} {
		o, p := lived(c.kind, 20, c.change)
		if got := events(o, p); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestOracleOfSilence: after 72 hours what a silent host has is stale.
func TestOracleOfSilence(t *testing.T) {
	t.Parallel()
	o, p := lived("ckan", 18, during(2, 99, func(p *Portal, on bool) { p.Down = on }))
	for _, k := range o.Entries() {
		if k.State != "STALE" {
			t.Errorf("%s is %s", k.Key, k.State)
		}
	}
	if got := events(o, p); strings.Count(got, "14 stale") != itemsEach {
		t.Errorf("events %s", got)
	}
}

// TestScript: a seed says what happens, another one says otherwise, and every
// trouble ends before the last steps.
func TestScript(t *testing.T) {
	t.Parallel()
	tell := func(seed uint64) (list []string) {
		w := NewWorld(seed, 28)
		steps := 30 * stepsPerDay
		for _, c := range Script(w, seed, steps) {
			list = append(list, fmt.Sprintf("%03d %s %s", c.Step, c.Portal.Key, c.What))
			if c.Step < quiet || c.Step > steps-quiet {
				t.Errorf("%s happens at the first or the last steps", list[len(list)-1])
			}
		}
		return list
	}
	one := tell(1)
	if !slices.Equal(one, tell(1)) || slices.Equal(one, tell(2)) {
		t.Error("the script does not follow from the seed")
	}
	all := strings.Join(one, "\n")
	for _, tr := range troubles {
		if !strings.Contains(all, " "+tr.name) {
			t.Errorf("in 30 days of 28 portals nothing is %s", tr.name)
		}
	}
}

// TestJumpsAreQuiet: no trouble is under way in the step in which the clock jumps,
// nor begins in the next one.
func TestJumpsAreQuiet(t *testing.T) {
	t.Parallel()
	const steps = 30 * stepsPerDay
	ahead, back := Jumps(steps)
	list := Script(NewWorld(3, 35), 3, steps)
	for i := 0; i < len(list); i += 2 {
		for _, jump := range []int{ahead, back} {
			if begin, end := list[i].Step, list[i+1].Step; begin <= jump+1 && end > jump {
				t.Errorf("%s lasts from step %d to %d, the clock jumps in %d", list[i].What, begin, end, jump)
			}
		}
	}
	if ahead < 0 || back <= ahead {
		t.Errorf("jumps in steps %d and %d", ahead, back)
	}
}
