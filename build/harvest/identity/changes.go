package identity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// clocks are the members that follow from a change and are none themselves.
var clocks = []string{"revision", "updated_at", "content_changed_at", "api.updated_at", "dataset.updated_at", "mcp.updated_at"}

// Changes lists the fields in which two states of an entry differ, sorted,
// with the old and the new value as JSON; null is absence. The members of api,
// dataset and mcp count as fields of their own. Clocks and the revision do not
// count.
func Changes(before, after *catalog.Entry) ([]catalog.FieldChange, error) {
	from, err := encode(before)
	if err != nil {
		return nil, err
	}
	to, err := encode(after)
	if err != nil || bytes.Equal(from, to) {
		return nil, err
	}
	old, err := members(from)
	if err != nil {
		return nil, err
	}
	now, err := members(to)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(old)
	maps.Copy(all, now)
	var list []catalog.FieldChange
	for _, field := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(clocks, field) && !bytes.Equal(old[field], now[field]) {
			list = append(list, catalog.FieldChange{Field: field, From: orNull(old[field]), To: orNull(now[field])})
		}
	}
	return list, nil
}

func encode(e *catalog.Entry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode entry %s: %w", e.ID, err)
	}
	return b.Bytes(), nil
}

// members splits an entry's JSON into its members, and api, dataset and mcp
// into theirs.
func members(doc []byte) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(doc, &all); err != nil {
		return nil, fmt.Errorf("split entry: %w", err)
	}
	for _, part := range []string{"api", "dataset", "mcp"} {
		if all[part] == nil {
			continue
		}
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(all[part], &inner); err != nil {
			return nil, fmt.Errorf("split %s: %w", part, err)
		}
		delete(all, part)
		for k, v := range inner {
			all[part+"."+k] = v
		}
	}
	return all, nil
}

func orNull(v json.RawMessage) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return v
}

// lifeCycle are the members that a transition of the life cycle sets.
var lifeCycle = []string{"status", "status_reason", "deprecated_at", "sunset_at", "removed_at", "successor_id", "merged_into_id"}

// Split parts the changes that a transition made from those of the content.
func Split(changes []catalog.FieldChange) (transition, content []catalog.FieldChange) {
	for _, c := range changes {
		if slices.Contains(lifeCycle, c.Field) {
			transition = append(transition, c)
		} else {
			content = append(content, c)
		}
	}
	return transition, content
}
