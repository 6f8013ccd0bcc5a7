package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
)

// members are the JSON names of a struct in their order.
func members(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			out = append(out, members(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}

func TestFieldsAreTheMembersOfItem(t *testing.T) {
	var names []string
	for i, f := range fields {
		names = append(names, f.name)
		if fieldBit[f.name] != i {
			t.Errorf("%s has bit %d, not %d", f.name, fieldBit[f.name], i)
		}
		if f.transform == "" || !slices.Contains(catalog.Bases(), f.basis) {
			t.Errorf("%s has transform %q and basis %q", f.name, f.transform, f.basis)
		}
	}
	if d := cmp.Diff(members(reflect.TypeFor[Item]()), names); d != "" {
		t.Errorf("fields and Item differ (-Item +fields):\n%s", d)
	}
	if len(fields) > 64 {
		t.Errorf("%d fields do not fit into the 64 bits of snapshot.Cells", len(fields))
	}
}

// The members stand in the order of the specification's tables. maturity is a
// word in items and an object in single entries, so it stands with what each
// shape has of its own.
func TestMembersStandInSpecifiedOrder(t *testing.T) {
	specified := map[string][]string{}
	for _, line := range specLines(t, "spec_members.txt") {
		f := strings.Fields(line)
		if strings.ContainsAny(f[1], ".[*") {
			continue
		}
		for _, root := range map[string][]string{"both": {"item", "entry"}, "item": {"item"}, "entry": {"entry"}}[f[0]] {
			specified[root] = append(specified[root], f[1])
		}
	}
	for root, kind := range map[string]reflect.Type{"item": reflect.TypeFor[Item](), "entry": reflect.TypeFor[Entry]()} {
		var got []string
		for _, m := range members(kind) {
			if slices.Contains(specified[root], m) && m != "maturity" {
				got = append(got, m)
			}
		}
		want := slices.DeleteFunc(specified[root], func(m string) bool { return m == "maturity" || m == "manifest" })
		if root == "entry" {
			got, want = got[:len(members(reflect.TypeFor[Core]()))], want[:len(members(reflect.TypeFor[Core]()))]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-specification +type):\n%s", root, d)
		}
	}
}

// fillItem gives each member of an item a value or leaves it empty.
func fillItem(t *rapid.T, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if v.Type().Field(i).Anonymous {
			fillItem(t, f)
			continue
		}
		full := rapid.Bool().Draw(t, "full")
		switch f.Kind() {
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
			if full {
				f.Set(reflect.ValueOf([]string{"x"}))
			}
		case reflect.String:
			if full {
				f.SetString("x")
			}
		case reflect.Pointer:
			if full {
				f.Set(reflect.New(f.Type().Elem()))
				if f.Elem().Kind() == reflect.String {
					f.Elem().SetString("x")
				}
			}
		}
	}
}

func TestEmptyCellsAreTheEmptyMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var item Item
		fillItem(t, reflect.ValueOf(&item).Elem())
		body, err := jsonx.Marshal(&item)
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(body, &raw); err != nil {
			t.Fatal(err)
		}
		mask := emptyCells(&item)
		for i, f := range fields {
			v := string(raw[f.name])
			empty := v == "null" || v == `""` || v == "[]"
			if (mask>>i&1 == 1) != empty {
				t.Fatalf("%s is %s, empty by the mask: %t", f.name, v, !empty)
			}
		}
	})
}

func TestProvenanceMapAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOf(rapid.Custom(func(t *rapid.T) snapshot.Cells {
			return snapshot.Cells{Empty: rapid.Uint64().Draw(t, "empty"), Truncated: rapid.Uint64().Draw(t, "cut")}
		})).Draw(t, "cells")
		m := NewProvenanceMap(cells)
		for i, f := range fields {
			p := m.values[i]
			empty, cut := 0, 0
			for _, c := range cells {
				if c.Empty&(1<<i) != 0 {
					empty++
				}
				if c.Truncated&(1<<i) != 0 {
					cut++
				}
			}
			want := Cells{Rows: len(cells), Empty: empty, Delivered: len(cells) - empty, Truncated: cut}
			if f.stringified {
				want.Stringified = want.Delivered
			}
			if m.keys[i] != f.name || p.Cells != want || p.Derived != (p.Basis != catalog.BasisPublisher) {
				t.Fatalf("%s: %+v, want cells %+v", m.keys[i], p, want)
			}
		}
	})
	for i, f := range fields {
		if f.name == "last_seen_at" || f.name == "last_validated_at" {
			if got := NewProvenanceMap(nil).values[i].Basis; got != catalog.BasisNotDelivered {
				t.Errorf("%s has basis %s", f.name, got)
			}
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 10, "short"}, {"exactly 10", 10, "exactly 10"}, {"more than 10", 10, "more th…"}, {"words and more", 9, "words…"},
		{"éééééé", 9, "ééé…"}, {"aééééé", 9, "aéé…"}, {"🏛🏛🏛", 10, "🏛…"}, {"", 10, ""},
	} {
		got := cut(c.in, c.n)
		if got != c.want || len(got) > c.n {
			t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestStampedKeysAreTheManifest(t *testing.T) {
	if d := cmp.Diff(members(reflect.TypeFor[Manifest]()), stampedKeys); d != "" {
		t.Errorf("stamped keys and the manifest differ (-manifest +keys):\n%s", d)
	}
}

func TestDecodedIsCanonical(t *testing.T) {
	for in, want := range map[string]string{
		`{"b":1.50,"a":-0,"c":[-0.0,{"x":1e3}]}`: `{"a":0,"b":1.5,"c":[0,{"x":1000}]}`,
		`{"2024":1,"2023":2,"a":3,"10":4}`:       `{"10":4,"2023":2,"2024":1,"a":3}`,
		`{"01":1,"1":2,"-1":3}`:                  `{"1":2,"-1":3,"01":1}`,
		`"\u2028\u00e9"`:                         "\"\u2028é\"", `null`: `null`, ``: `null`, `{`: `null`, `{}`: `{}`, `[]`: `[]`,
	} {
		got, err := jsonx.Marshal(decoded(json.RawMessage(in)))
		if err != nil || string(got) != want {
			t.Errorf("decoded(%s) is written as %s, %v; want %s", in, got, err, want)
		}
	}
}
