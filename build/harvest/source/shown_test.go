package source

import "testing"

func TestShownLanguage(t *testing.T) {
	one := func(s string) []Text { return []Text{{Value: s}} }
	title := Shown{one("Street Art"), []Text{{"Street Art", "en-t-fr"}, {"Street Art", "fr"}, {"Straatkunst", "nl-t-fr"}}}
	for _, c := range []struct {
		what string
		all  []Shown
		want string
	}{
		{"a title alone, that a machine translated to the same", []Shown{title}, "fr"},
		{"a description that tells languages apart", []Shown{
			{one("Orthophoto - 2012"), []Text{{"Orthophoto - 2012", "en"}, {"Orthophoto - 2012", "fr"}, {"Orthophoto - 2012", "nl"}}},
			{one("Photos aériennes"), []Text{{"Aerial photographs", "en"}, {"Photos aériennes\n", "fr"}, {"Luchtfoto's", "nl"}}},
		}, "fr"},
		{"a description without translations", []Shown{title, {one("Initiatives"), nil}}, "fr"},
		{"texts of which only a machine's translations are given", []Shown{{one("Water"), []Text{{"Water", "en-t-fr"}, {"Wasser", "de-t-fr"}}}}, "en-t-fr"},
		{"a text that no translation has", []Shown{{one("Eau"), []Text{{"Water", "en"}}}}, ""},
		{"no text", []Shown{{nil, []Text{{"Water", "en"}}}}, ""},
		{"an empty one", []Shown{{one(" "), []Text{{"", "en"}}}}, ""},
		{"nothing", nil, ""},
	} {
		if got := ShownLanguage(c.all...); got != c.want {
			t.Errorf("%s: %q, not %q", c.what, got, c.want)
		}
	}
}
