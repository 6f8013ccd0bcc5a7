package catalog

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckSlug(t *testing.T) {
	id := NewID("entry", "x")
	for s, ok := range map[string]bool{
		"ktiria": true, "a": true, "2024-census": true, "a-1": true, strings.Repeat("a", SlugMax): true, "indexes": true,
		"": false, strings.Repeat("a", SlugMax+1): false, "-a": false, "a-": false, "a--b": false, "A": false, "a b": false,
		"κτίρια": false, "a/b": false, "a.b": false, "2024": false, "20-24": false, "a_b": false,
		"index": false, "log": false, "search": false, "quality-score": false, "trending": false, "compare": false, id: false,
	} {
		err := CheckSlug(s)
		if (err == nil) != ok {
			t.Errorf("CheckSlug(%q) = %v", s, err)
		}
		var fe *FieldError
		if err != nil && (!errors.As(err, &fe) || fe.Field != "slug") {
			t.Errorf("CheckSlug(%q) does not name the field: %v", s, err)
		}
	}
	for word := range reservedSlugs {
		if CheckSlug(word) == nil || !ReservedSlug(word) {
			t.Errorf("reserved word %s passes", word)
		}
	}
}

func none(string) bool { return false }

func TestChooseSlug(t *testing.T) {
	id := NewID("entry", "x")
	hashed := func(base string) *regexp.Regexp { return regexp.MustCompile("^" + base + "-[0-9a-f]{6}$") }
	for _, c := range []struct {
		name  string
		taken func(string) bool
		want  *regexp.Regexp
	}{
		{"ktiria", none, regexp.MustCompile("^ktiria$")},
		{"ktiria", func(s string) bool { return s == "ktiria" }, hashed("ktiria")},
		{"index", none, hashed("index")},
		{"2024", none, hashed("mcp-server")},
		{"", none, hashed("mcp-server")},
		{"not a slug", none, hashed("mcp-server")},
		{id, none, hashed(id)},
		{strings.Repeat("a", 90), none, hashed(strings.Repeat("a", SlugMax-7))},
		{strings.Repeat("a", 72) + "-bcdefghij", none, hashed(strings.Repeat("a", 72))},
	} {
		got := ChooseSlug(c.name, TypeMCPServer, "key", c.taken)
		if !c.want.MatchString(got) {
			t.Errorf("ChooseSlug(%q) = %q, want %s", c.name, got, c.want)
		}
		if again := ChooseSlug(c.name, TypeMCPServer, "key", c.taken); again != got {
			t.Errorf("ChooseSlug(%q) gave %q, then %q", c.name, got, again)
		}
	}
}

// A clash is solved by the entry's own key: the order in which entries come
// does not decide who gets which hash, and a longer hash follows a shorter one.
func TestChooseSlugClash(t *testing.T) {
	busy := func(s string) bool { return s == "weather" }
	a, b := ChooseSlug("weather", TypeAPI, "key a", busy), ChooseSlug("weather", TypeAPI, "key b", busy)
	if a == b || a != ChooseSlug("weather", TypeAPI, "key a", func(s string) bool { return busy(s) || s == b }) {
		t.Errorf("clashing slugs %q and %q", a, b)
	}
	longer := ChooseSlug("weather", TypeAPI, "key a", func(s string) bool { return busy(s) || s == a })
	if !strings.HasPrefix(longer, a) || len(longer) != len(a)+2 {
		t.Errorf("after %q the next choice is %q", a, longer)
	}
	if last := ChooseSlug("weather", TypeAPI, "key a", func(string) bool { return true }); CheckSlug(last) != nil {
		t.Errorf("the last choice %q is no slug", last)
	}
}

func TestChooseSlugIsFreeAndValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		used := map[string]bool{}
		taken := func(s string) bool { return used[s] }
		names := rapid.OneOf(
			rapid.StringMatching(`[a-z0-9-]{0,100}`), rapid.StringMatching(`[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,12}`),
			rapid.SampledFrom([]string{"index", "log", "2024", "", "weather", NewID("entry", "x")}), rapid.String())
		for i := range rapid.IntRange(1, 8).Draw(t, "entries") {
			name := names.Draw(t, "name")
			kind := rapid.SampledFrom(EntryTypes()).Draw(t, "type")
			key := rapid.StringN(0, 40, -1).Draw(t, "key") + string(rune('a'+i))
			s := ChooseSlug(name, kind, key, taken)
			if err := CheckSlug(s); err != nil {
				t.Fatalf("ChooseSlug(%q) = %q: %v", name, s, err)
			}
			if used[s] {
				t.Fatalf("ChooseSlug(%q) = %q, which is taken", name, s)
			}
			used[s] = true
		}
	})
}
