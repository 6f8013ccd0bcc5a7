package snapshot

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
)

// TestDraftKeepsWhatALineSays: only the digest and the folded name go.
func TestDraftKeepsWhatALineSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := strings.Repeat("long", rapid.IntRange(0, textBlock/3).Draw(t, "long"))
		var lines, want []Line
		for i := range rapid.IntRange(1, 20).Draw(t, "lines") {
			l := drawLine(t, i)
			l.Slug, l.NameEn = l.Slug+long, oneOf(t, "english", "", l.Name, "English")
			l.Serves, l.Successor = some(t, "serves", "a", "b"), oneOf(t, "successor", "", "c")
			l.LeftOut, l.Digest = oneOf(t, "left out", "", "no address"), "digest"
			lines = append(lines, l)
			l.Digest, l.Sort = "", ""
			want = append(want, l)
		}
		slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.ID, b.ID) })
		slices.SortFunc(want, func(a, b Line) int { return strings.Compare(a.ID, b.ID) })
		d := NewDraft(newFrame())
		for _, l := range lines {
			if err := d.Add(l, nil); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, d.lines); diff != "" {
			t.Fatalf("lines (-want +got):\n%s", diff)
		}
	})
}

func TestInternerKeepsCommonTextsOnce(t *testing.T) {
	s := newInterner()
	lines := make([]Line, 3)
	for i := range lines {
		l := &lines[i]
		*l = Line{Traits: &Traits{Type: catalog.TypeAPI, State: catalog.StateStale, InstType: catalog.InstRegion, Capability: catalog.TierLive, Host: strings.Clone("host.example"), Formats: []string{"CSV", strings.Clone("JSON")}}, ID: id(i), Name: "Air", NameEn: "Air",
			Tags: []string{strings.Clone("air"), fmt.Sprint("tag ", i)}}
		s.keep(l)
	}
	one, two := &lines[1], &lines[2]
	for name, pair := range map[string][2]string{"host": {one.Host, two.Host}, "tag": {one.Tags[0], two.Tags[0]}, "type": {string(one.Type), string(catalog.TypeAPI)},
		"capability": {string(two.Capability), string(catalog.TierLive)}, "name": {one.Name, one.NameEn}} {
		if unsafe.StringData(pair[0]) != unsafe.StringData(pair[1]) {
			t.Errorf("the %s %q is kept twice", name, pair[0])
		}
	}
	if unsafe.SliceData(one.Formats) != unsafe.SliceData(two.Formats) {
		t.Errorf("the formats %v are kept twice", one.Formats)
	}
	if cap(one.Tags) != len(one.Tags) {
		t.Errorf("appending to the tags of a line would overwrite those of the next")
	}
}

// TestTraitsThatDifferAreKeptApart: whatever member of two lines' traits differs, they share none.
func TestTraitsThatDifferAreKeptApart(t *testing.T) {
	s := newInterner()
	plain := s.same(&Traits{})
	for i := range reflect.TypeFor[Traits]().NumField() {
		var other Traits
		name := reflect.TypeFor[Traits]().Field(i).Name
		switch f := reflect.ValueOf(&other).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		default:
			t.Fatalf("the test cannot set %s", name)
		}
		if kept := s.same(&other); kept == plain || !cmp.Equal(*kept, other) {
			t.Errorf("traits that differ in %s are shared", name)
		}
	}
}

// TestInternerAllocatesBlocks: a line costs a small part of an allocation.
func TestInternerAllocatesBlocks(t *testing.T) {
	s := newInterner()
	l := Line{Traits: &Traits{Host: "a.example", Formats: []string{"CSV"}}, ID: id(1), Slug: "slug", Name: "Air quality", NameEn: "Air", Tags: []string{"air", "water"}}
	var line Line
	if n := testing.AllocsPerRun(10_000, func() {
		line = l
		s.keep(&line)
	}); n > 0 {
		t.Errorf("a line takes %v allocations", n)
	}
}
