package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestTextsIn(t *testing.T) {
	texts := Texts{"nl": "kaart", "en-t-nl": "map", "fr-BE": "carte", "de": "Karte", "de-AT": "Plan", "und": "?"}
	for lang, want := range map[string][2]string{
		"nl": {"kaart", "nl"}, "nl-BE": {"kaart", "nl"}, "fr": {"carte", "fr-BE"}, "en": {"map", "en-t-nl"}, "en-t-nl": {"map", "en-t-nl"},
		"de": {"Karte", "de"}, "de-AT": {"Plan", "de-AT"}, "de-CH": {"Karte", "de"}, "it": {"", ""}, "d": {"", ""}, "und": {"?", "und"},
	} {
		if text, tag := texts.In(lang); text != want[0] || tag != want[1] {
			t.Errorf("%s: got %q under %q, want %q", lang, text, tag, want)
		}
	}
	// What a human wrote goes before what a machine did, in any order of tags.
	both := Texts{"en-GB": "colour", "en-AU-t-nl": "color"}
	if text, tag := both.In("en"); text != "colour" || tag != "en-GB" {
		t.Errorf("got %q under %q", text, tag)
	}
	if text, tag := Texts(nil).In("en"); text != "" || tag != "" {
		t.Errorf("of nothing: %q under %q", text, tag)
	}
	if got := texts.Tags(); !slices.Equal(got, []string{"de", "de-AT", "en-t-nl", "fr-BE", "nl", "und"}) {
		t.Errorf("tags %q", got)
	}
}

func TestMachineTag(t *testing.T) {
	for tag, plain := range map[string]string{"en-t-nl": "en", "pt-BR-t-es": "pt-BR", "en": "en", "zh-Hant": "zh-Hant", "": ""} {
		if MachineTag(tag) != (tag != plain) || PlainTag(tag) != plain {
			t.Errorf("%q: machine %v, plain %q", tag, MachineTag(tag), PlainTag(tag))
		}
	}
}

func TestCheckTexts(t *testing.T) {
	for name, c := range map[string]struct {
		texts Texts
		ok    bool
	}{
		"good": {Texts{"en": "a", "nl": "b"}, true}, "none": {nil, true}, "no tag": {Texts{"": "a"}, false},
		"long tag": {Texts{strings.Repeat("a", 36): "a"}, false}, "long text": {Texts{"en": "abcdef"}, false},
	} {
		if err := checkTexts("titles", c.texts, 5); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
