package reference

import (
	"regexp"
	"strings"

	"github.com/assay-register/assay/render/search"
)

// ccWords are the words of which names of Creative Commons licences are made, folded: "" are those that do not decide
// which licence it is.
var ccWords = func() map[string]string {
	m := map[string]string{}
	for part, words := range map[string]string{
		"": `creative commons licence license licences licencia licenza licenca licens lizenz licencja licentie lisens lisenssi licencija licenc licenta the a an public universal
			international internacional internazionale internationale internationell internasjonal kansainvalinen unported generic deed legal code miedzynarodowe
			mezinarodni medzinarodna mednarodna medunarodna medjunarodna rahvusvaheline nemzetkozi tarptautine starptautiska uluslararasi diethnes διεθνεσ міжнародна международная 国際 國際
			uznanie uvedte uvedenie priznanje nevezd αναφορα із зазначенням с указанием クリエイティブ コモンズ keine unter weitergabe bedingungen pas de d utilisation dans les memes conditions sin obra opere
			non allo stesso geen werken`,
		"by": `by attribution attribuzione namensnennung reconocimiento atribucion atribuicao autorstwa erkannande navngivelse navngiving naamsvermelding
			nimea paternite reconeixement priskyrimas puvod autorstva avtorstva imenovanje meg viitamine attiecinajums atribuire δημιουργου авторства atif 表示 姓名標示 署名 저작자표시 erkenning`,
		"sa": `sa sharealike compartirigual compartilhaigual gleichen partage condividi gelijkdelen compartir zachovejte`,
		"nc": `nc noncommercial nocomercial naocomercial noncommerciale nonkommerziell kommerziell commerciale nietcommercieel niekomercyjne nekomercni`,
		"nd": `nd noderivatives noderivs bearbeitung bearbeitungen modification derivada derivate afgeleide`,
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = part
		}
	}
	return m
}()

var ccToken = regexp.MustCompile(`\d\.\d|[\pL]+|\d+`)

// creativeCommons is the SPDX id of a Creative Commons licence that a text names in words or letters, with its
// version ("Creative Commons Attribution 4.0 (CC BY 4.0)"): "" if a word of it means anything else, or the
// version is missing.
func creativeCommons(raw string) string {
	if len(raw) > 120 || !strings.Contains(raw, ".0") && !strings.Contains(raw, ".5") {
		return ""
	}
	name := strings.NewReplacer("non-commercial", "noncommercial", "share-alike", "sharealike", "no-derivatives", "noderivatives", "niet-commercieel", "nietcommercieel", "nicht kommerziell", "nonkommerziell", "nicht-kommerziell", "nonkommerziell").Replace(search.Fold(raw))
	parts, version, igo, cc := map[string]bool{}, "", "", false
	for _, t := range ccToken.FindAllString(name, -1) {
		part, known := ccWords[t]
		switch {
		case strings.Contains(t, "."):
			if version != "" && version != t {
				return ""
			}
			version = t
		case t == "cc" || t == "commons":
			cc = true
		case t == "igo":
			igo = "-IGO"
		case !known:
			return ""
		case part != "":
			parts[part] = true
		}
	}
	if !parts["by"] || version == "" || !cc && version != "4.0" {
		return ""
	}
	id := "CC-BY"
	for _, part := range []string{"nc", "nd", "sa"} {
		if parts[part] {
			id += "-" + strings.ToUpper(part)
		}
	}
	return id + "-" + version + igo
}
