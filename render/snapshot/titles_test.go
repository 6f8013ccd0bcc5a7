package snapshot

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// A reader gets the title in the own language where there is one, a human's before a
// machine's, and else the entry's own with the language in which it is.
func TestTitleIn(t *testing.T) {
	t.Parallel()
	e := &catalog.Entry{Name: "Bodemkaart", NativeLang: "nl-BE", NameEn: "Soil map",
		Titles: catalog.Texts{"nl-BE": "Bodemkaart", "en": "Soil map", "fr": "Carte des sols", "de-t-fr": "Bodenkarte", "el": "Χάρτης εδάφους"}}
	l := Line{Traits: &Traits{Lang: e.NativeLang}, Name: e.Name, NameEn: e.NameEn, Titles: titlesOf(e)}
	for lang, want := range map[string][2]string{"nl": {"Bodemkaart", "nl-BE"}, "en": {"Soil map", "en"}, "fr": {"Carte des sols", "fr"}, "de": {"Bodenkarte", "de"}, "el": {"Bodemkaart", "nl-BE"}} {
		if text, in := l.TitleIn(lang); text != want[0] || in != want[1] {
			t.Errorf("%s: %q in %q, want %q", lang, text, in, want)
		}
	}
	if len(l.Titles) != 2 {
		t.Errorf("kept %v, want those that Name and NameEn do not hold", l.Titles)
	}
}
