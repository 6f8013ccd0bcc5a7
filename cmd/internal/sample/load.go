package sample

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// loader replays the sample register, slot by slot.
type loader struct {
	st      catalog.Store
	portals map[string]*catalog.Source
	records []*record
	traces  map[*record]string
	ids     map[*record]string
	// owned are the ids that a record stands for; a second listing of the
	// same source has no checks of its own.
	owned  map[string]bool
	states map[string]*catalog.CheckState
	missed []source.Rejection
}

// Load fills an empty store with the sample register as of Instant.
func Load(ctx context.Context, st catalog.Store) error {
	_, err := replay(ctx, st)
	return err
}

func replay(ctx context.Context, st catalog.Store) (*loader, error) {
	portals, records, err := read()
	if err != nil {
		return nil, err
	}
	l := &loader{st: st, records: records, portals: map[string]*catalog.Source{}, traces: map[*record]string{},
		ids: map[*record]string{}, owned: map[string]bool{}, states: map[string]*catalog.CheckState{}}
	for _, r := range records {
		if l.traces[r], err = expand(r.Checks.Trace); err != nil {
			return nil, fmt.Errorf("%s: %w", r.place, err)
		}
	}
	if err := harvest.LoadReference(ctx, st, slotAt(0)); err != nil {
		return nil, err
	}
	if err := l.putPortals(ctx, portals); err != nil {
		return nil, err
	}
	for slot := range slots {
		if err := l.slot(ctx, slot); err != nil {
			return nil, fmt.Errorf("slot %s: %w", slotAt(slot).Format(time.RFC3339), err)
		}
	}
	return l, l.edits(ctx)
}

// putPortals stores the catalogues; records of no portal come from the sample
// itself, which vouches for nothing.
func (l *loader) putPortals(ctx context.Context, portals []portal) error {
	at := slotAt(0)
	l.portals[""] = &catalog.Source{ID: catalog.NewID("source", "sample"), Kind: "sample", Title: "Sample register", CreatedAt: at, UpdatedAt: at}
	for _, p := range portals {
		l.portals[p.Key] = &catalog.Source{ID: catalog.NewID("source", p.Key), Kind: "sample", Title: p.Title, URL: p.URL,
			CountryCode: p.Country, InstitutionID: institutionID(p.Institution), Official: p.Official, CreatedAt: at, UpdatedAt: at}
	}
	return l.st.Update(ctx, func(tx catalog.Tx) error {
		for _, key := range slices.Sorted(maps.Keys(l.portals)) {
			if err := tx.Sources().Put(ctx, *l.portals[key]); err != nil {
				return err
			}
		}
		return nil
	})
}

func institutionID(key string) string {
	if key == "" {
		return ""
	}
	return catalog.NewID("institution", key)
}

// slot replays what happened in one slot: what was listed first, the checks,
// the decisions.
func (l *loader) slot(ctx context.Context, slot int) error {
	if err := l.list(ctx, slot); err != nil {
		return err
	}
	if err := l.check(ctx, slot); err != nil {
		return err
	}
	if err := l.survey(ctx, slot); err != nil {
		return err
	}
	return l.decide(ctx, slot)
}

// firstSlot is when a record was listed: the first slot of its trace.
func (l *loader) firstSlot(r *record) int {
	trace := l.traces[r]
	return (len(trace) - len(strings.TrimLeft(trace, " "))) % slots
}

func (l *loader) list(ctx context.Context, slot int) error {
	groups := map[string][]*record{}
	for _, r := range l.records {
		if l.firstSlot(r) == slot {
			groups[r.Portal] = append(groups[r.Portal], r)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		src, ok := l.portals[key]
		if !ok {
			return fmt.Errorf("%s: unknown portal %q", groups[key][0].place, key)
		}
		at := slotAt(slot)
		in := source.Input{Name: src.URL, Source: *src, Now: at}
		report, err := harvest.Run(ctx, l.st, connector{groups[key]}, in, harvest.Options{Now: at})
		if err != nil {
			return fmt.Errorf("portal %q: %w", key, err)
		}
		l.missed = append(l.missed, report.Rejections...)
		if err := l.find(ctx, groups[key]); err != nil {
			return err
		}
	}
	return nil
}

// find looks up the ids that the harvest gave.
func (l *loader) find(ctx context.Context, records []*record) error {
	return l.st.View(ctx, func(tx catalog.Tx) error {
		for _, r := range records {
			key := catalog.MatchKey(catalog.EntryType(r.Type), r.URL, search.Fold(r.Name))
			found, err := tx.Entries().Match(ctx, key)
			if err != nil {
				return err
			}
			if len(found[key]) == 0 || l.owned[found[key][0]] {
				continue
			}
			l.ids[r] = found[key][0]
			l.owned[l.ids[r]] = true
		}
		return nil
	})
}

// check replays the checks of a slot through the state machine.
func (l *loader) check(ctx context.Context, slot int) error {
	return l.st.Update(ctx, func(tx catalog.Tx) error {
		var states []catalog.CheckState
		var events []catalog.Event
		var rows []catalog.Check
		var judged []verify.Judged
		for _, r := range l.records {
			id := l.ids[r]
			if id == "" || l.traces[r] == "" {
				continue
			}
			before := l.states[id]
			state := before
			apply := func(next catalog.CheckState, event *catalog.Event) {
				state = &next
				if event != nil {
					events = append(events, *event)
				}
			}
			if state != nil {
				apply(verify.Age(state, slotAt(slot)))
			}
			if letter := l.traces[r][slot]; letter != ' ' && letter != '-' {
				entries, err := tx.Entries().Get(ctx, id)
				if err != nil {
					return err
				}
				c := check(&entries[0], r, slot, letter)
				if c.URL != "" && entries[0].MergedIntoID == "" {
					rows = append(rows, c)
					next, event := verify.Next(state, &c)
					judged = append(judged, verify.Judged{Host: catalog.Host(c.URL), Check: &c, Before: state, After: &next})
					apply(next, event)
				}
			}
			if state != nil {
				state.Shown = nil // what is recorded is shown up to its last check
				states = append(states, *state)
				l.states[id] = state
			}
		}
		if err := tx.Checks().Append(ctx, rows...); err != nil {
			return err
		}
		if err := tx.CheckStates().Set(ctx, states, events); err != nil {
			return err
		}
		return verify.KeepIncidents(ctx, tx, judged...)
	})
}
