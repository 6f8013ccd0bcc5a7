package transfer

import (
	"bytes"
	"reflect"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// repair takes characters out of a record's texts that hide or reorder others
// (catalog.Plain), as a harvest does, and says so; nil when there were none.
// Events, evidence and profiles say what was seen at another time and stay as
// they are.
func repair(l *parsed) *source.Rejection {
	switch l.rec.Kind {
	case kindEntry, kindInstitution, kindSource, kindLicence, kindOverride:
	default:
		return nil
	}
	if !suspicious(l.raw) {
		return nil
	}
	if l.rec.trail != "" {
		l.rec.Provenance, l.rec.trail = l.rec.provenance(), ""
	}
	if !plainTexts(reflect.ValueOf(&l.rec).Elem()) {
		return nil
	}
	return fault(source.CodeControlCharacter, "control characters or bidirectional overrides were taken out of its texts", "check what the record says now")
}

// suspicious tells quickly that a line may hold such characters, written out or
// as escapes.
func suspicious(line []byte) bool {
	for i, c := range line {
		switch c {
		case 0x7f, 0xc2:
			return true
		case 0xe2:
			if rest := line[i+1:]; bytes.HasPrefix(rest, []byte{0x80}) || bytes.HasPrefix(rest, []byte{0x81}) {
				return true
			}
		case '\\':
			if rest := line[i+1:]; bytes.HasPrefix(rest, []byte("u00")) || bytes.HasPrefix(rest, []byte("u20")) || bytes.ContainsAny(rest[:min(1, len(rest))], "bfr") {
				return true
			}
		}
	}
	return false
}

// plainTexts makes the texts that can be reached from a value plain, and tells
// whether one of them changed. Keys of maps and raw JSON stay.
func plainTexts(v reflect.Value) (changed bool) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); v.CanSet() {
			if p := catalog.Plain(s); p != s {
				v.SetString(p)
				return true
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return plainTexts(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return false
		}
		for i := range v.NumField() {
			changed = plainTexts(v.Field(i)) || changed
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return false
		}
		for i := range v.Len() {
			changed = plainTexts(v.Index(i)) || changed
		}
	case reflect.Map:
		changed = plainMap(v)
	}
	return changed
}

// plainMap does the same for the values of a map, which cannot be set in place.
func plainMap(m reflect.Value) (changed bool) {
	for _, key := range m.MapKeys() {
		value := reflect.New(m.Type().Elem()).Elem()
		value.Set(m.MapIndex(key))
		if plainTexts(value) {
			m.SetMapIndex(key, value)
			changed = true
		}
	}
	return changed
}
