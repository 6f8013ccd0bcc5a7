package oneline

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestIs(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, "a": true, "two words": true, "Κτίρια και δρόμοι": true, "日本": true, "𝄞": true, "a\u00adb": true,
		" a": false, "a ": false, "a  b": false, " ": false, "a\tb": false, "a\nb": false, "a\rb": false, "a\x00b": false, "a\x7fb": false,
		"a\u0085b": false, "a\u00a0b": false, "a\u1680b": false, "a\u2028b": false, "a\u3000b": false,
		"a\ufeffb": false, "a\ufffeb": false, "a\uffffb": false, "a\xffb": false, "a\xed\xa0\x80b": false,
	} {
		if Is(s) != want {
			t.Errorf("Is(%q) = %v", s, !want)
		}
	}
}

func FuzzIs(f *testing.F) {
	f.Add("two words")
	f.Add("a\u2003b\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if !Is(s) {
			return
		}
		if !utf8.ValidString(s) || strings.Join(strings.Fields(s), " ") != s || strings.ContainsFunc(s, unicode.IsControl) || strings.ContainsAny(s, "\ufeff\ufffe\uffff") {
			t.Fatalf("%q is not one clean line", s)
		}
	})
}
