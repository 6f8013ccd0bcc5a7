package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// strict refuses what encoding/json lets pass: a member given twice or missing,
// a name spelt in another case, and null where the type has no place for it. So a
// body is taken exactly if it fits its description.
func strict(body []byte, t reflect.Type) error {
	return walk(json.NewDecoder(bytes.NewReader(body)), t, "")
}

func walk(d *json.Decoder, t reflect.Type, at string) error {
	token, err := d.Token()
	if err != nil {
		return decodeError(err)
	}
	switch token {
	case nil:
		if plainType(t) != nil && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
			return invalidMember(at, "must not be null")
		}
	case json.Delim('{'):
		return walkObject(d, plainType(t), at)
	case json.Delim('['):
		return walkList(d, plainType(t), at)
	}
	return nil
}

func walkList(d *json.Decoder, t reflect.Type, at string) error {
	var element reflect.Type
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		element = t.Elem()
	}
	for i := 0; d.More(); i++ {
		if err := walk(d, element, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func walkObject(d *json.Decoder, t reflect.Type, at string) error {
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return decodeError(err)
		}
		name, _ := token.(string)
		path := strings.TrimPrefix(at+"."+name, ".")
		if seen[name] {
			return invalidMember(path, "is given twice")
		}
		seen[name] = true
		member, known := memberType(t, name)
		if !known {
			return invalidMember(path, "is not a member of this request")
		}
		if err := walk(d, member, path); err != nil {
			return err
		}
	}
	if missing := required(t, seen); missing != "" {
		return invalidMember(strings.TrimPrefix(at+"."+missing, "."), "is missing")
	}
	_, err := d.Token()
	return err
}

// required names the first member that a type needs and seen lacks: one that
// its tag does not let out.
func required(t reflect.Type, seen map[string]bool) string {
	if t == nil || t.Kind() != reflect.Struct {
		return ""
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && name != "" && name != "-" && !strings.Contains(options, "omit") && !seen[name] {
			return name
		}
	}
	return ""
}

// memberType is the type of a member, nil for one of any type.
func memberType(t reflect.Type, name string) (member reflect.Type, known bool) {
	switch {
	case t == nil:
		return nil, true
	case t.Kind() == reflect.Map:
		return t.Elem(), true
	case t.Kind() != reflect.Struct:
		return nil, true
	}
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && tag == name {
			return f.Type, true
		}
	}
	return nil, false
}

var decodesItself = reflect.TypeFor[json.Unmarshaler]()

// plainType follows pointers; a type that decodes itself is of any type.
func plainType(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || reflect.PointerTo(t).Implements(decodesItself) {
		return nil
	}
	return t
}
