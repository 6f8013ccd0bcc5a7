package plain

import (
	"reflect"
	"slices"
	"strings"
)

// isTable tells whether a type is a map from texts that do not write themselves.
func isTable(t reflect.Type) bool {
	if t.Kind() != reflect.Map || t.Key().Kind() != reflect.String {
		return false
	}
	return !slices.ContainsFunc(own, t.Key().Implements)
}

// table takes a map into v, or past it when v is none. Its keys ascend, as
// encoding/json writes them, so that none comes twice.
func (r *reader) table(elem *shape, v reflect.Value) bool {
	if !r.skip('{') {
		return false
	}
	if v.IsValid() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	if r.skip('}') {
		return true
	}
	for last, first := "", true; ; first = false {
		key, ok := r.text()
		if !ok || !first && strings.Compare(last, key) >= 0 || !r.skip(':') || !r.entry(elem, v, key) {
			return false
		}
		switch last = key; {
		case r.skip('}'):
			return true
		case !r.skip(','):
			return false
		}
	}
}

// entry takes the value of a key.
func (r *reader) entry(elem *shape, v reflect.Value, key string) bool {
	if !v.IsValid() {
		return r.value(elem, v)
	}
	t := v.Type()
	value := reflect.New(t.Elem()).Elem()
	if !r.value(elem, value) {
		return false
	}
	v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
	return true
}

func writeTable(b []byte, elem *shape, v reflect.Value) ([]byte, bool) {
	if v.IsNil() {
		return b, false
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	value := reflect.New(v.Type().Elem()).Elem() // what lies in a map has no address
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = writeText(b, key.String()); !ok {
			return b, false
		}
		value.Set(v.MapIndex(key))
		if b, ok = write(append(b, ':'), elem, value); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}
