package recompute

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/wire"
)

// holds tells whether a condition holds of an entry; one that says nothing does.
func holds(rules *wire.Rules, w *score.When, entry Object) bool {
	each := func(v score.When) bool { return holds(rules, &v, entry) }
	switch {
	case w == nil:
		return false
	case w.There != "":
		return isThere(at(entry, w.There))
	case w.Any != nil:
		return slices.ContainsFunc(w.Any, each)
	case w.All != nil:
		return !slices.ContainsFunc(w.All, func(v score.When) bool { return !each(v) })
	case w.Not != nil:
		return !holds(rules, w.Not, entry)
	case w.Path == "":
		return true
	}
	return said(rules, w, at(entry, w.Path))
}

func said(rules *wire.Rules, w *score.When, v any) bool {
	s, isText := v.(string)
	list, _ := v.([]any)
	switch {
	case w.Begins != "":
		return isText && strings.HasPrefix(s, w.Begins)
	case w.OneOf != nil:
		return isText && slices.Contains(w.OneOf, s)
	case w.Has != nil:
		return slices.ContainsFunc(list, func(item any) bool { return has(item, w.Has) })
	case w.Among != "":
		return slices.ContainsFunc(list, func(item any) bool {
			s, ok := item.(string)
			return ok && slices.Contains(rules.Lists[w.Among], strings.ToUpper(s))
		})
	}
	return v == w.Is
}

func has(item any, members Object) bool {
	for name, want := range members {
		if at(item, name) != want {
			return false
		}
	}
	return true
}

func isThere(v any) bool {
	list, isList := v.([]any)
	return v != nil && v != "" && (!isList || len(list) > 0)
}
