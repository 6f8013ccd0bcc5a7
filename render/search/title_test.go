package search

import "testing"

// impactOf is what a word of a title counts.
func impactOf(t *testing.T, title, lang, word string) uint8 {
	t.Helper()
	var a Analyser
	for _, o := range a.Analyse(&Document{FieldTitle: {{Value: title, Lang: lang}}}).Terms {
		if o.Term == word {
			return o.Impact
		}
	}
	t.Fatalf("%q has no word %q", title, word)
	return 0
}

func TestBracketsAreByTheWay(t *testing.T) {
	for _, c := range []struct{ within, without, lang, word string }{
		{"Deposition of nitrogen (weather 2021)", "Deposition of nitrogen weather 2021", "en", "weather"},
		{"Stations [temperature] hourly", "Stations temperature hourly", "en", "temperature"},
		{"臺北市公車（站牌）", "臺北市公車站牌", "zh", "站牌"},
	} {
		if in, out := impactOf(t, c.within, c.lang, c.word), impactOf(t, c.without, c.lang, c.word); in >= out {
			t.Errorf("%q counts %d in %q and %d in %q", c.word, in, c.within, out, c.without)
		}
	}
	for _, same := range [][2]string{{"(Weather) stations", "Weather stations"}, {"Stations (hourly) weather", "Stations hourly weather"}, {"Stations) weather", "Stations weather"}} {
		if a, b := impactOf(t, same[0], "en", "weather"), impactOf(t, same[1], "en", "weather"); a != b {
			t.Errorf("weather counts %d in %q and %d in %q", a, same[0], b, same[1])
		}
	}
}
