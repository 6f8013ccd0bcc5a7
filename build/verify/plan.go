package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// plannedKey is the name in Meta of the revision up to which entries have been
// put into the timetable.
const plannedKey = "verify.planned"

// planPage is how many changed entries are read, planAtOnce how many are put
// into the timetable at a time.
const planPage, planAtOnce = 200, 1000

// Plan brings the timetable up to date with the entries: what is new is due at
// once, what is no longer active leaves. Entries that have not changed since
// the last time are not read again.
func Plan(ctx context.Context, st catalog.Store) error {
	for {
		revision, list, err := nextChanged(ctx, st)
		if err != nil || len(list) == 0 {
			return err
		}
		for part := range slices.Chunk(list, planAtOnce) {
			err := st.Update(ctx, func(tx catalog.Tx) error {
				return errors.Join(tx.Probes().Plan(ctx, part...), leave(ctx, tx, part))
			})
			if err != nil {
				return fmt.Errorf("plan the checks of %d entries: %w", len(part), err)
			}
		}
		// What a process that dies before this has planned is planned again,
		// which changes nothing.
		err = st.Update(ctx, func(tx catalog.Tx) error {
			return tx.Meta().Set(ctx, plannedKey, strconv.FormatInt(revision, 10))
		})
		if err != nil {
			return err
		}
	}
}

// leave ends the incidents of entries that are not checked any more, or they would last for ever and count among
// the failing sources of their host, whose own incident ends with them. They end when the entry left, not when that
// is noticed.
func leave(ctx context.Context, tx catalog.Tx, list []catalog.Probe) error {
	var ids []string
	left := map[string]time.Time{}
	for i := range list {
		if p := &list[i]; p.Host == "" {
			ids, left[p.EntryID] = append(ids, p.EntryID), p.DueAt
		}
	}
	open, err := tx.Incidents().OpenOf(ctx, ids...)
	if err != nil {
		return err
	}
	if _, err = endAll(ctx, tx, open, func(i *catalog.Incident) { unresolved(i, left[i.EntryID]) }); err != nil {
		return err
	}
	hosts := departures{}
	for i := range open {
		hosts.add(open[i].Host, open[i].Until, 0)
	}
	return hosts.relieve(ctx, tx)
}

// nextChanged reads the next entries that changed after those that are planned; in
// the beginning it reads all of them.
func nextChanged(ctx context.Context, st catalog.Store) (revision int64, list []catalog.Probe, err error) {
	err = st.View(ctx, func(tx catalog.Tx) error {
		list = nil
		value, err := tx.Meta().Get(ctx, plannedKey)
		if err != nil {
			return err
		}
		if value == "" {
			if revision, err = tx.Events().Last(ctx); err != nil {
				return err
			}
			return tx.Entries().Scan(ctx, catalog.Range{Fleeting: true}, func(e *catalog.Entry) error {
				p := planned(e)
				p.Host = strings.Clone(p.Host)
				list = append(list, p)
				return nil
			})
		}
		if revision, err = strconv.ParseInt(value, 10, 64); err != nil {
			return fmt.Errorf("meta %s: %w", plannedKey, err)
		}
		entries, err := tx.Entries().Since(ctx, revision, planPage)
		for i := range entries {
			list = append(list, planned(&entries[i]))
			revision = entries[i].Revision
		}
		return err
	})
	return revision, list, err
}

// planned is an entry's place in the timetable: due at once, or none since it last changed.
func planned(e *catalog.Entry) catalog.Probe {
	if t, ok := TargetOf(e); ok && e.Status == catalog.StatusActive && e.MergedIntoID == "" {
		return catalog.Probe{EntryID: e.ID, Host: t.Host, DueAt: e.CreatedAt}
	}
	return catalog.Probe{EntryID: e.ID, DueAt: e.UpdatedAt}
}

// ErrUnknownEntry is a name that no entry has.
var ErrUnknownEntry = errors.New("unknown entry")

// Resolve turns ids and slugs into ids. Every name that no entry has is named.
func Resolve(ctx context.Context, st catalog.Store, names []string) ([]string, error) {
	var ids []string
	err := st.View(ctx, func(tx catalog.Tx) error {
		ids = nil
		bySlug, err := tx.Entries().BySlug(ctx, names...)
		if err != nil {
			return err
		}
		entries, err := tx.Entries().Get(ctx, names...)
		if err != nil {
			return err
		}
		known := map[string]bool{}
		for i := range entries {
			known[entries[i].ID] = true
		}
		var errs []error
		for _, name := range names {
			switch id := bySlug[name]; {
			case id != "":
				ids = append(ids, id)
			case known[name]:
				ids = append(ids, name)
			default:
				errs = append(errs, fmt.Errorf("%w %q: name an id or a slug", ErrUnknownEntry, name))
			}
		}
		return errors.Join(errs...)
	})
	return ids, err
}
