package source

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Loose is a text that publishers also write as a number, a truth value, a
// list of one or an object that carries it. null is empty.
type Loose string

// UnmarshalJSON implements json.Unmarshaler.
func (l *Loose) UnmarshalJSON(b []byte) error {
	list, err := looseTexts(b)
	for _, t := range list {
		if t.Value != "" {
			*l = Loose(t.Value)
			return nil
		}
	}
	*l = ""
	return err
}

// LooseList is a list of texts that publishers also write as one text.
type LooseList []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *LooseList) UnmarshalJSON(b []byte) error {
	list, err := looseTexts(b)
	*l = nil
	for _, t := range list {
		if t.Value != "" {
			*l = append(*l, t.Value)
		}
	}
	return err
}

// LooseTerms is a list of terms that publishers also write as one text with commas
// between them. A term of a list is one, whatever commas are in it.
type LooseTerms []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *LooseTerms) UnmarshalJSON(b []byte) error {
	err := (*LooseList)(l).UnmarshalJSON(b)
	if err == nil && len(*l) == 1 && len(b) > 0 && b[0] == '"' {
		terms := strings.Split((*l)[0], ",")
		*l = nil
		for _, t := range terms {
			if t = strings.TrimSpace(t); t != "" {
				*l = append(*l, t)
			}
		}
	}
	return err
}

// LooseTexts are texts in languages: a text, an object of texts by language
// tag, JSON-LD values (@value, @language), or a list of such.
type LooseTexts []Text

// UnmarshalJSON implements json.Unmarshaler.
func (l *LooseTexts) UnmarshalJSON(b []byte) error {
	list, err := looseTexts(b)
	*l = list
	return err
}

// LooseInt is a whole number that publishers also write as a text. What is no
// number is 0.
type LooseInt int64

// UnmarshalJSON implements json.Unmarshaler.
func (l *LooseInt) UnmarshalJSON(b []byte) error {
	*l = LooseInt(wholeNumber(strings.Trim(string(b), `" `)))
	return nil
}

func wholeNumber(s string) int64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0 && f < 1<<62) { // NaN is neither
		return 0
	}
	return int64(f)
}

// looseTexts reads any value as texts. Nesting is followed only two levels
// deep, as deep as any of these forms goes.
func looseTexts(b []byte) ([]Text, error) { return nestedTexts(b, "", 0) }

func nestedTexts(b []byte, lang string, depth int) ([]Text, error) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || depth > 3 {
		return nil, nil
	}
	switch b[0] {
	case 'n':
		return nil, nil
	case '"':
		s, err := unquote(b)
		if list := packedTexts(s, depth); err == nil && list != nil {
			return list, nil
		}
		return []Text{{s, lang}}, err
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(b, &items); err != nil {
			return nil, err
		}
		var out []Text
		for _, it := range items {
			list, err := nestedTexts(it, lang, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
		return out, nil
	case '{':
		return objectTexts(b, lang, depth)
	}
	return []Text{{string(b), lang}}, nil
}

// packedTexts are the texts of an object of texts by language that was written into a text, as extensions of CKAN do;
// nil for any other text.
func packedTexts(s string, depth int) []Text {
	var members map[string]*string
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, "{") || json.Unmarshal([]byte(s), &members) != nil || len(members) == 0 {
		return nil
	}
	for key := range members {
		if _, ok := Language(key); !ok {
			return nil
		}
	}
	list, err := objectTexts([]byte(s), "", depth+1)
	if err != nil {
		return nil
	}
	return list
}

// carriers are the members in which an object carries its text, in the order
// of preference.
var carriers = []string{"@value", "value", "name", "title", "display_name", "label", "prefLabel", "text", "@id", "uri", "url", "id", "code"}

func objectTexts(b []byte, lang string, depth int) ([]Text, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return nil, err
	}
	for _, key := range carriers {
		raw, ok := members[key]
		if !ok {
			continue
		}
		tag := lang
		for _, name := range []string{"@language", "language", "lang"} {
			if t, err := nestedTexts(members[name], "", depth+1); err == nil && len(t) > 0 && t[0].Value != "" {
				tag = t[0].Value
				break
			}
		}
		if list, err := nestedTexts(raw, tag, depth+1); err != nil || len(list) > 0 {
			return list, err
		}
	}
	var out []Text
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if !tagLike(key) {
			continue
		}
		list, err := nestedTexts(members[key], key, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// tagLike tells that the key of an object may be a language tag.
func tagLike(key string) bool {
	_, ok := Language(key)
	return ok || strings.EqualFold(key, "fixme") || key == ""
}

// unquote is the text of a JSON string. Bytes that are not UTF-8 stay, for
// Clean to tell what they are.
func unquote(b []byte) (string, error) {
	if bytes.IndexByte(b, '\\') < 0 && len(b) >= 2 {
		return string(b[1 : len(b)-1]), nil
	}
	var s string
	err := json.Unmarshal(b, &s)
	return s, err
}
