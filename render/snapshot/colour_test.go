package snapshot

import (
	"math"
	"strings"
	"testing"
)

func TestCheckAccents(t *testing.T) {
	for _, c := range []struct{ light, dark, want string }{
		{"", "", ""}, {"#0a4c86", "#8fc3f7", ""}, {"#ffd400", "", "darker"}, {"", "#0a4c86", "lighter"},
		{"red", "", "six hexadecimal digits"}, {"#0A4C86", "", "lower case"}, {"#0a4c86;}", "", "six hexadecimal digits"},
	} {
		err := Site{Accent: c.light, AccentDark: c.dark}.CheckAccents()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q, %q: %v, want %q", c.light, c.dark, err, c.want)
		}
	}
}

func TestContrast(t *testing.T) {
	if got := contrast("#000000", "#ffffff"); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white is %f", got)
	}
	if got := contrast("#767676", "#ffffff"); math.Abs(got-4.54) > 0.01 { // the lightest grey that may stand on white
		t.Errorf("grey on white is %f", got)
	}
	for ground, want := range map[string]string{"#0a4c86": "#ffffff", "#8fc3f7": "#0b0f14"} {
		if got := InkOn(ground); got != want {
			t.Errorf("text on %s is %s", ground, got)
		}
	}
}
