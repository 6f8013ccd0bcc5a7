package openapidoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A document is read into map[string]any, []any, bool, nil and string; numbers
// stay the text that the author wrote, so that version 1.0 is not 1. Reading
// it so, rather than into the types of a specification, keeps a document whose
// schemas are at fault: the register needs its head and its operations.

// Bounds of what a document unfolds to; YAML can repeat a part by reference.
const (
	maxNodes = 2_000_000
	maxDepth = 200
)

// syntaxError is a document that is neither JSON nor YAML.
type syntaxError struct {
	line int
	text string
}

// Error implements error.
func (e *syntaxError) Error() string { return e.text }

var (
	// ErrTooDeep is a document whose values lie too deep in each other.
	ErrTooDeep  = errors.New("the document is nested too deeply")
	errTooLarge = errors.New("the document unfolds to too many values")
)

// parse reads a JSON or YAML document.
func parse(data []byte) (any, error) {
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		return parseJSON(data)
	}
	return parseYAML(data)
}

func parseJSON(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			return nil, &syntaxError{line: lineOf(data, dec.InputOffset()), text: "the JSON goes on after its end"}
		}
		n := 0
		return plain(v, 0, &n)
	}
	var s *json.SyntaxError
	switch {
	case errors.As(err, &s):
		return nil, &syntaxError{line: lineOf(data, s.Offset), text: "the JSON is broken: " + s.Error()}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &syntaxError{line: lineOf(data, int64(len(data))), text: "the JSON ends before its end"}
	}
	return nil, &syntaxError{line: 1, text: "the JSON is broken: " + err.Error()}
}

func lineOf(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte{'\n'})
}

// plain turns the numbers of a JSON document into text.
func plain(v any, depth int, n *int) (any, error) {
	if *n++; *n > maxNodes {
		return nil, errTooLarge
	}
	if depth > maxDepth {
		return nil, ErrTooDeep
	}
	var err error
	switch v := v.(type) {
	case json.Number:
		return v.String(), nil
	case map[string]any:
		for k, x := range v {
			if v[k], err = plain(x, depth+1, n); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, x := range v {
			if v[i], err = plain(x, depth+1, n); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

func parseYAML(data []byte) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		bad := &syntaxError{line: 1, text: "the YAML is broken: " + strings.TrimPrefix(err.Error(), "yaml: ")}
		if f := yamlLine.FindStringSubmatch(err.Error()); f != nil {
			if line, err := strconv.Atoi(f[1]); err == nil {
				bad.line = line
			}
		}
		return nil, bad
	}
	n := 0
	return fromYAML(&doc, 0, &n)
}

func fromYAML(node *yaml.Node, depth int, n *int) (any, error) {
	if *n++; *n > maxNodes {
		return nil, errTooLarge
	}
	if depth > maxDepth {
		return nil, ErrTooDeep
	}
	switch node.Kind {
	case yaml.DocumentNode:
		if len(node.Content) == 0 {
			return nil, nil
		}
		return fromYAML(node.Content[0], depth, n)
	case yaml.AliasNode:
		return fromYAML(node.Alias, depth+1, n)
	case yaml.MappingNode:
		return yamlMap(node, depth, n)
	case yaml.SequenceNode:
		list := make([]any, 0, len(node.Content))
		for _, c := range node.Content {
			v, err := fromYAML(c, depth+1, n)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.ScalarNode:
		return yamlScalar(node), nil
	}
	return nil, nil
}

func yamlScalar(node *yaml.Node) any {
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(node.Value, "true")
	}
	return node.Value
}

// yamlMap reads a mapping; what a merge key brings yields to what is written.
func yamlMap(node *yaml.Node, depth int, n *int) (any, error) {
	m := make(map[string]any, len(node.Content)/2)
	var merged map[string]any
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		v, err := fromYAML(node.Content[i+1], depth+1, n)
		if err != nil {
			return nil, err
		}
		if key.ShortTag() == "!!merge" {
			merged, _ = v.(map[string]any)
			continue
		}
		m[key.Value] = v
	}
	for k, v := range merged {
		if _, ok := m[k]; !ok {
			m[k] = v
		}
	}
	return m, nil
}

// object returns the object at a path of keys, or nil.
func object(v any, keys ...string) map[string]any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	m, _ := v.(map[string]any)
	return m
}

// list returns the list at a path of keys, or nil.
func list(v any, keys ...string) []any {
	if len(keys) > 0 {
		v = object(v, keys[:len(keys)-1]...)[keys[len(keys)-1]]
	}
	l, _ := v.([]any)
	return l
}

// text returns the text at a path of keys, or "".
func text(v any, keys ...string) string {
	if len(keys) > 0 {
		v = object(v, keys[:len(keys)-1]...)[keys[len(keys)-1]]
	}
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return fmt.Sprint(v)
	}
	return ""
}
