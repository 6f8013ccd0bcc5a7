package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func find(a *Analysis, term string) *Occurrence {
	for i := range a.Terms {
		if a.Terms[i].Term == term {
			return &a.Terms[i]
		}
	}
	return nil
}

func TestAnalyse(t *testing.T) {
	var an Analyser
	d := Document{FieldTitle: {{"Air quality", "en"}, {"Ποιότητα αέρα", "el"}}, FieldTags: {{"air", "en"}, {"air quality", "en"}}, FieldText: {{"The quality of water", "en"}}}
	for range 2 { // an analyser is used again
		a := an.Analyse(&d)
		if !slices.IsSortedFunc(a.Terms, func(x, y Occurrence) int { return strings.Compare(x.Term, y.Term) }) {
			t.Error("terms are not sorted")
		}
		air, water := find(a, "air"), find(a, "water")
		if air == nil || water == nil || air.Impact <= water.Impact {
			t.Fatalf("air %+v, water %+v", air, water)
		}
		var fields []Field
		for _, p := range air.Positions {
			fields = append(fields, FieldOf(p))
		}
		if !slices.Equal(fields, []Field{FieldTitle, FieldTags, FieldTags}) || !slices.IsSorted(air.Positions) {
			t.Errorf("air is in %v at %v", fields, air.Positions)
		}
		if air.Positions[2]-air.Positions[1] < 2 {
			t.Error("a phrase could span two tags")
		}
		if q := find(a, "quality"); q.Positions[0] != air.Positions[0]+1 || q.Languages != English {
			t.Errorf("quality %+v", q)
		}
	}
}

// A title is recognised in each of its languages, and counts once.
func TestTitlesOfAllLanguages(t *testing.T) {
	row := &catalog.Row{Entry: catalog.Entry{Name: "Air quality", NativeLang: "en", AlternativeTitles: []string{"AIR QUALITY", "Air 2"},
		Titles: catalog.Texts{"en": "Air quality", "fr": "Qualité de l’air", "de": "Luftgüte", "it-t-en-t0-mtec": "Aria"}}}
	var an Analyser
	d := Project(row, nil)
	want := []uint64{TitleHash(Key("Air quality", "en")), TitleHash(Key("Air 2", "en")), TitleHash(Key("Qualité de l’air", "fr")), TitleHash(Key("Luftgüte", "de"))}
	slices.Sort(want)
	if got := an.Analyse(&d).Titles; !slices.Equal(got, want) {
		t.Errorf("titles %v, want %v", got, want)
	}
}

func TestAShortTitleWeighsMore(t *testing.T) {
	var an Analyser
	weigh := func(title string) byte {
		return find(an.Analyse(&Document{FieldTitle: {{title, "en"}}}), "water").Impact
	}
	if short, long := weigh("Water"), weigh("Water of the many rivers and lakes of the northern districts"); short <= long {
		t.Errorf("short %d, long %d", short, long)
	}
}

func TestOneWordInTwoLanguages(t *testing.T) {
	var an Analyser
	for _, c := range []struct{ lang, other string }{{"ru", ""}, {"uk", "hromada"}, {"ru", ""}} {
		a := an.Analyse(&Document{FieldTitle: {{"громада", c.lang}}})
		if find(a, "gromada") == nil || (find(a, "hromada") != nil) != (c.other != "") {
			t.Errorf("%s: %+v", c.lang, a.Terms)
		}
	}
}

func TestALongTextIsBounded(t *testing.T) {
	var an Analyser
	a := an.Analyse(&Document{FieldText: {{strings.Repeat("one two ", 100_000), "en"}, {"three", "en"}}})
	for i := range a.Terms {
		for _, p := range a.Terms[i].Positions {
			if FieldOf(p) != FieldText {
				t.Fatalf("%s stands in field %d", a.Terms[i].Term, FieldOf(p))
			}
		}
	}
}

func TestProject(t *testing.T) {
	row := &catalog.Row{Entry: catalog.Entry{Name: "Κτίρια", NameEn: "Buildings", NativeLang: "el", Tags: []string{"gis"}, Description: "d", PublisherName: "Somebody",
		API: &catalog.APIDetails{Endpoints: []catalog.Endpoint{{Summary: "List buildings"}}}, Members: []catalog.Member{{Name: "layer-1", Title: "Parcels"}}},
		Profile: &catalog.Profile{Fields: []catalog.ProfileField{{Name: "kad", Label: "Code"}}}}
	d := Project(row, nil)
	for f, want := range map[Field]string{FieldTitle: "Κτίρια Buildings", FieldTags: "gis", FieldInstitution: "Somebody", FieldProfile: "kad Code Parcels List buildings", FieldText: "d"} {
		var got []string
		for _, text := range d[f] {
			got = append(got, text.Value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("field %d: %q, want %q", f, got, want)
		}
	}
	if d = Project(row, &catalog.Institution{Name: "Υπουργείο", NameEn: "Ministry"}); len(d[FieldInstitution]) != 2 {
		t.Errorf("institution %v", d[FieldInstitution])
	}
}

func BenchmarkAnalyse(b *testing.B) {
	var an Analyser
	text := strings.Repeat("The Air Quality dataset of the Environment Agency lists hourly measurements of 2,300 stations. ", 8)
	d := Document{FieldTitle: {{"Air quality", "en"}}, FieldTags: {{"air", "en"}}, FieldText: {{text, "en"}}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		an.Analyse(&d)
	}
}
