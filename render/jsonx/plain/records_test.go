package plain_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx/plain"
)

// fill puts something into everything that a value has room for.
func fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(noon))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("a")
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				fill(v.Field(i))
			}
		}
	}
}

// TestRecords has the records of which a register holds millions, with all that
// they have room for: none of their members is left to encoding/json, which takes
// several times as long.
func TestRecords(t *testing.T) {
	for _, record := range []any{new(catalog.Entry), new(catalog.Check)} {
		fill(reflect.ValueOf(record).Elem())
		doc, ok := plain.Append(nil, record)
		if !ok || string(doc) != standard(t, record) {
			t.Errorf("%T is left to encoding/json behind %s", record, doc)
			continue
		}
		back := reflect.New(reflect.TypeOf(record).Elem())
		if !plain.Read(string(doc), back.Interface()) || !reflect.DeepEqual(back.Interface(), record) {
			t.Errorf("%T is read from %s as %+v", record, doc, back.Interface())
		}
	}
}
