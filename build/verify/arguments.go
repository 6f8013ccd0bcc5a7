package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what is kept of the arguments of a tool, in runes and in number.
const (
	argumentsMax    = 30
	argumentText    = 300
	argumentName    = 100
	argumentValues  = 12
	argumentExample = 100
)

// toolArguments reads the properties of an input schema (JSON Schema; Model
// Context Protocol, "Tool"): required ones first, then by name. A schema of
// another form has none.
func toolArguments(schema any) []catalog.Argument {
	b, err := json.Marshal(schema)
	if err != nil {
		return nil
	}
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if json.Unmarshal(b, &s) != nil {
		return nil
	}
	var out []catalog.Argument
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if text := argumentLine(name, argumentName); text != "" {
			a := propertyOf(s.Properties[name])
			a.Name, a.Required = text, slices.Contains(s.Required, name)
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b catalog.Argument) int {
		return cmp.Compare(order(a.Required), order(b.Required))
	})
	return out[:min(len(out), argumentsMax)]
}

func order(required bool) int {
	if required {
		return 0
	}
	return 1
}

// propertyOf is what a schema says of a value; true and false are schemas, too.
func propertyOf(raw json.RawMessage) (a catalog.Argument) {
	var p struct {
		Type        any    `json:"type"`
		Description string `json:"description"`
		Enum        []any  `json:"enum"`
		Examples    []any  `json:"examples"`
		Default     any    `json:"default"`
	}
	if json.Unmarshal(raw, &p) != nil {
		return a
	}
	a.Type, a.Description = typeName(p.Type), argumentLine(p.Description, argumentText)
	for _, v := range append(p.Examples[:min(len(p.Examples), 1)], p.Default) {
		if text := argumentLine(plain(v), argumentExample); a.Example == "" {
			a.Example = text
		}
	}
	for _, v := range p.Enum {
		if text := argumentLine(plain(v), argumentExample); text != "" && len(p.Enum) <= argumentValues {
			a.Values = append(a.Values, text)
		}
	}
	return a
}

// typeName is the type of a schema; of several that are allowed the first that
// is not null.
func typeName(v any) string {
	if list, ok := v.([]any); ok {
		for _, one := range list {
			if name := typeName(one); name != "" && name != "null" {
				return name
			}
		}
		return ""
	}
	name, _ := v.(string)
	if slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object", "null"}, name) {
		return name
	}
	return ""
}

// plain is a scalar as text, "" for anything else.
func plain(v any) string {
	switch v.(type) {
	case string, bool, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// argumentLine makes one line of text, of at most so many runes.
func argumentLine(text string, most int) string {
	r := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "))
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}
