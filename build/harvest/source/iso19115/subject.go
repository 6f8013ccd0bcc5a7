package iso19115

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// subject is what a record is about.
type subject struct {
	// keywords are those in all languages.
	keywords []source.Text
	// themes are codes of the EU data themes, and words for them; hvd what
	// stands for categories of high-value datasets.
	themes, hvd []string
	// concepts are the IRIs of keywords, and topic categories.
	concepts []string
}

func (r *record) subject() subject {
	var s subject
	for _, list := range r.ident.All("descriptiveKeywords", "MD_Keywords") {
		thesaurus := strings.ToLower(r.first(list, "thesaurusName", "CI_Citation", "title").text())
		for _, k := range r.values(list, "keyword") {
			s.keywords = append(s.keywords, k.texts...)
			if strings.Contains(k.iri, "://") {
				s.concepts = append(s.concepts, k.iri)
			}
			s.mapped(k, thesaurus)
		}
	}
	for _, topic := range r.ident.All("topicCategory") {
		for _, w := range words(topic) {
			if codes := topics[w]; codes != nil {
				s.themes, s.concepts = append(s.themes, codes...), append(s.concepts, w)
				break
			}
		}
	}
	slices.Sort(s.concepts)
	s.concepts = slices.Compact(s.concepts)
	return s
}

// mapped takes what a keyword means in the vocabularies of the EU.
func (s *subject) mapped(k value, thesaurus string) {
	iri := strings.ToLower(k.iri)
	hvd := strings.Contains(iri, "data.europa.eu/bna/") || strings.Contains(thesaurus, "high-value") || strings.Contains(thesaurus, "hvd")
	switch {
	case strings.Contains(iri, "/authority/data-theme/"):
		s.themes = append(s.themes, k.iri)
	case strings.Contains(iri, "inspire.ec.europa.eu/theme/"):
		s.themes = append(s.themes, inspireThemes[source.LastSegment(iri)].codes...)
	case strings.Contains(thesaurus, "inspire theme") || strings.Contains(thesaurus, "inspire-theme"):
		for _, t := range k.texts {
			s.themes = append(s.themes, inspireLabels[letters(t.Value)]...)
		}
	case hvd:
		s.hvd = append(s.hvd, k.iri)
		for _, t := range k.texts {
			s.hvd = append(s.hvd, t.Value)
		}
	}
}

// Themes are the EU data themes that the IRI of a theme or of a topic category in the INSPIRE registry stands for, as
// the alignment of GeoDCAT-AP has it; nil for any other text.
func Themes(iri string) []string {
	switch last := source.LastSegment(iri); {
	case strings.Contains(iri, "inspire.ec.europa.eu/theme/"):
		return inspireThemes[last].codes
	case strings.Contains(iri, "inspire.ec.europa.eu/metadata-codelist/TopicCategory/"):
		return topics[last]
	}
	return nil
}

// topics maps MD_TopicCategoryCode to the EU data themes, as the alignment of
// GeoDCAT-AP has it.
var topics = map[string][]string{
	"farming": {"AGRI"}, "biota": {"ENVI"}, "boundaries": {"REGI", "GOVE"}, "climatologyMeteorologyAtmosphere": {"ENVI", "TECH"},
	"economy": {"ECON"}, "elevation": {"REGI", "ENVI"}, "environment": {"ENVI"}, "geoscientificInformation": {"REGI", "ENVI", "TECH"},
	"health": {"HEAL"}, "imageryBaseMapsEarthCover": {"REGI", "ENVI", "AGRI"}, "intelligenceMilitary": {"JUST"}, "inlandWaters": {"ENVI", "TRAN"},
	"location": {"REGI", "GOVE"}, "oceans": {"ENVI", "TRAN"}, "planningCadastre": {"REGI", "GOVE"}, "society": {"SOCI", "EDUC"},
	"structure": {"REGI", "TRAN"}, "transportation": {"TRAN"}, "utilitiesCommunication": {"ENER", "ENVI", "GOVE"},
	"extraTerrestrial": {"TECH"}, "disaster": {"ENVI", "JUST"},
}

type inspireTheme struct {
	label string
	codes []string
}

// inspireThemes are the themes of the INSPIRE directive by the last part of
// their IRIs, with the EU data themes that the alignment of GeoDCAT-AP gives
// them.
var inspireThemes = map[string]inspireTheme{
	"ac": {"Atmospheric conditions", []string{"ENVI", "TECH"}}, "ad": {"Addresses", []string{"REGI"}},
	"af": {"Agricultural and aquaculture facilities", []string{"AGRI"}}, "am": {"Area management/restriction/regulation zones and reporting units", []string{"GOVE", "ENVI"}},
	"au": {"Administrative units", []string{"REGI", "GOVE"}}, "br": {"Bio-geographical regions", []string{"ENVI"}}, "bu": {"Buildings", []string{"REGI"}},
	"cp": {"Cadastral parcels", []string{"REGI"}}, "ef": {"Environmental monitoring facilities", []string{"ENVI"}}, "el": {"Elevation", []string{"REGI", "ENVI"}},
	"er": {"Energy resources", []string{"ENER"}}, "ge": {"Geology", []string{"TECH", "ENVI"}}, "gg": {"Geographical grid systems", []string{"REGI"}},
	"gn": {"Geographical names", []string{"REGI"}}, "hb": {"Habitats and biotopes", []string{"ENVI"}}, "hh": {"Human health and safety", []string{"HEAL"}},
	"hy": {"Hydrography", []string{"ENVI"}}, "lc": {"Land cover", []string{"ENVI", "AGRI"}}, "lu": {"Land use", []string{"ENVI", "AGRI"}},
	"mf": {"Meteorological geographical features", []string{"ENVI", "TECH"}}, "mr": {"Mineral resources", []string{"ECON", "ENVI"}}, "nz": {"Natural risk zones", []string{"ENVI"}},
	"of": {"Oceanographic geographical features", []string{"ENVI"}}, "oi": {"Orthoimagery", []string{"REGI", "ENVI"}},
	"pd": {"Population distribution — demography", []string{"SOCI"}}, "pf": {"Production and industrial facilities", []string{"ECON"}},
	"ps": {"Protected sites", []string{"ENVI"}}, "rs": {"Coordinate reference systems", []string{"REGI"}}, "sd": {"Species distribution", []string{"ENVI"}},
	"so": {"Soil", []string{"ENVI", "AGRI"}}, "sr": {"Sea regions", []string{"ENVI"}}, "su": {"Statistical units", []string{"REGI", "SOCI"}},
	"tn": {"Transport networks", []string{"TRAN"}}, "us": {"Utility and governmental services", []string{"GOVE"}},
}

// inspireLabels are the data themes of INSPIRE themes by their English labels.
var inspireLabels = func() map[string][]string {
	m := map[string][]string{}
	for _, t := range inspireThemes {
		m[letters(t.label)] = t.codes
	}
	return m
}()
