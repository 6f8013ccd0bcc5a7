package search

import (
	"slices"
	"testing"
)

// stemIn is the stem of a word in one language.
func stemIn(word string, language uint16) string {
	for _, stem := range Stems(nil, word, language) {
		return stem
	}
	return word
}

// What inflects the same word must meet in one stem.
func TestStem(t *testing.T) {
	for _, tt := range []struct {
		language uint16
		words    []string
	}{
		{English, []string{"station", "stations"}}, {English, []string{"city", "cities"}}, {French, []string{"donnee", "donnees"}},
		{French, []string{"regional", "regionaux", "regionals"}}, {German, []string{"strasse", "strassen"}}, {German, []string{"gemeinde", "gemeinden"}},
		{Spanish, []string{"poblacion", "poblaciones"}}, {Italian, []string{"comune", "comuni"}}, {Portuguese, []string{"populacao", "populacoes"}},
		{Dutch, []string{"gemeente", "gemeenten"}}, {Polish, []string{"statystyka", "statystyki", "statystyk"}}, {Nordic, []string{"kommun", "kommuner"}},
		{Greek, []string{"ktirio", "ktiria", "ktirion"}}, {Czech, []string{"skola", "skoly", "skolach"}},
	} {
		stem := stemIn(tt.words[0], tt.language)
		for _, w := range tt.words[1:] {
			if got := stemIn(w, tt.language); got != stem {
				t.Errorf("%s becomes %s, %s becomes %s", tt.words[0], stem, w, got)
			}
		}
	}
}

func TestStemLeavesAlone(t *testing.T) {
	for _, w := range []string{"gas", "bus", "a", "", "co2s", "pm25es", "κτιρια", "données"} {
		for _, l := range languages {
			if got := stemIn(w, l); got != w {
				t.Errorf("%s becomes %s", w, got)
			}
		}
	}
	if got := stemIn("stations", 0); got != "stations" {
		t.Errorf("in no language: %s", got)
	}
}

func TestStemsOfAllLanguages(t *testing.T) {
	got := Stems(nil, "stations", ^uint16(0))
	if !slices.Contains(got, "station") || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) || slices.Contains(got, "stations") {
		t.Errorf("stems %q", got)
	}
}

func TestLanguageBit(t *testing.T) {
	if LanguageBit("de-AT") != German || LanguageBit("DE") != German || LanguageBit("zz") != 0 || LanguageBit("") != 0 {
		t.Error("a language is not known by its tag")
	}
}

func TestIsStop(t *testing.T) {
	for _, w := range []string{"the", "de", "und", "della", "kai"} {
		if !IsStop(w) {
			t.Errorf("%s is a function word", w)
		}
	}
	for _, w := range []string{"air", "water", "daten", ""} {
		if IsStop(w) {
			t.Errorf("%s is no function word", w)
		}
	}
}
