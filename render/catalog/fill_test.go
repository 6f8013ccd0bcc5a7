package catalog

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fill gives every field reachable from v a value that is not its zero, each
// another one, so that a field that does not survive is seen.
func fill(t testing.TB, v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2020, 1, 1, 0, 0, *n, 0, time.UTC)))
		return
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, `{"n":%d}`, *n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 2)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(*n % 200))
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*CheckState]() { // one that is shown shows no other
			v.Set(reflect.ValueOf(&CheckState{EntryID: fmt.Sprintf("text %d", *n), LastCheckedAt: time.Unix(int64(*n), 0).UTC()}))
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, n)
		fill(t, value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("fill: no value for %s", v.Type())
	}
}

func roundTrip[T any](t *testing.T) {
	t.Run(reflect.TypeFor[T]().Name(), func(t *testing.T) {
		var full, empty, back T
		n := 0
		fill(t, reflect.ValueOf(&full).Elem(), &n)
		for _, v := range []*T{&full, &empty} {
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			back = *new(T)
			if err := json.Unmarshal(b, &back); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(*v, back); d != "" {
				t.Errorf("a round trip changes the record (-want +got):\n%s", d)
			}
		}
	})
}

func TestRecordsSurviveJSON(t *testing.T) {
	roundTrip[Entry](t)
	roundTrip[Institution](t)
	roundTrip[Licence](t)
	roundTrip[Source](t)
	roundTrip[Check](t)
	roundTrip[CheckState](t)
	roundTrip[CheckDay](t)
	roundTrip[ScoreDay](t)
	roundTrip[Profile](t)
	roundTrip[Provenance](t)
	roundTrip[Target](t)
	roundTrip[Evidence](t)
}

// The messages of these types hold JSON of their own, which no null stands for.
func TestMessagesSurviveJSON(t *testing.T) {
	event := Event{Number: 3, Type: EventUpdated, EntryID: "x", OccurredAt: day(1), Data: json.RawMessage(`{"a":1}`),
		Changes: []FieldChange{{"name", json.RawMessage(`"old"`), json.RawMessage(`null`)}}}
	override := Override{ID: "o", EntryID: "x", Field: "tags", Value: json.RawMessage(`["a"]`), By: "me", Reason: "why", CreatedAt: day(1), RevokedAt: day(2), RevokedBy: "you"}
	for _, v := range []any{&event, &override} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err := json.Unmarshal(b, back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(v, back); d != "" {
			t.Errorf("a round trip changes %T (-want +got):\n%s", v, d)
		}
	}
}

func day(d int) time.Time { return time.Date(2026, 11, d, 12, 0, 0, 0, time.UTC) }
