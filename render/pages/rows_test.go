package pages

import (
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// A list describes an entry in the reader's language, in words of people before those of a machine; in
// English or its own where it has none in that, and a change of any of these is a change of the row.
func TestListsDescribeInTheReadersLanguage(t *testing.T) {
	rows := rendertest.Rows()
	var air *catalog.Row
	for _, r := range rows {
		if r.Entry.Slug == rendertest.AirDataset {
			air = r
		}
	}
	e := &air.Entry
	e.NativeLang, e.Description, e.DescriptionEn = "fr-BE", "Polluants de l’air.", "Pollutants."
	e.Descriptions = catalog.Texts{"fr-BE": e.Description, "en": e.DescriptionEn, "nl": "Vervuiling.", "nl-t-fr": "Verontreinigende stoffen."}
	c := rendertest.Freeze(t, rendertest.Site, rendertest.At, rows)
	gathered := snapshot.Fragments{}
	ordinal := -1
	for i := range c.Lines {
		if c.Lines[i].Slug == rendertest.AirDataset {
			ordinal = i
			f, err := aboutsFragment(e)
			if err != nil || f.Stream != aboutsStream {
				t.Fatal(err, f.Stream)
			}
			gathered.Add(i, []artifact.Fragment{f})
		}
	}
	c.Streams = gathered.Streams()
	b := New().bookOf(c)
	for lang, want := range map[string][2]string{"en": {"Pollutants.", "en"}, "fr": {"Polluants de l’air.", "fr-BE"}, "nl": {"Vervuiling.", "nl"}, "de": {"Pollutants.", "en"}} {
		list, err := b.rowsOf(locales()[lang], []int32{int32(ordinal)}, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{list[0].About, list[0].AboutLang}; got != want {
			t.Errorf("in %s: %q, want %q", lang, got, want)
		}
	}
	before := Row(rendertest.Frame().Score(air, ""))
	e.Descriptions["nl"] = "Luchtvervuiling."
	if Row(rendertest.Frame().Score(air, "")) == before {
		t.Error("a list would keep the Dutch description that has changed")
	}
	if f, err := aboutsFragment(&catalog.Entry{NativeLang: "en", Description: "Tides."}); err != nil || len(f.Body) != 0 {
		t.Errorf("an entry with a description in its own language only adds %s, %v", f.Body, err)
	}
}
