package source

import (
	"slices"
	"testing"
)

// TestChoose: the language of the record, that of the catalogue, the one given
// without a tag, then those of the country, never the alphabet.
func TestChoose(t *testing.T) {
	four := []Text{{"Tarife", "de"}, {"Rates", "en"}, {"Taux", "fr"}, {"Tarieven", "nl"}}
	for name, c := range map[string]struct {
		native, declared, country string
		preferred                 []string
		texts                     []Text
		want, english             string
	}{
		"record":              {"fr", "de", "BE", nil, four, "Taux", "Rates"},
		"catalogue":           {"", "de", "BE", []string{"fr"}, four, "Tarife", "Rates"},
		"preferred":           {"", "", "BE", []string{"it", "fr"}, four, "Taux", "Rates"},
		"country":             {"", "", "BE", nil, four, "Tarieven", "Rates"},
		"another country":     {"", "", "CH", nil, four, "Tarife", "Rates"},
		"English record":      {"en", "", "BE", nil, four, "Rates", ""},
		"region of a tag":     {"nl-BE", "", "", nil, four, "Tarieven", "Rates"},
		"given without a tag": {"", "", "BE", nil, append([]Text{{"Taux", ""}}, four...), "Taux", "Rates"},
		"machine translated":  {"nl", "", "BE", nil, []Text{{"Tarieven", "nl-t-fr"}, {"Taux", "fr"}, {"Rates", "en-t-fr"}}, "Taux", "Rates"},
		"mark of portals":     {"", "", "DE", nil, []Text{{"Tarife", "de-x-mtfrom-nl"}, {"Tarieven", "nl"}}, "Tarieven", ""},
	} {
		b := builder()
		b.in.Source.CountryCode, b.DefaultLang, b.Preferred = c.country, c.declared, c.preferred
		list, _ := perLanguage(b.phrases(c.texts, oneLine))
		original, english := b.choose(list, c.native)
		if original == nil || original.value != c.want {
			t.Errorf("%s: got %+v, want %q", name, original, c.want)
		}
		if got := english; (got == nil) != (c.english == "") || got != nil && got.value != c.english {
			t.Errorf("%s: English %+v, want %q", name, got, c.english)
		}
	}
}

func TestPerLanguage(t *testing.T) {
	b := builder()
	list, others := perLanguage(b.phrases([]Text{
		{"Map", "en"}, {"Map of roads", "en"}, {"Roads", "en"}, {"Carte", "fr"}, {"Carte", ""}, {"Kaart", ""}, {"The map", "en-t-nl"}, {"A map of", "en-t-nl"},
	}, oneLine))
	var tags, values []string
	for i := range list {
		tags, values = append(tags, list[i].tag()), append(values, list[i].value)
	}
	if !slices.Equal(tags, []string{"en", "fr", "und", "en-t-nl"}) || !slices.Equal(values, []string{"Map of roads", "Carte", "Kaart", "A map of"}) {
		t.Errorf("kept %q under %q", values, tags)
	}
	// What is left over are titles of humans only.
	if !slices.Equal(others, []string{"Map", "Roads"}) {
		t.Errorf("others %q", others)
	}
}
