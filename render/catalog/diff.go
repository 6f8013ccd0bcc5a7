package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Diff lists the given fields in which two states of an entry differ, sorted,
// with the old and the new value as JSON; null is absence.
func Diff(before, after *Entry, fields ...string) ([]FieldChange, error) {
	old, err := members(before)
	if err != nil {
		return nil, err
	}
	now, err := members(after)
	if err != nil {
		return nil, err
	}
	var list []FieldChange
	for _, field := range slices.Sorted(slices.Values(fields)) {
		if !bytes.Equal(old[field], now[field]) {
			list = append(list, FieldChange{Field: field, From: orNull(old[field]), To: orNull(now[field])})
		}
	}
	return list, nil
}

// LifeCycleFields are the members that a move of the life cycle sets.
func LifeCycleFields() []string {
	return []string{"status", "status_reason", "deprecated_at", "sunset_at", "removed_at", "successor_id", "merged_into_id", "published_at", "admission"}
}

func members(e *Entry) (map[string]json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode entry %s: %w", e.ID, err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		return nil, fmt.Errorf("split entry %s: %w", e.ID, err)
	}
	return all, nil
}

func orNull(v json.RawMessage) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return v
}
