package search

import (
	"slices"
	"testing"
)

func TestAround(t *testing.T) {
	const ghent, flanders = ConceptMark + "geonames:2797656", ConceptMark + "region:BE-VLG"
	a := AroundOf(ghent)
	if a.Inside != Somewhere+"geonames:2797656" || !slices.Contains(a.Regions, flanders) || a.Country != ConceptMark+"country:BE" {
		t.Errorf("around Ghent: %+q", a)
	}
	for _, term := range []string{ConceptMark + "country:BE", ConceptMark + "population", "ghent", ""} {
		if a := AroundOf(term); a.Inside != "" || a.Regions != nil || a.Country != "" {
			t.Errorf("around %q: %+q", term, a)
		}
	}
}

// TestWhereADocumentIs notes the regions of what it is of, not of what it mentions, and how it is of a place.
func TestWhereADocumentIs(t *testing.T) {
	const ghent, inFlanders = ConceptMark + "geonames:2797656", Somewhere + "region:BE-VLG"
	for name, c := range map[string]struct {
		field  Field
		value  string
		inside bool
		impact byte
	}{
		"title": {FieldTitle, "Trees of Ghent", true, placeImpact}, "publisher": {FieldInstitution, "Stad Gent", true, placeImpact},
		"code": {FieldCodes, "geonames:2797657", true, placeImpact}, "tag": {FieldTags, "Ghent", true, tagImpact}, "text": {FieldText, "Not in Ghent", false, mentionImpact},
	} {
		var a Analyser
		d := Document{FieldTitle: {{Value: "x", Lang: "en"}}}
		d[c.field] = append(d[c.field], Text{c.value, ""})
		impacts := map[string]byte{}
		for _, o := range a.Analyse(&d).Terms {
			impacts[o.Term] = o.Impact
		}
		if impacts[ghent] != c.impact || (impacts[inFlanders] > 0) != c.inside || (impacts[Somewhere] > 0) != c.inside {
			t.Errorf("%s: Ghent %d, in Flanders %d, somewhere %d", name, impacts[ghent], impacts[inFlanders], impacts[Somewhere])
		}
	}
}

// TestPlurals finds the name of which a plural is, although the name ends as plurals do.
func TestPlurals(t *testing.T) {
	got := Mentions([]string{"speeltuinen"})
	if len(got) != 1 || got[0].Term != ConceptMark+"playground" || got[0].Part {
		t.Errorf("speeltuinen: %+v", got)
	}
}

func TestYears(t *testing.T) {
	for term, want := range map[string]bool{"2019": true, "1899": false, "1900": true, "20a9": false, "201": false, "20199": false, "": false} {
		if IsYear(term) != want {
			t.Errorf("%q is a year: %v", term, !want)
		}
	}
}
