package search

import (
	"slices"
	"strings"
	"testing"
)

// concepts are those that a title names.
func conceptsOf(title, lang string) (out []string) {
	var a Analyser
	d := Document{FieldTitle: {{Value: title, Lang: lang}}}
	for _, o := range a.Analyse(&d).Terms {
		if id, ok := strings.CutPrefix(o.Term, ConceptMark); ok {
			out = append(out, id)
		}
	}
	return out
}

func TestConceptsOfTexts(t *testing.T) {
	for _, c := range []struct{ title, lang, has, hasNot string }{
		{"Horaires et arrêts des transports publics", "fr", "timetable,public transport", "rail"},
		{"Dienstregeling NMBS (GTFS)", "nl", "timetable,rail", "bus"},
		{"Verkiezingsresultaten per gemeente", "nl", "election,municipality", ""},
		{"Luftqualitätsdaten Zürich", "de", "", "bus"},
		{"Qualité de l'air", "fr", "air quality", ""},
		{"The most used bridge data", "en", "bridge", "crime"},
		{"most over de rivier", "nl", "surface water", "bridge"},
		{"Bevolking van Brussel", "nl", "population,region:BE-BRU", ""},
		{"namen van straten", "nl", "street", "geonames:2790472"},
		{"人口統計", "zh", "population,statistics", ""},
		{"Arrêts de bus à Bruxelles", "fr", "stop,bus,region:BE-BRU", ""},
	} {
		got := conceptsOf(c.title, c.lang)
		for id := range strings.SplitSeq(c.has, ",") {
			if id != "" && !slices.Contains(got, id) {
				t.Errorf("%s names %q, not %s", c.title, got, id)
			}
		}
		if slices.Contains(got, c.hasNot) {
			t.Errorf("%s names %s", c.title, c.hasNot)
		}
	}
}

func TestCodesMeanConcepts(t *testing.T) {
	var a Analyser
	d := Document{FieldTitle: {{Value: "x", Lang: "en"}}, FieldCodes: {{Value: "TRAN"}, {Value: "c_63b37dd4"}, {Value: "country:BE"}, {Value: "nowhere"}}}
	var got []string
	for _, o := range a.Analyse(&d).Terms {
		if IsConcept(o.Term) {
			got = append(got, o.Term[len(ConceptMark):])
		}
	}
	if want := []string{"air quality", "country:BE", "transport"}; !slices.Equal(got, want) {
		t.Errorf("codes mean %q, want %q", got, want)
	}
}

func TestMentions(t *testing.T) {
	for q, want := range map[string]string{
		"train timetable": "rail,timetable", "rozkład jazdy pociągów": "timetable,rail", "qualidade do ar": "air quality", "kadaster": "cadastre", "xylophone": "",
		"stacje ładowania": "charging station",
	} {
		parsed, err := Parse(q, func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		var words, got []string
		for _, term := range parsed.Terms {
			if !IsStop(term.Words[0]) {
				words = append(words, term.Words...)
			}
		}
		for _, m := range Mentions(words) {
			got = append(got, m.Term[len(ConceptMark):])
			if m.From < 0 || m.To > len(words) || m.From >= m.To {
				t.Errorf("%s: words %d to %d of %d", q, m.From, m.To, len(words))
			}
		}
		for id := range strings.SplitSeq(want, ",") {
			if id != "" && !slices.Contains(got, id) {
				t.Errorf("%s names %q, not %s", q, got, id)
			}
		}
		if want == "" && len(got) > 0 {
			t.Errorf("%s names %q", q, got)
		}
	}
}

// impactIn is what a concept counts in an entry of a title, 0 where it is not named.
func impactIn(concept, title, lang string) byte {
	var a Analyser
	for _, o := range a.Analyse(&Document{FieldTitle: {{Value: title, Lang: lang}}}).Terms {
		if o.Term == ConceptMark+concept {
			return o.Impact
		}
	}
	return 0
}

func TestWhatATitleIsCounts(t *testing.T) {
	for _, c := range []struct{ concept, more, less, lang string }{
		{"election", "Gemeenteraadsverkiezingen", "Verkiezingsborden", "nl"},
		{"election", "Elections of the council", "Electoral cantons of the council", "en"},
		{"election", "Résultats des élections", "Panneaux des élections", "fr"},
	} {
		if more, less := impactIn(c.concept, c.more, c.lang), impactIn(c.concept, c.less, c.lang); more <= less || less == 0 {
			t.Errorf("%s: %d in %q, %d in %q", c.concept, more, c.more, less, c.less)
		}
	}
}

func TestNamesThing(t *testing.T) {
	for text, want := range map[string]bool{"Building permits": true, "Luchtkwaliteit": true, "Glass bubbles": false, "Brussels": false, "Wasserpreise der Stadt": false, "": false} {
		if got := NamesThing(text, ""); got != want {
			t.Errorf("%q names a thing: %v", text, got)
		}
	}
}
