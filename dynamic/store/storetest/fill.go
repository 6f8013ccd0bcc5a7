package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// filled is a value in which every field, at every depth, differs from its
// zero value, so that a field that a store forgets shows; a value within one of
// its own type has no third. n makes it unlike the others.
func filled[T any](t testing.TB, n int) T {
	t.Helper()
	var v T
	f := filler{count: n * 10_000}
	if err := f.fill(reflect.ValueOf(&v).Elem(), reflect.TypeFor[T]().Name()); err != nil {
		t.Fatal(err)
	}
	return v
}

type filler struct {
	count int
	// within are the types of the structs that are being filled.
	within []reflect.Type
}

func (f *filler) fill(v reflect.Value, path string) error {
	f.count++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(day.Add(time.Duration(f.count) * 1_000_001 * time.Microsecond)))
		return nil
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, `{"n":%d,"s":"ü <&> \u2028"}`, f.count))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s %d «Ω»", path, f.count))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.count))
	case reflect.Uint8:
		v.SetUint(uint64(f.count%255 + 1))
	case reflect.Float64:
		v.SetFloat(float64(f.count) + 0.1)
	case reflect.Pointer:
		if f.nested(v.Type().Elem()) {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return f.fill(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		return f.elements(v, path)
	case reflect.Array:
		return f.elements(v, path)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if err := errors.Join(f.fill(key, path+" key"), f.fill(value, path+" value")); err != nil {
				return err
			}
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		f.within = append(f.within, v.Type())
		defer func() { f.within = f.within[:len(f.within)-1] }()
		for i := range v.NumField() {
			if err := f.fill(v.Field(i), path+"."+v.Type().Field(i).Name); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("fill %s: teach the filler the kind %s", path, v.Kind())
	}
	return nil
}

// nested says whether a value of a type lies within one that lies within another:
// a type that refers to itself has no end.
func (f *filler) nested(t reflect.Type) bool {
	n := 0
	for _, outer := range f.within {
		if outer == t {
			n++
		}
	}
	return n > 1
}

func (f *filler) elements(v reflect.Value, path string) error {
	for i := range v.Len() {
		if err := f.fill(v.Index(i), path); err != nil {
			return err
		}
	}
	return nil
}
