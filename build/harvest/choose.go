package harvest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// byKey orders sources by their key, those without one last, by title.
func byKey(a, b catalog.Source) int {
	return cmp.Or(compareLast(a.Key, b.Key), strings.Compare(a.Title, b.Title), strings.Compare(a.ID, b.ID))
}

func compareLast(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "":
		return 1
	case b == "":
		return -1
	}
	return strings.Compare(a, b)
}

// named finds each name once, by key or id.
func named(all []catalog.Source, names []string) ([]catalog.Source, error) {
	var list []catalog.Source
	for _, name := range names {
		i := slices.IndexFunc(all, func(s catalog.Source) bool { return s.Key == name || s.ID == name })
		if i < 0 {
			return nil, fmt.Errorf("source %q: %w%s", name, ErrUnknownSource, like(all, name))
		}
		if !slices.ContainsFunc(list, func(s catalog.Source) bool { return s.ID == all[i].ID }) {
			list = append(list, all[i])
		}
	}
	return list, nil
}

// like lists keys that share the beginning of a name.
func like(all []catalog.Source, name string) string {
	var keys []string
	prefix, _, _ := strings.Cut(name, "-")
	for i := range all {
		if k := all[i].Key; k != "" && strings.HasPrefix(k, prefix) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 || len(keys) > 12 {
		return "; `assay sources` lists them"
	}
	return "; there are " + strings.Join(keys, ", ")
}

// List gives the sources with the given keys or ids, or all, in the order of
// their keys.
func List(ctx context.Context, st catalog.Store, names []string, now time.Time) ([]catalog.Source, error) {
	if len(names) > 0 {
		return Choose(ctx, st, names, now)
	}
	var all []catalog.Source
	err := st.View(ctx, func(tx catalog.Tx) (err error) {
		all, err = tx.Sources().All(ctx)
		return err
	})
	slices.SortStableFunc(all, byKey)
	return all, err
}
