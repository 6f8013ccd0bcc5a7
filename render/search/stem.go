package search

import (
	"slices"
	"strings"
)

// Languages whose inflections are known, as bits of a set.
const (
	English uint16 = 1 << iota
	French
	German
	Spanish
	Italian
	Portuguese
	Dutch
	Polish
	Czech // and Slovak
	Nordic
	Finnish // and Estonian
	Hungarian
	Romanian
	Greek
	Slavic // Bulgarian, Ukrainian, Russian, Serbian, Croatian, Slovene
	Baltic
)

var languages = map[string]uint16{
	"en": English, "fr": French, "de": German, "es": Spanish, "ca": Spanish, "gl": Spanish, "it": Italian, "pt": Portuguese,
	"nl": Dutch, "pl": Polish, "cs": Czech, "sk": Czech, "sv": Nordic, "da": Nordic, "no": Nordic, "nb": Nordic, "nn": Nordic,
	"fi": Finnish, "et": Finnish, "hu": Hungarian, "ro": Romanian, "el": Greek, "bg": Slavic, "uk": Slavic, "ru": Slavic,
	"sr": Slavic, "hr": Slavic, "sl": Slavic, "mk": Slavic, "lt": Baltic, "lv": Baltic,
}

// Compounding are the languages that write compounds as one word.
const Compounding = German | Dutch | Nordic | Finnish | Hungarian

// LanguageBit is the bit of a language, a BCP 47 tag; 0 when its inflections
// are not known.
func LanguageBit(lang string) uint16 {
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	return languages[primary]
}

// ending is an inflection that is taken off or replaced.
type ending struct{ old, new string }

func endings(list string) []ending {
	var out []ending
	for _, f := range strings.Fields(list) {
		old, replacement, _ := strings.Cut(f, ">")
		out = append(out, ending{old, replacement})
	}
	return out
}

// inflections are the endings of number, gender and case of a language on
// words without accents, longest first: light stemming, which leaves
// derivations alone (after J. Savoy, "Light stemming approaches for the French,
// Portuguese, German and Hungarian languages", 2006).
var inflections = []struct {
	language uint16
	endings  []ending
}{
	{English, endings("ies>y sses>ss ches>ch shes>sh xes>x 's s")},
	{French, endings("euses>eux euse>eux aux>al eaux>eau elles>el elle>el ives>if ive>if ees es ee e s x")},
	{German, endings("erinnen>er innen ern em en er es e n s")},
	{Spanish, endings("ciones>cion eses>es ces>z as os es a o e s")},
	{Italian, endings("chi>c che>c ghi>g ghe>g zioni>zion zione>zion ita>it i e o a")},
	{Portuguese, endings("cao>cao coes>cao oes>ao aes>ao ais>al eis>el ois>ol ns>m as os es a o e s")},
	{Dutch, endings("heden>heid ingen>ing en es e s n")},
	{Polish, endings("owego owych ami ach owi ego emu ych ymi ow om em y i a e u o")},
	{Czech, endings("ovych oveho ami ach ech eho emu ych ymi um ou em y i a e u o")},
	{Nordic, endings("arnas ernas erne arna erna ene ens ers ar or er en et na ne as a e s")},
	{Finnish, endings("issa ista iden ien jen ssa sta lla lta lle tten ja a t n i")},
	{Hungarian, endings("okat eket akat ban ben nak nek rol tol val vel ok ek ak at et ot k t")},
	{Romanian, endings("iilor urilor elor ilor ului ile ele uri lor le ul ii ei i a e")},
	{Greek, endings("ieis eon ous oys ion eis ou oy on os es is as ia io a o i e")},
	{Slavic, endings("yami iyami ogo emu ykh akh yakh ami ata ite iya ov ev om em ey oy ia iia i y a e u o")},
	{Baltic, endings("iems iams omis oms ams ems iu ai as os es is us am em ie s a i e u o")},
}

// stemMin is how many bytes a stem has at least.
const stemMin = 4

// Stems appends the stems that a term has in a set of languages and that
// differ from the term.
func Stems(out []string, term string, set uint16) []string {
	for i := range inflections {
		if inflections[i].language&set == 0 {
			continue
		}
		if stem := strip(term, inflections[i].endings); stem != term && !slices.Contains(out, stem) {
			out = append(out, stem)
		}
	}
	return out
}

