package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
)

type doc struct{ title, lang, text string }

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func index(t fataler, docs ...doc) *Engine {
	t.Helper()
	var an search.Analyser
	b, titles := segment.NewBuilder(), [][]uint64{}
	for i, d := range docs {
		a := an.Analyse(&search.Document{search.FieldTitle: {{Value: d.title, Lang: d.lang}}, search.FieldText: {{Value: d.text, Lang: d.lang}}})
		b.Add(uint32(i), a)
		titles = append(titles, a.Titles)
	}
	var out bytes.Buffer
	w := segment.NewWriter(&out)
	if err := errors.Join(b.Write(w), w.Finish(titles, nil)); err != nil {
		t.Fatalf("%v", err)
	}
	s, err := segment.Open(out.Bytes())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return New(s, Heavy())
}

// found lists the documents of a query, best first.
func found(t fataler, e *Engine, q string) ([]uint32, *Hits) {
	t.Helper()
	parsed, err := search.Parse(q, func(string) bool { return false })
	if err != nil {
		t.Fatalf("%q: %v", q, err)
	}
	h, err := e.Find(context.Background(), parsed)
	if err != nil {
		t.Fatalf("%q: %v", q, err)
	}
	order := make([]int, len(h.Documents))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case h.Scores[a] > h.Scores[b]:
			return -1
		case h.Scores[a] < h.Scores[b]:
			return 1
		}
		return 0
	})
	var out []uint32
	for _, i := range order {
		out = append(out, h.Documents[i])
	}
	return out, h
}

// A pasted title finds its entry, also one with a dash that would take a word away and
// one with more words than are looked for.
func TestPastedTitles(t *testing.T) {
	long := "Inventory " + strings.Repeat("of the rivers and lakes and canals ", 8) + "of Flanders"
	e := index(t, doc{"Soil map -WMS", "en", "A service"}, doc{"WMS of the soil map", "en", "Another service"}, doc{"Soil map", "en", "No service"}, doc{long, "en", ""})
	for q, want := range map[string][]uint32{"Soil map -WMS": {0, 2}, "soil -wms": {2}, long: {3}} {
		got, hits := found(t, e, q)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%.30s: %v, want %v", q, got, want)
		}
		hits.Release()
	}
}

var register = []doc{
	{"Air quality measurements", "en", "Hourly values of the stations"},
	{"Luftqualitätsdaten", "de", "Messwerte der Luft, stündlich"},
	{"Qualité de l’air", "fr", "Mesures horaires des stations régionales"},
	{"Κτίρια του Δήμου", "el", "Δημόσια κτίρια"},
	{"Реєстр громад України", "uk", "територіальні громади"},
	{"Trinkwasser München", "de", "Grundwasserstände und Brunnen"},
	{"Bus stops", "en", "Stops of all bus lines; air conditioned vehicles"},
	{"Water bodies", "en", "Rivers and lakes, their quality of water"},
	{"Qualität der Straßen", "de", "Zustand"},
}

func TestFind(t *testing.T) {
	e := index(t, register...)
	for _, c := range []struct {
		query string
		best  uint32
	}{
		{"air quality", 0}, {"AIR QUALITY", 0}, {"qualite air", 2}, {"qualité de l'air", 2}, {"quality of the air", 0}, {"luftqualitaetsdaten", 1}, {"luftqualitatsdaten", 1},
		{"κτίρια", 3}, {"ΚΤΙΡΙΑ", 3}, {"ktiria", 3}, {"ktiria dimou", 3}, {"громади", 4}, {"hromad", 4}, {"gromad", 4}, {"reiestr", 4},
		{"wasser", 5}, {"muenchen", 5}, {"munchen", 5}, {"grundwasser", 5}, {"trinkwasser brunnen", 5}, {"bus stop", 6}, {"busstops", 6},
		{"station", 0}, {"statoin", 0}, {"measurments", 0}, {"meas*", 0}, {`"rivers and lakes"`, 7}, {"title:water", 7}, {"strassen", 8}, {"straße", 8},
		{"air -bus -qualite -quality -luft*", 99}, {"quality -measurements -luft* -qualite", 7},
	} {
		got, _ := found(t, e, c.query)
		if c.best == 99 {
			if len(got) > 0 {
				t.Errorf("%s finds %v", c.query, got)
			}
			continue
		}
		if len(got) == 0 || got[0] != c.best {
			t.Errorf("%s finds %v, want %d first", c.query, got, c.best)
		}
	}
}

