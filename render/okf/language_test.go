package okf

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// TestOneLanguage: title, description and publisher of a concept are in the title's language where
// they are known in it, and the language of another is said.
func TestOneLanguage(t *testing.T) {
	for _, c := range []struct {
		name                                 string
		edit                                 func(*catalog.Entry, *catalog.Institution)
		description, in, publisher, calledIn string
	}{
		{"all native", func(e *catalog.Entry, _ *catalog.Institution) { e.DescriptionEn = "The people of the country." },
			"Les habitants du pays.", "fr", "Office de la statistique", "fr"},
		{"only English", func(e *catalog.Entry, i *catalog.Institution) {
			e.Description, e.DescriptionEn, i.Name = "", "The people of the country.", ""
		}, "The people of the country.", "en", "Statistics Office", "en"},
		{"nothing said", func(e *catalog.Entry, i *catalog.Institution) { e.Description, e.InstitutionID = "", "" }, "Dataset.", "en", "", ""},
		{"name by language", func(_ *catalog.Entry, i *catalog.Institution) {
			i.Name, i.NativeLang, i.Names = "Statistiekbureau", "nl", catalog.Texts{"nl": "Statistiekbureau", "fr": "Office de la statistique"}
		}, "Les habitants du pays.", "fr", "Office de la statistique", "fr"},
		{"name of another language", func(_ *catalog.Entry, i *catalog.Institution) { i.Name, i.NativeLang = "Statistiekbureau", "nl" },
			"Les habitants du pays.", "fr", "Statistiekbureau", "nl"},
		{"stated", func(e *catalog.Entry, _ *catalog.Institution) { e.PublisherName = "INS" }, "Les habitants du pays.", "fr", "INS", ""},
		{"stated by language", func(e *catalog.Entry, _ *catalog.Institution) {
			e.PublisherName, e.Publisher = "Statistics", &catalog.Agent{Names: catalog.Texts{"en": "Statistics", "fr": "Statistique"}}
		}, "Les habitants du pays.", "fr", "Statistique", "fr"},
		{"description of another language", func(e *catalog.Entry, _ *catalog.Institution) {
			e.Description, e.Descriptions = "Die Leute des ganzen Landes.", catalog.Texts{"de": "Die Leute des ganzen Landes."}
		}, "Die Leute des ganzen Landes.", "de", "Office de la statistique", "fr"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, i := entry(catalog.TypeDataset, "people", "Population"), institutions[0]
			i.Name, i.NameEn, i.NativeLang = "Office de la statistique", "Statistics Office", "fr"
			r.Entry.NativeLang, r.Entry.Description, r.Entry.InstitutionID = "fr", "Les habitants du pays.", i.ID
			c.edit(&r.Entry, &i)
			s := freezeFrame(noon).Score(r, search.Fold(r.Entry.Name))
			if s.Institution = nil; r.Entry.InstitutionID != "" {
				s.Institution = &i
			}
			text, in := summaryOf(s)
			name, called := publisher(s)
			if text != c.description || in != c.in || name != c.publisher || called != c.calledIn {
				t.Errorf("%q in %q by %q in %q", text, in, name, called)
			}
		})
	}
}
