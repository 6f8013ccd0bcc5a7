package catalog

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func override(id, field, value string, at time.Time) Override {
	return Override{ID: id, Field: field, Value: json.RawMessage(value), CreatedAt: at}
}

func TestApply(t *testing.T) {
	revoked := override("r", "name", `"revoked"`, day(9))
	revoked.RevokedAt = day(10)
	for _, c := range []struct {
		name      string
		overrides []Override
		want      Entry
	}{
		{"none", nil, Entry{Name: "harvested"}},
		{"one", []Override{override("a", "name", `"edited"`, day(1))}, Entry{Name: "edited"}},
		{"the later wins", []Override{override("b", "name", `"second"`, day(2)), override("a", "name", `"first"`, day(1))}, Entry{Name: "second"}},
		{"the id breaks a tie", []Override{override("b", "name", `"b"`, day(1)), override("a", "name", `"a"`, day(1))}, Entry{Name: "b"}},
		{"revoked", []Override{override("a", "name", `"edited"`, day(1)), revoked}, Entry{Name: "edited"}},
		{"an empty text clears", []Override{override("a", "name", `""`, day(1))}, Entry{}},
		{"null clears", []Override{override("a", "name", `null`, day(1))}, Entry{}},
		{"other kinds of values", []Override{override("a", "tags", `["x","y"]`, day(1)), override("b", "third_party", `true`, day(1)),
			override("c", "auth_type", `"NONE"`, day(1))}, Entry{Name: "harvested", Tags: []string{"x", "y"}, ThirdParty: true, AuthType: AuthNone}},
	} {
		got, err := Apply(Entry{Name: "harvested"}, c.overrides)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestApplyChangesNeitherEntryNorOverrides(t *testing.T) {
	e := Entry{Tags: []string{"a", "b"}, Formats: []string{"CSV"}, Themes: []string{"TRAN"}}
	list := []Override{override("2", "tags", `["y"]`, day(2)), override("1", "formats", `["JSON"]`, day(1)), override("3", "themes", `["ECON"]`, day(3))}
	ids := func() []string {
		var out []string
		for _, o := range list {
			out = append(out, o.ID)
		}
		return out
	}
	got, err := Apply(e, list)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"y"}, got.Tags); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Entry{Tags: []string{"a", "b"}, Formats: []string{"CSV"}, Themes: []string{"TRAN"}}, e); d != "" {
		t.Errorf("the entry was changed:\n%s", d)
	}
	if !slices.Equal(ids(), []string{"2", "1", "3"}) {
		t.Errorf("the overrides were reordered: %v", ids())
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct{ field, value, named string }{
		{"name", `17`, "name"}, {"tags", `"x"`, "tags"}, {"tags", `[1]`, "tags"}, {"third_party", `"yes"`, "third_party"},
		{"name", `{"a":1}`, "name"}, {"name", ``, "name"}, {"name", `"x`, "name"},
		{"id", `"x"`, "field"}, {"slug", `"x"`, "field"}, {"", `"x"`, "field"}, {"Name", `"x"`, "field"},
	} {
		o := override("o", c.field, c.value, day(1))
		_, applied := Apply(Entry{}, []Override{o})
		for _, err := range []error{applied, o.Validate()} {
			var fe *FieldError
			if !errors.As(err, &fe) || fe.Field != c.named || !errors.Is(err, ErrInvalid) {
				t.Errorf("override of %q with %q: %v", c.field, c.value, err)
			}
		}
	}
}

func TestOverridableFields(t *testing.T) {
	fields := OverridableFields()
	if !slices.IsSorted(fields) || len(fields) != len(setters) {
		t.Errorf("fields %v", fields)
	}
	b, err := json.Marshal(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		value, ok := members[f]
		if !ok {
			t.Errorf("%s is no member of an entry", f)
			continue
		}
		got, err := Apply(Entry{}, []Override{{Field: f, Value: value}})
		if err != nil {
			t.Errorf("%s: %v", f, err)
		}
		back, _ := json.Marshal(got)
		var after map[string]json.RawMessage
		if err := json.Unmarshal(back, &after); err != nil || string(after[f]) != string(value) {
			t.Errorf("override of %s sets %s, want %s", f, after[f], value)
		}
	}
}
