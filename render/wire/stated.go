package wire

import (
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// Stated are the members that say what the source states beyond one language
// and one name (decisions-2 §A to §E).
type Stated struct {
	Titles       catalog.Texts `json:"titles"`
	Descriptions catalog.Texts `json:"descriptions"`
	Keywords     catalog.Terms `json:"keywords"`
	// MachineTranslated are the tags under which a machine's translations stand.
	MachineTranslated []string         `json:"machine_translated"`
	AlternativeTitles []string         `json:"alternative_titles"`
	Languages         []string         `json:"languages"`
	RightsHolder      *Agent           `json:"rights_holder"`
	Creators          []Agent          `json:"creators"`
	Subjects          []string         `json:"subjects"`
	ConformsTo        []string         `json:"conforms_to"`
	Identifiers       []string         `json:"identifiers"`
	UpstreamAliases   []string         `json:"upstream_aliases"`
	Relations         []StatedRelation `json:"relations"`
}

// Agent is a body or a person as the source states it.
type Agent struct {
	Name        string        `json:"name"`
	Names       catalog.Texts `json:"names"`
	IRI         *string       `json:"iri"`
	Type        *string       `json:"type"`
	HomepageURL *string       `json:"homepage_url"`
}

// StatedRelation leads to another thing, an entry or not.
type StatedRelation struct {
	Kind    catalog.RelationKind `json:"kind"`
	Ref     *string              `json:"ref"`
	EntryID *string              `json:"entry_id"`
	Title   *string              `json:"title"`
}

func newStated(e *catalog.Entry) Stated {
	s := Stated{
		Titles: texts(e.Titles, e.NativeLang, e.Name, e.NameEn), Descriptions: texts(e.Descriptions, e.NativeLang, e.Description, e.DescriptionEn),
		Keywords: e.Keywords, MachineTranslated: machineTags(e), AlternativeTitles: list(e.AlternativeTitles), Languages: list(e.Languages),
		RightsHolder: newAgent(e.RightsHolder, e.NativeLang), Creators: []Agent{}, Subjects: list(e.Subjects), ConformsTo: list(e.ConformsTo),
		Identifiers: list(e.Identifiers), UpstreamAliases: list(e.UpstreamAliases), Relations: []StatedRelation{},
	}
	if s.Keywords == nil {
		s.Keywords = catalog.Terms{}
	}
	for i := range e.Creators {
		s.Creators = append(s.Creators, *newAgent(&e.Creators[i], e.NativeLang))
	}
	for _, r := range e.Relations {
		s.Relations = append(s.Relations, StatedRelation{r.Kind, null(r.Ref), null(r.EntryID), null(r.Title)})
	}
	return s
}

// texts are a field's texts by language. An entry that was harvested before
// languages were kept has the two that it shows.
func texts(all catalog.Texts, lang, shown, english string) catalog.Texts {
	if len(all) > 0 {
		return all
	}
	out := catalog.Texts{}
	if shown != "" {
		if lang == "" {
			lang = catalog.Undetermined
		}
		out[lang] = shown
	}
	if english != "" && out["en"] == "" {
		out["en"] = english
	}
	return out
}

func machineTags(e *catalog.Entry) []string {
	found := map[string]bool{}
	for _, all := range []catalog.Texts{e.Titles, e.Descriptions} {
		for tag := range all {
			if catalog.MachineTag(tag) {
				found[tag] = true
			}
		}
	}
	for tag := range e.Keywords {
		if catalog.MachineTag(tag) {
			found[tag] = true
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(found))...)
}

func newAgent(a *catalog.Agent, lang string) *Agent {
	if a == nil {
		return nil
	}
	name, _ := a.Names.In(lang)
	if name == "" {
		for _, tag := range append([]string{catalog.Undetermined}, a.Names.Tags()...) {
			if name = a.Names[tag]; name != "" {
				break
			}
		}
	}
	return &Agent{Name: name, Names: a.Names, IRI: null(a.IRI), Type: null(a.Type), HomepageURL: null(a.HomepageURL)}
}
