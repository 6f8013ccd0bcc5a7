package mcp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// purpose is a use that a licence allows or not.
type purpose struct {
	name  string
	words *regexp.Regexp
	right func(*catalog.Licence) bool
}

func yes(r catalog.Right) bool { return r == catalog.RightYes }

// purposes are those that the licence table knows; their words are folded, in six languages.
var purposes = []purpose{
	{"commercial use", regexp.MustCompile(`\b(commerc\w*|comercial\w*|kommerziell\w*|gewerblich\w*|sell\w*|vend\w*|verkauf\w*|verkop\w*|business|product|produit|produkt|producto|prodotto|negocio|paid|startup|company)\b`),
		func(l *catalog.Licence) bool { return yes(l.CommercialUse) }},
	{"redistribution", regexp.MustCompile(`\b(re ?distribu\w*|ri ?distribu\w*|republi\w*|publi\w*|pubblic\w*|veroffentlich\w*|weiterverbreit\w*|weitergeb\w*|herverdel\w*|verspreid\w*|share|partager|teilen|delen|compartir|condividere)\b`),
		func(l *catalog.Licence) bool { return yes(l.Redistribution) }},
	{"modification", regexp.MustCompile(`\b(modif\w*|adapt\w*|adatt\w*|anpass\w*|aanpass\w*|verander\w*|bearbeit\w*|wijzig\w*|[ck]ombin\w*|remix\w*|build on)\b`),
		func(l *catalog.Licence) bool { return yes(l.Modification) }},
	{"use without attribution", regexp.MustCompile(`\b(without (attribution|naming|credit)|sans (attribution|mention)|ohne (namensnennung|quellenangabe)|zonder (naamsvermelding|bronvermelding)|sin (atribucion|reconocimiento)|senza attribuzione)\w*`),
		func(l *catalog.Licence) bool { return l.AttributionRequired == catalog.RightNo }},
	{"an open licence", regexp.MustCompile(`\b(open(ly)? licen[cs]\w*|licence (ouverte|libre)|(offene\w*|freie\w*) lizenz|licencia abierta|licenza aperta|freely|free to (re ?)?use)\b`),
		func(l *catalog.Licence) bool { return yes(l.Open) }},
}

// terms finds the part of a folded sentence that is about use: a clause of what somebody may do with
// the data, or what the data are for.
var terms = regexp.MustCompile(`\b(` +
	`((that|which) )?(i|we|one|you|anybody) (may|can|could|am allowed to|are allowed to) (legally |freely )?(re ?)?(use|sell|publish|redistribute|share|build on|modify|combine|adapt)` +
	`|(que|qu) (je|j|nous|on|vous) (peux|peut|pouvons|pouvez|puisse|puissions|pourrais|pourrait|ai le droit de|avons le droit de) (legalement |librement )?(re ?)?(utiliser|vendre|publier|distribuer|partager|modifier|combiner|adapter)` +
	`|(die|das|den|der|welche) (ich|wir|man) (\w+ ){0,5}?(\w*nutzen|\w*verwenden|verkaufen|veroffentlichen|weiterverbreiten|weitergeben|teilen|verandern|bearbeiten|kombinieren|anpassen) (darf|durfen|kann|konnen)` +
	`|(die|dat|welke) (ik|we|wij|men|je) (\w+ ){0,5}?(mag|mogen|kan|kunnen) (\w+ )?(\w*gebruiken|verkopen|publiceren|herverdelen|verspreiden|delen|wijzigen|aanpassen|combineren)` +
	`|que (yo )?(pueda|puedo|podamos|podemos|se pueda|se puede) (legalmente |libremente )?(re ?)?(usar|utilizar|vender|publicar|distribuir|redistribuir|compartir|modificar|combinar|adaptar)` +
	`|che (io )?(posso|possa|possiamo|si puo|si possa) (legalmente |liberamente )?(ri ?)?(usare|utilizzare|vendere|pubblicare|distribuire|ridistribuire|condividere|modificare|combinare|adattare)` +
	`|(for|with) (a |an |my |our )?(commercial|business|paid|open(ly)?)` +
	`|pour (un |une |mon |notre )?(\w+ )?commercia\w+|fur (ein\w* |mein\w* |unser\w* )?(kommerziell|gewerblich)\w*|voor (een |mijn |onze )?(\w+ )?commercie\w+|para (un |una |mi )?(\w+ )?comercial\w*|per (un |uno |una |la mia )?(\w+ )?commercial\w*` +
	`|openly licen[cs]ed|free to (re ?)?use` +
	`|without attribution|sans (attribution|mention)|ohne (namensnennung|quellenangabe)|zonder (naamsvermelding|bronvermelding)|sin (atribucion|reconocimiento)|senza attribuzione` +
	`)\b.*$`)

// purposesOf are the names of those that a clause about use speaks of.
func purposesOf(use string) (names []string) {
	for _, p := range purposes {
		if p.words.MatchString(use) {
			names = append(names, p.name)
		}
	}
	return names
}

// licences are the ids of those that allow all purposes of a question.
func (q *question) licences(table map[string]*catalog.Licence) (ids []string) {
	for id, l := range table {
		fits := !strings.Contains(id, ",")
		for _, p := range purposes {
			fits = fits && (!slices.Contains(q.purposes, p.name) || p.right(l))
		}
		if fits {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
