package mcp

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// formatWords are words for formats, by their codes.
var formatWords = map[string]string{"csv": "CSV", "json": "JSON", "geojson": "GEOJSON", "xml": "XML", "excel": "XLSX", "xlsx": "XLSX", "xls": "XLS", "parquet": "PARQUET",
	"wms": "WMS_SRVC", "wfs": "WFS_SRVC", "gtfs": "GTFS", "netcdf": "NETCDF", "shapefile": "SHP", "shapefiles": "SHP", "kml": "KML", "rdf": "RDF", "gml": "GML", "zip": "ZIP", "ods": "ODS"}

// typeWords are words for the types of entries.
var typeWords = map[string]catalog.EntryType{"api": catalog.TypeAPI, "apis": catalog.TypeAPI, "mcp": catalog.TypeMCPServer}

// passedAlways are folded words that say nothing of the data in a question of whatever language: those of
// data and files, and articles and prepositions, which names have in other languages, too.
var passedAlways = words(`data database dataset datasets download file files format server
 a d l s en de la le les du des den der das von van di del della da el al`)

// passed are words of questions that say nothing of the data, folded, by language. Some mean something in
// another, so those of the language that a question has most words of are passed over.
var passed = []map[string]bool{
	words(`about all am an and any are as at available be by can could current do does downloadable each every fetch figures find for form free from get give had has have hello hi how i if in information
 is it latest let like list looking machine many me much my need of official on one open or our please provide public readable recent search see show so some somewhere sources source stats tell thanks that
 the their them there these they this those to us via want we what when where which who with would you your`),
	words(`ai ait au aux avec avez avoir c ce ces cet cette cherche cherchons chercher comment dans donne donner donnez donnees es est et etre existe faut fichier fichiers forme il ils indique j je leur liste m me
 merci moi montre montrez n nous on ont ou par peut peux plait pour pourriez pouvez qu quand que quel quelle quelles quels qui se sont sous sur svp t te telecharger toutes tous trouve trouver tu un une
 veux voir voudrais vous y`),
	words(`alle aller alles als am an auf aus bei bekomme bekommen bitte brauche brauchen datei dateien daten datensatz datensatze dem die ein eine einem einen einer eines es etwas finde finden findet fur gern gerne gib
 gibt habe haben hat hatte ich ihr ihre ihrer im in ist kann kannst konnen konnte konnten liegen liegt liste man mich mir mit mochte nach oder sie sind stehen steht suche suchen uber um und uns viele vom wann
 was welche welchem welchen welcher welches wer wie will wir wissen wo wurde zeig zeige zeigen zu zum zur`),
	words(`aan alle als bestand bestanden ben bij cijfers dat deze die dit door downloaden een er ergens formaat geef geven gegevens graag had heb hebben hebt heeft het hoe hoeveel ik in is je jij jullie kan kun
 kunnen kunt laat lijst me met mij mijn naar nodig of om ons onze op over staan staat te toon tot u uit veel vind vinden voor waar wat we welk welke wie wij wil willen zie zien zijn zoek zoeken zou`),
	words(`archivo archivos buscar busco como con conjunto cual cuales cuando cuanto cuantos cuantas dame datos deme descargar donde encontrar encuentro es esta estan existe existen fichero ficheros formato
 gustaria hay las lista lo los me mi mostrar muestra muestrame necesito o para por puede puedes puedo que quiero quisiera se sobre son su sus tiene tienen todas todos un una unos unas ver y yo`),
	words(`ai all alla alle c cercare cerco che ci come con cosa dal dall dalla dammi dati dei degli dell delle dello dove e ed elenco esiste esistono fammi formato gli ha hai ho i il in io lo mi mostra mostrami nei nel nell nella
 nelle o per posso puo puoi quale quali quanti quanto se serve servono si sono su sui sul sull sulla sulle trovare trovo tutte tutti un una uno vedere voglio vorrei`),
}

// passedOver tells which words of a question say nothing of the data. Languages that it has equally many
// words of count alike.
func passedOver(spoken []token) func(word string) bool {
	most, hits := 0, make([]int, len(passed))
	for i := range passed {
		for _, t := range spoken {
			if passed[i][t.word] {
				hits[i]++
			}
		}
		most = max(most, hits[i])
	}
	return func(word string) bool {
		for i := range passed {
			if hits[i] == most && passed[i][word] {
				return true
			}
		}
		return passedAlways[word]
	}
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}