func TestPhrasesAndQuotes(t *testing.T) {
	e := index(t, doc{"a", "en", "open air market"}, doc{"b", "en", "air open market"}, doc{"c", "en", "open market; air"}, doc{"open", "en", "air"})
	for q, want := range map[string][]uint32{
		`"open air"`: {0}, `"air open"`: {1}, `"open market"`: {1, 2}, `"market open"`: nil, `"open air market"`: {0}, `"nowhere air"`: nil, `"markets"`: nil,
		`"open air" market`: {0}, `market -"open air"`: {1, 2}, `title:open`: {3}, `title:"open air"`: nil, `title:air`: nil,
	} {
		got, _ := found(t, e, q)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", q, got, want)
		}
	}
}

func TestMostWordsAreBetterThanNone(t *testing.T) {
	e := index(t, register...)
	got, h := found(t, e, "air quality xylophone measurements")
	if !h.Some || len(got) == 0 || got[0] != 0 {
		t.Errorf("some %v, %v", h.Some, got)
	}
	if got, h := found(t, e, "xylophone"); len(got) > 0 || h.Some {
		t.Errorf("a word that is nowhere finds %v", got)
	}
}

func TestCorrections(t *testing.T) {
	e := index(t, register...)
	for q, want := range map[string]string{"measurments": "measurements", "air qualitty": "quality", "air quality": "", "meas": "", `"qualitty"`: ""} {
		_, h := found(t, e, q)
		got := ""
		for _, c := range h.Corrections {
			got += c.Term
		}
		if got != want {
			t.Errorf("%s is corrected to %q, want %q", q, got, want)
		}
	}
	if got := e.Mend("ktirja dim"); got != "ktiria dim" {
		t.Errorf("mended to %q", got)
	}
}

// A query of plain words finds the documents that have all of them, with others where they
// are few, and each score is between 0 and 1.
func TestAllWordsAreRequired(t *testing.T) {
	words := strings.Fields("alpha bravo carrot delta ember")
	rapid.Check(t, func(t *rapid.T) {
		var docs []doc
		for range rapid.IntRange(enough, 40).Draw(t, "documents") {
			docs = append(docs, doc{text: strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), " ")})
		}
		q := rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(t, "query")
		got, h := found(t, index(t, docs...), strings.Join(q, " "))
		var want []uint32
		for i, d := range docs {
			if !slices.ContainsFunc(q, func(w string) bool { return !slices.Contains(strings.Fields(d.text), w) }) {
				want = append(want, uint32(i))
			}
		}
		slices.Sort(got)
		missed := slices.ContainsFunc(want, func(d uint32) bool { return !slices.Contains(got, d) })
		if !h.Some && !slices.Equal(got, want) || missed || h.Some && len(want) >= plenty {
			t.Fatalf("%v finds %v, want %v (some: %v)", q, got, want, h.Some)
		}
		for _, s := range h.Scores {
			if s <= 0 || s > 1.0001 {
				t.Fatalf("score %f", s)
			}
		}
		// The scratch memory is clean again.
		h.Release()
	})
}

func TestScratchIsLeftClean(t *testing.T) {
	e := index(t, register...)
	var before []string
	for range 3 {
		var now []string
		for _, q := range []string{"quality", "air quality xylophone", "wasser", "qualit*", `"bus lines"`, "-air quality"} {
			got, h := found(t, e, q)
			now = append(now, fmt.Sprint(got, h.Scores))
			h.Release()
		}
		if before != nil && !slices.Equal(before, now) {
			t.Fatalf("%v, then %v", before, now)
		}
		before = now
	}
}

