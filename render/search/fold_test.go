package search

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ASCII case", "Air Quality API", "air quality api"},
		{"white space", " \t a\r\n  b\u00a0\u2003c\u2028d ", "a b c d"},
		{"already folded", "a b", "a b"},
		{"only white space", " \n\u3000", ""},
		{"control characters", "a\x00\x07b\x7fc\u0085d", "abc d"},
		{"zero width", "a\u200bb\u200dc\ufeffd\u00ade\u2060f\u202eg", "abcdefg"},
		{"French", "Données d’Été : ŒUVRES", "donnees d'ete : oeuvres"},
		{"German", "Straßen GROẞ Köln", "strassen gross koln"},
		{"Polish", "ŁÓDŹ", "lodz"},
		{"Nordic", "Ærø ÅÄÖ Þingvellir Ðað", "aero aao thingvellir dad"},
		{"Croatian", "Đakovo", "dakovo"},
		{"Turkish", "İSTANBUL Iğdır", "istanbul igdir"},
		{"Maltese and Sami", "Ħamrun Ŋ Ŧ", "hamrun n t"},
		{"Vietnamese", "Đà Nẵng", "da nang"},
		{"Greek stays Greek", "Υπουργείο Οικονομικών ΣΊΣΥΦΟΣ", "υπουργειο οικονομικων σισυφοσ"},
		{"Greek polytonic", "Ἀθῆναι ᾳ", "αθηναι α"},
		{"Cyrillic й ё ї merge", "Йод Ёлка Їжак", "иод елка іжак"},
		{"decomposed equals composed", "e\u0301te\u0301", "ete"},
		{"full width", "ＡＢＣ１２３", "abc123"},
		{"ligature and superscript", "ﬁle m² №", "file m2 no"},
		{"Arabic marks", "مُحَمَّد أحمد", "محمد احمد"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"Hindi keeps its vowels", "हिन्दी", "हिन्दी"},
		{"Thai keeps its vowels", "กรุงเทพ", "กรุงเทพ"},
		{"Japanese voicing stays", "ガス ｶﾞｽ カ\u3099ス", "ガス ガス ガス"},
		{"Korean decomposed", "서울", "서울"},
		{"Korean composed", "서울", "서울"},
		{"Chinese", "北京市", "北京市"},
		{"dashes and quotes", "a–b—c “d”", `a-b-c "d"`},
		{"invalid UTF-8", "a\xff\xc3b\xe2\x82", "ab"},
		{"combining mark alone", "\u0301", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fold(tt.in)
			if got != tt.want {
				t.Errorf("Fold(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again := Fold(got); again != got {
				t.Errorf("Fold is not idempotent: %q, then %q", got, again)
			}
		})
	}
}

// Every character alone, and after a letter, must fold to something stable.
func TestFoldEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r == 0x20000 {
			r = 0xE0000 // between lie ideographs and unassigned planes
		}
		s := "x" + string(r) + "\u1161\u3099"
		folded := Fold(s)
		if again := Fold(folded); again != folded {
			t.Fatalf("%U: Fold(%q) = %q, then %q", r, s, folded, again)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Été\u00a0!", "\xff\xfe", "ᄀ\u1161\u11a8", "か\u3099", "ﷺ", "क\u093c\u094d", "İ\u0307ς"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Fold(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Fold(%q) = %q is not valid UTF-8", s, got)
		}
		if again := Fold(got); again != got {
			t.Fatalf("Fold is not idempotent: %q, then %q", got, again)
		}
		if got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Fatalf("Fold(%q) = %q has loose white space", s, got)
		}
	})
}
