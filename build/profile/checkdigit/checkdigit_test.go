package checkdigit

import (
	"testing"

	"pgregory.net/rapid"
)

func TestKnownNumbers(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
		bad  bool
	}{
		{"Luhn", Luhn("79927398713"), Luhn("79927398710")},
		{"Luhn of letters", Luhn("0"), Luhn("7992739871X")},
		{"EAN-13", GTIN("4006381333931"), GTIN("4006381333932")},
		{"EAN-8", GTIN("73513537"), GTIN("73513538")},
		{"MOD 97", Mod97("3214282912345698765432161182") == 1, Mod97("3214282912345698765432161183") == 1},
		{"MOD 97 of small letters", Mod97("a") == -1, Mod97("A") == -1},
		{"MOD 11-2", Mod112("0000000218250097"), Mod112("0000000218250096")},
		{"MOD 11-2 with X", Mod112("079X"), Mod112("0790")},
		{"MOD 11,10", Mod1110("94577403194"), Mod1110("94577403195")},
		{"empty", !Luhn("") && !GTIN("") && !Mod112("") && !Mod1110(""), Digits("", 0)},
		{"a leap day", Date(2024, 2, 29), Date(2023, 2, 29)},
		{"months", Date(2023, 12, 31), Date(2023, 13, 1)},
		{"a number", Number("0123") == 123, Number("12a") != -1},
		{"a sum", Sum("123", 1, 2, 3) == 14, Sum("12", 1, 2, 3) != -1},
	} {
		if !c.ok || c.bad {
			t.Errorf("%s: the good one passes: %v, the bad one: %v", c.name, c.ok, c.bad)
		}
	}
}

// TestOneWrongDigit: each scheme finds every single wrong digit.
func TestOneWrongDigit(t *testing.T) {
	schemes := map[string]struct {
		check func(string) bool
		good  string
	}{"luhn": {Luhn, "79927398713"}, "mod 11,10": {Mod1110, "94577403194"}, "mod 11-2": {Mod112, "0000000218250097"},
		"mod 97": {func(s string) bool { return Mod97(s) == 1 }, "3214282912345698765432161182"}, "gtin": {GTIN, "5901234123457"}}
	for name, s := range schemes {
		rapid.Check(t, func(rt *rapid.T) {
			i := rapid.IntRange(0, len(s.good)-1).Draw(rt, "place")
			d := byte('0' + rapid.IntRange(0, 9).Draw(rt, "digit"))
			text := s.good[:i] + string(d) + s.good[i+1:]
			if got, want := s.check(text), d == s.good[i]; got != want {
				rt.Fatalf("%s: %s passes: %v", name, text, got)
			}
		})
	}
}
