package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

func TestStatedTextsOfAllLanguages(t *testing.T) {
	e := &catalog.Entry{Name: "Air", NameEn: "Air", NativeLang: "nl", Description: "Lucht",
		Titles:   catalog.Texts{"nl": "Lucht", "fr": "Air", "de-t-nl": "Luft"},
		Keywords: catalog.Terms{"fr": {"eau, douce"}, "en-t-fr": {"water"}}}
	s := newStated(e)
	if d := cmp.Diff(e.Titles, s.Titles); d != "" {
		t.Errorf("titles (-want +got):\n%s", d)
	}
	// Without texts by language, those that are shown stand in.
	if d := cmp.Diff(catalog.Texts{"nl": "Lucht"}, s.Descriptions); d != "" {
		t.Errorf("descriptions (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"de-t-nl", "en-t-fr"}, s.MachineTranslated); d != "" {
		t.Errorf("machine_translated (-want +got):\n%s", d)
	}
	if d := cmp.Diff(e.Keywords, s.Keywords); d != "" {
		t.Errorf("keywords (-want +got):\n%s", d)
	}
}

func TestTextsOfTwoLanguages(t *testing.T) {
	for _, c := range []struct {
		lang, shown, english string
		want                 catalog.Texts
	}{
		{"el", "Αέρας", "Air", catalog.Texts{"el": "Αέρας", "en": "Air"}},
		{"", "Air", "", catalog.Texts{catalog.Undetermined: "Air"}},
		{"en", "Air quality", "Air", catalog.Texts{"en": "Air quality"}},
		{"el", "", "", catalog.Texts{}},
	} {
		if d := cmp.Diff(c.want, texts(nil, c.lang, c.shown, c.english)); d != "" {
			t.Errorf("%+v (-want +got):\n%s", c, d)
		}
	}
}

func TestStatedAgentsAndRelations(t *testing.T) {
	e := &catalog.Entry{NativeLang: "fr", RightsHolder: &catalog.Agent{Names: catalog.Texts{"nl": "Stad", "fr": "Ville"}, IRI: "https://example.org/x"},
		Creators:  []catalog.Agent{{Names: catalog.Texts{"nl": "Stad"}}},
		Relations: []catalog.Relation{{Kind: catalog.RelationSeries, Ref: "r"}, {Kind: catalog.RelationServes, EntryID: "e", Title: "T"}}}
	s := newStated(e)
	if s.RightsHolder.Name != "Ville" || *s.RightsHolder.IRI != "https://example.org/x" || s.RightsHolder.HomepageURL != nil {
		t.Errorf("rights holder %+v", s.RightsHolder)
	}
	if len(s.Creators) != 1 || s.Creators[0].Name != "Stad" {
		t.Errorf("creators %+v", s.Creators)
	}
	if r := s.Relations; len(r) != 2 || *r[0].Ref != "r" || r[0].EntryID != nil || *r[1].EntryID != "e" || *r[1].Title != "T" {
		t.Errorf("relations %+v", r)
	}
	if none := newStated(&catalog.Entry{}); none.RightsHolder != nil || none.Keywords == nil || none.Creators == nil || none.Relations == nil || none.MachineTranslated == nil {
		t.Errorf("an entry that states nothing: %+v", none)
	}
}