func strip(term string, list []ending) string {
	if !isTerm(term) || strings.ContainsAny(term, "0123456789") {
		return term
	}
	for _, e := range list {
		if stem, ok := strings.CutSuffix(term, e.old); ok && len(stem)+len(e.new) >= stemMin {
			return stem + e.new
		}
	}
	return term
}

// stopWords are the function words of the larger languages, folded. A query of
// other words does not ask for them.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and are as at be by for from in is it of on or that the this to was with
au aux avec ce ces dans de des du elle en est et il je la le les leur lui ma mais me ne ni nos notre nous ou par pas pour qu que qui sa se ses son sur ta te un une vos votre vous y l d
das dem den der des die ein eine einem einen einer eines er es fur im ist mit nach nicht sich sie sind uber um und von vor wie zu zum zur auf aus bei
al con del el ella ellos entre esta este ha las lo los mas o para pero por si sin sobre su sus una unos
ai agli alla alle anche che chi ci da dal dalla degli dei della delle di e gli i il nei nel nella non per sono su sul sulla tra uno
ao aos as com da das do dos ela ele em essa esse mais na nas no nos os pela pelo sem sua um uma
aan dat een het hij ik met naar niet nog om ook op te uit van voor wat wel zijn zo
av att den det ett fran har inte med och pa som till vid af ved til fra ikke
i na nie oraz w z ze dla do jest lub od po przy sie ve na za pro s v k
a az es egy hogy nem van vagy ja tai on sau cu din la pe si sunt
kai i ta tis ton tin toy tou oi o to se gia me apo sto stin stis ton stous
in na za i v s do ot pri po ob dlya y ta te u
how many much what where when which who whose why can i my near there these those do does into between per
combien quel quelle quels quelles quand comment pourquoi chez entre selon dont cette ces son
hoe hoeveel welke waar wanneer waarom wie onze deze tussen volgens door tot binnen
wie viel viele welche welcher welches wo wann warum mein meine nach zwischen pro je laut am beim im ins
cuantos cuantas cual cuales donde cuando como quien segun entre mi
quanti quante quale quali dove quando come secondo fra tra mio
quantos quantas qual quais onde quando segundo entre meu
ile jaki jaka jakie gdzie kiedy wedlug miedzy przez przed
hvor mange hva hvilke hvem nar etter mellom fordelt der
hur manga vad vilka vem efter mellan per
de da do das nos nas ao aos`) {
		m[w] = true
	}
	return m
}()

// breakdowns are the function words behind which a query says by what its matter is to be
// broken down: population by municipality.
var breakdowns = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("by per par volgens nach je pro por segun secondo wedlug etter efter fordelt selon") {
		m[w] = true
	}
	return m
}()

// IsBreakdown tells whether a function word begins that by which a matter is broken down.
func IsBreakdown(term string) bool { return breakdowns[term] }

// plainWords are words that nearly every entry of a catalogue could be called by: a query
// with others does not ask for them, and they count little.
var plainWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`data dataset datasets database databases open opendata api apis file files list lists download information info overview free official portal
donnees donnee jeu jeux fichier fichiers liste listes informations ouvertes ouverte gratuit officiel officielle
gegevens gegevensset datasets bestand bestanden lijst lijsten informatie overzicht gratis officieel officiele
daten datensatz datensatze offene datei dateien verzeichnis informationen ubersicht kostenlos
datos dato conjunto archivo archivos lista listado abiertos informacion gratuitos base bases
dati dato insieme aperti elenco elenchi informazioni archivio gratuiti
dados conjunto abertos ficheiro arquivo informacao
dane danych zbior zbiory otwarte plik lista informacje
datasett data apne fil filer liste informasjon oversikt
oppna datamangd lista information
results result locations location number numbers resultats resultat nombre emplacement emplacements localisation
uitslag uitslagen resultaten resultaat aantal aantallen locatie locaties ergebnis ergebnisse anzahl standort standorte
resultado resultados numero cantidad ubicacion risultati risultato localizacao wyniki liczba resultater antall`) {
		m[w] = true
	}
	return m
}()

// IsPlain tells whether a term says nothing that tells entries of a catalogue apart.
func IsPlain(term string) bool { return plainWords[term] }

// IsYear tells whether a term is a year that data may be of.
func IsYear(term string) bool {
	return len(term) == 4 && (strings.HasPrefix(term, "19") || strings.HasPrefix(term, "20")) && '0' <= term[2] && term[2] <= '9' && '0' <= term[3] && term[3] <= '9'
}

// IsStop tells whether a term is a function word.
func IsStop(term string) bool { return stopWords[term] }
