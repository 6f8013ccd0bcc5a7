package table

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// NDJSON implements source.Connector for JSON lines, or an array, of objects
// whose keys are the field names. A list of texts in tags or format stands for
// its elements.
type NDJSON struct{}

// Run implements source.Connector.
func (NDJSON) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	if err := checkFilters(&in); err != nil {
		return err
	}
	m := mapper{in: &in, emit: emit, reject: reject}
	feed := source.Feed{Each: m.object, First: in.PageURL()}
	return feed.Run(ctx, &in, reject)
}

// object takes the fields out of one object.
func (m *mapper) object(j *source.JSON, item source.Item, seed string) error {
	var keys map[string]json.RawMessage
	if bad := j.Decode(item, &keys); bad != nil {
		return m.reject(*bad)
	}
	r := &record{place: j.Place(item), seed: seed, values: map[string]string{}}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		field := fieldOf(m.in, key)
		if field == "" {
			r.other = append(r.other, key)
			continue
		}
		text, ok := textOf(keys[key], field == "tags" || field == "format")
		if !ok {
			return m.reject(source.Rejection{Place: r.place, Code: source.CodeInvalidField,
				Reason: fmt.Sprintf("%s is not text: %.80s", key, keys[key]), Remedy: "give " + key + " as text"})
		}
		if r.values[field] == "" {
			r.values[field] = text
		}
	}
	return m.record(r)
}

// textOf is a JSON value as text; a list gives its elements with bars between
// them where many is true.
func textOf(raw json.RawMessage, many bool) (string, bool) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case json.Number, bool:
		return fmt.Sprint(v), true
	case []any:
		var parts []string
		for _, x := range v {
			s, ok := x.(string)
			if !ok {
				return "", false
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, "|"), many
	}
	return "", false
}