func TestBegin(t *testing.T) {
	e := index(t, register...)
	for _, c := range []struct {
		terms []string
		want  []int
	}{{[]string{"ai"}, []int{0, 2, 6}}, {[]string{"air", "qualit"}, []int{0, 2}}, {[]string{"zzz"}, nil}, {[]string{"air", "zzz"}, nil}} {
		set, err := e.Begin(t.Context(), c.terms)
		var got []int
		for i := range register {
			if set.Has(int32(i)) {
				got = append(got, i)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v begins words of %v, want %v: %v", c.terms, got, c.want, err)
		}
	}
}

func TestAQueryEndsWithItsContext(t *testing.T) {
	e := index(t, register...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q, _ := search.Parse("air quality", func(string) bool { return false })
	if _, err := e.Find(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := e.Begin(ctx, []string{"a"}); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzFind(f *testing.F) {
	e := index(f, register...)
	for _, q := range []string{"air", `"a b" -c title:d e*`, "******", "-a", strings.Repeat("a* ", 32), "\u0301", "αβγ"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := search.Parse(s, func(string) bool { return false })
		if err != nil {
			return
		}
		h, err := e.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(h.Documents) || len(h.Documents) != len(h.Scores) || len(slices.Compact(slices.Clone(h.Documents))) != len(h.Documents) {
			t.Fatalf("%q finds %v", s, h.Documents)
		}
		h.Release()
	})
}

// TestWhatAnEntryIs ranks by what a title names first, and asks for no more of a matter than
// the matter.
func TestWhatAnEntryIs(t *testing.T) {
	e := index(t,
		doc{title: "Voornamen van de totale bevolking per gemeente", lang: "nl"}, doc{title: "Bevolking volgens gemeente", lang: "nl"},
		doc{title: "Cadastre des subventions", lang: "fr"}, doc{title: "Parcelles cadastrales", lang: "fr"},
		doc{title: "Budget ordinaire par fonction", lang: "fr"}, doc{title: "Conseil communal", lang: "fr", text: "Séances de la commune et budget des jetons"},
		doc{title: "Écoles à Namur", lang: "fr", text: "Namur, Namur et Namur"}, doc{title: "Namur - Namur centre - Commerces de Namur", lang: "fr", text: "écoles proches"},
		doc{title: "Land of use", lang: "en"}, doc{title: "Use of all our good land", lang: "en"}, doc{title: "Good use", lang: "en", text: "of the far and wide land"})
	for query, best := range map[string]uint32{
		"population by municipality": 1, "population par commune": 1, "Bevölkerung nach Gemeinde": 1, "prénoms par commune": 0, "cadastre": 3, "kadaster": 3,
		"budget communal": 4, "municipal budget": 4, "écoles Namur": 6,
	} {
		if got, _ := found(t, e, query); len(got) == 0 || got[0] != best {
			t.Errorf("%s finds %v, want %d first", query, got, best)
		}
	}
}

// TestMostWordsAddUp: what has all words, in forms that several terms stand for, scores the same
// when those that have most of them are looked for as well.
func TestMostWordsAddUp(t *testing.T) {
	t.Parallel()
	e := index(t, doc{title: "Stops of buses in parks", lang: "en"}, doc{title: "Stop", lang: "en"}, doc{title: "Bus", lang: "en"}, doc{title: "Park", lang: "en"}, doc{title: "Parks and stops", lang: "en"})
	strict, err := e.FindStrictly(t.Context(), query(t, "bus stop park"))
	if err != nil || len(strict.Documents) != 1 {
		t.Fatalf("%v documents have all words: %v", strict.Documents, err)
	}
	want := strict.Scores[0]
	hits, err := e.Find(t.Context(), query(t, "bus stop park"))
	if err != nil || !hits.Some || len(hits.Documents) < 2 {
		t.Fatalf("%v have most of the words: %v", hits.Documents, err)
	}
	if got := hits.Scores[0]; got < 0.99*want {
		t.Errorf("with all words: %g, and %g among those with most of them", want, got)
	}
}
