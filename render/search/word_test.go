package search

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// spell lists the words of a text as term or term=other.
func spell(text, lang string) []string {
	var out []string
	Words(text, lang, func(w Word) {
		if w.Other != "" {
			w.Term += "=" + w.Other
		}
		out = append(out, w.Term)
	})
	return out
}

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		text, lang string
		want       []string
	}{
		{"", "", nil},
		{"-- !?", "", nil},
		{"Air-Quality, 2024!", "en", []string{"air", "quality", "2024"}},
		{"L’eau d'ici", "fr", []string{"l", "eau", "d", "ici"}},
		{"Straße Ærø Łódź", "de", []string{"strasse", "aero", "lodz"}},
		{"Κτίρια", "el", []string{"ktiria"}},
		{"ΚΤΙΡΙΑ κτιρια", "", []string{"ktiria", "ktiria"}},
		{"Громада", "uk", []string{"gromada=hromada"}},
		{"громада", "", []string{"gromada"}},
		{"Регистър", "bg", []string{"registr=registar"}},
		{"soft\u00adhyphen zero\u200bwidth", "", []string{"softhyphen", "zerowidth"}},
		{"北京市统计局", "zh", []string{"北京", "京市", "市统", "统计", "计局"}},
		{"水", "zh", []string{"水"}},
		{"ABC北京1", "", []string{"abc", "北京", "1"}},
		{"مُحَمَّد", "ar", []string{"محمد"}},
		{"½ m²", "", []string{"12", "m2"}},
		{strings.Repeat("x", 100), "", []string{strings.Repeat("x", 40)}},
		{strings.Repeat("ж", 100), "", []string{strings.Repeat("zh", 20)}},
		{"a\xffb", "", []string{"a", "b"}},
	} {
		if got := spell(tt.text, tt.lang); !slices.Equal(got, tt.want) {
			t.Errorf("words of %q in %q: %q, want %q", tt.text, tt.lang, got, tt.want)
		}
	}
}

func TestWordsKnowTheirPlace(t *testing.T) {
	const text = "Τα Κτίρια, «Été»"
	var got []string
	Words(text, "el", func(w Word) { got = append(got, text[w.Start:w.End]) })
	if want := []string{"Τα", "Κτίρια", "Été"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestKey(t *testing.T) {
	for text, want := range map[string]string{"Air  Quality!": "air quality", "Κτίρια & Γη": "ktiria gi", "": ""} {
		if got := Key(text, ""); got != want {
			t.Errorf("key of %q: %q, want %q", text, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"Air Quality", "Κτίρια", "Громада ЇЖАК", "北京市", "\xff\xfe", "a\u200b", "ﷺ", "é\u0301", "İ"} {
		f.Add(s, "uk")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		last := 0
		Words(text, lang, func(w Word) {
			if w.Start < 0 || w.End > len(text) || w.Start >= w.End || w.Start < last {
				t.Fatalf("word %+v of %q after %d", w, text, last)
			}
			last = w.Start
			for _, term := range []string{w.Term, w.Other} {
				if len(term) > termMax || !utf8.ValidString(term) || strings.ContainsAny(term, " \x00") {
					t.Fatalf("term %q of %q", term, text)
				}
			}
			if w.Term == "" {
				t.Fatalf("no term at %d of %q", w.Start, text)
			}
		})
	})
}
