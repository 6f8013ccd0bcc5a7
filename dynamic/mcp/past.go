package mcp

import (
	"slices"
	"strings"
)

// past is what was said of an entry at an instant (restateEntry) in short: of the members that a tool shows,
// or that are wanted, those that are known by value, and the names of those that are not.
func past(answer map[string]any, m mask, fields []string) map[string]any {
	wanted := func(name string) bool {
		head, _, _ := strings.Cut(name, ".")
		if len(fields) > 0 {
			return slices.Contains(fields, head)
		}
		_, ok := m[head]
		return ok
	}
	out, _ := lean(answer, mask{"entry_id": nil, "at": nil, "standing": nil, "snapshot": nil, "proof": nil}).(map[string]any)
	if whole, ok := answer["answer"].(map[string]any); ok {
		out["answer"] = chosenOf(whole, m, fields)
		return out
	}
	members, unknown := map[string]any{}, []any{}
	list, _ := answer["members"].([]any)
	for _, x := range list {
		if member, ok := x.(map[string]any); ok {
			if name, _ := member["name"].(string); wanted(name) {
				members[name] = lean(member["value"], nil)
			}
		}
	}
	list, _ = answer["unknown"].([]any)
	for _, x := range list {
		if name, _ := x.(string); wanted(name) {
			unknown = append(unknown, name)
		}
	}
	out["members"], out["unknown"] = members, unknown
	return out
}

// chosenOf are the members of an object that are wanted, or those of the mask in short.
func chosenOf(o map[string]any, m mask, fields []string) map[string]any {
	if len(fields) == 0 {
		short, _ := lean(o, m).(map[string]any)
		return short
	}
	out := map[string]any{}
	for _, f := range fields {
		if x, ok := o[f]; ok {
			out[f] = x
		}
	}
	return out
}
