package source

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Shown is a text that a record shows without a language, and its translations.
type Shown struct{ Text, Translations []Text }

// ShownLanguage is the language in which a record shows its texts, "" where none of the translations says so:
// that of which most of them are the translation, the first of several. A title may be the same in
// many languages, its description is not. What a machine translated is shown only where nothing else fits.
func ShownLanguage(all ...Shown) string {
	best, most := "", 0
	for _, s := range all {
		for _, t := range s.Translations {
			if t.Lang == "" {
				continue
			}
			fits := 0
			for i := range all {
				if all[i].in(t.Lang) {
					fits += 2
				}
			}
			if fits > 0 && !catalog.MachineTag(t.Lang) {
				fits++
			}
			if fits > most {
				best, most = t.Lang, fits
			}
		}
	}
	return best
}

// in tells whether the text is its translation into a language.
func (s *Shown) in(lang string) bool {
	if len(s.Text) == 0 {
		return false
	}
	shown := strings.TrimSpace(s.Text[0].Value)
	for _, t := range s.Translations {
		if t.Lang == lang && shown != "" && strings.TrimSpace(t.Value) == shown {
			return true
		}
	}
	return false
}
