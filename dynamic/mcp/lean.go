package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a short answer: of a text in bytes, of a list in elements.
const (
	leanText = 300
	leanList = 10
)

// mask chooses members of an answer: nil is all of them.
type mask map[string]mask

// parseMask reads "a,b(c,d)"; "" is everything.
func parseMask(s string) mask {
	if s == "" {
		return nil
	}
	m, _ := readMask(s)
	return m
}

func readMask(s string) (m mask, rest string) {
	m = mask{}
	for s != "" {
		i := strings.IndexAny(s, ",()")
		if i < 0 {
			m[s] = nil
			return m, ""
		}
		name := s[:i]
		switch s[i] {
		case '(':
			m[name], s = readMask(s[i+1:])
			s = strings.TrimPrefix(s, ",")
		case ')':
			if name != "" {
				m[name] = nil
			}
			return m, s[i+1:]
		default:
			if name != "" {
				m[name] = nil
			}
			s = s[i+1:]
		}
	}
	return m, ""
}

// lean keeps what the mask chooses, without what is empty, and cuts long texts and lists;
// how many elements a cut list had stands beside it.
func lean(v any, m mask) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, x := range v {
			inner, ok := m[name]
			if m != nil && !ok {
				continue
			}
			if list, ok := x.([]any); ok && len(list) > leanList {
				out[name+"_count"], x = len(list), list[:leanList]
			}
			if x = lean(x, inner); !empty(x) {
				out[name] = x
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = lean(v[i], m)
		}
		return out
	case string:
		return shorten(v, leanText)
	}
	return v
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// shorten cuts a text at a letter.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// row are the members of an entry in lists; an agent asks for others by `fields`.
const row = "slug,name,name_en,type,country_code,description,formats,verification_state,official_confidence,mqa_score"

// rowText is how long a description in a list is, in bytes.
const rowText = 140

// shorter makes the short form of an answer. fields, if there are some, are the members of
// entries that are wanted in place of the usual ones; what is asked for is not cut.
func (t *tool) shorter(body []byte, fields []string, page func(slug string) string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var answer map[string]any
	if err := d.Decode(&answer); err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.name, err)
	}
	manifest, _ := answer["manifest"].(map[string]any)
	out := map[string]any{}
	if t.rows {
		out, _ = lean(answer, parseMask(t.shows)).(map[string]any)
		out["items"] = rows(answer, fields, page)
	} else if _, ok := answer["standing"]; ok {
		out = past(answer, parseMask(t.shows), fields)
	} else {
		out = chosenOf(answer, parseMask(t.shows), fields)
		if slug, ok := answer["slug"].(string); ok {
			out["href"] = page(slug)
		}
	}
	// The whole answer is found again, and checked, by its hash.
	if sum := manifest["answer_sha256"]; sum != nil && !t.rows {
		out["answer_sha256"] = sum
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return bytes.TrimSpace(b.Bytes()), err
}

// rows are the entries of a list or a search in short.
func rows(answer map[string]any, fields []string, page func(slug string) string) []any {
	items, _ := answer["items"].([]any)
	out := make([]any, 0, len(items))
	for _, x := range items {
		item, _ := x.(map[string]any)
		entry, ok := item["entry"].(map[string]any)
		if !ok {
			entry = item
		}
		short := chosenOf(entry, parseMask(row), fields)
		if text, ok := short["description"].(string); ok && len(fields) == 0 {
			short["description"] = shorten(text, rowText)
		}
		if reasons := item["reasons"]; !empty(reasons) {
			short["reasons"] = lean(reasons, nil)
		}
		if slug, ok := entry["slug"].(string); ok {
			short["slug"], short["href"] = slug, page(slug)
		}
		out = append(out, short)
	}
	return out
}
