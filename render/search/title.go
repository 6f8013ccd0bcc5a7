package search

import "strings"

// token is a word of a text, where it lies in the document, and what it counts there.
type token struct {
	Word
	position uint32
	share    float64
}

// What a word of a title counts. What an entry is comes first, and of what, where and by what
// it tells behind a preposition. A word such as cadastre that heads the name of other lists too
// (cadastre of trees) says little of what is listed. Brackets hold what is said by the way, such as
// the year, the region and the data that a model was fed with.
const (
	complementShare = 0.85
	besidesShare    = 0.6 // where something was named before
	headShare       = 0.1
	asideShare      = 0.6 // in brackets behind what was named
)

// complements are the words behind which a title tells of what, where or by what.
var complements = setOf(`of by per for in from with to at on van per voor in op volgens naar uit met de du des par pour dans selon au aux avec en sur d
	der des von nach fur je im in mit aus del por para segun della dei delle di del per da do das dos por w wedlug av i for fra etter till`)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// emphasise says what the words of a title count.
func (a *Analyser) emphasise(title string) {
	heads, governed, telling, subjects := lexiconOf().lists, 1.0, 0, 0
	brackets, end := 0, 0
	for i := range a.tokens {
		t := &a.tokens[i]
		brackets, end = within(brackets, title[min(end, t.Start):t.Start]), t.End
		if complements[t.Term] && subjects > 0 {
			governed = complementShare
			if a.namedBefore(telling) {
				governed = besidesShare
			}
		}
		t.share = governed
		if heads[t.Term] && i+1 < len(a.tokens) && complements[a.tokens[i+1].Term] {
			t.share *= headShare
		}
		if brackets > 0 && subjects > 0 {
			t.share *= asideShare
		}
		if !IsStop(t.Term) {
			a.places[telling].governed = t.share
			telling++
			if !leads(t.Term) {
				subjects++
			}
		}
		t.share *= early(max(1, subjects))
	}
}

// within is how many brackets are open behind a piece of text, of as many before it.
func within(open int, text string) int {
	for _, r := range text {
		switch r {
		case '(', '[', '（', '［', '【':
			open++
		case ')', ']', '）', '］', '】':
			open = max(0, open-1)
		}
	}
	return open
}

// leads tells whether a word stands before what a title is about: its year or its form.
func leads(term string) bool { return IsPlain(term) || formWords[term] || term[0] <= '9' }

// formWords say in what form a title's matter comes, not what it is.
var formWords = setOf(`wfs wms wmts wcs ogc features rest service services view viewing raadpleegdienst downloaddienst inspire webservice soap
	map maps carte cartes kaart kaarten karte karten statistics statistiques statistiek statistieken statistik statistiken census survey
	annual series version total totale totaal gesamt new current historical shapefile gtfs netex
	results result resultats resultat resultaten uitslag uitslagen ergebnisse ergebnis resultados risultati wyniki resultater resultat`)

// namedBefore tells whether one of the first words of a text names something that is no place.
func (a *Analyser) namedBefore(words int) bool {
	for i := range a.named {
		if m := &a.named[i]; m.at < words && !m.place && !m.part {
			return true
		}
	}
	return false
}

// early is what a word of a title counts, by how many words of its matter stand up to it.
func early(words int) float64 {
	switch {
	case words <= 1:
		return 1.6
	case words == 2:
		return 1.15
	case words <= 4:
		return 1
	}
	return 0.85
}

// subject is what a concept of a title counts, by how many are named up to it.
func subject(concepts int) float64 {
	switch {
	case concepts <= 1:
		return 1.6
	case concepts == 2:
		return 0.7
	}
	return 0.6
}
