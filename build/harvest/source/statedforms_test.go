package source

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestLanguageNames(t *testing.T) {
	for raw, want := range map[string]string{
		"Lietuvių": "lt", "Latviešu": "lv", "Eesti": "et", "eesti keel": "et", "język polski": "pl", "Română": "ro", "Shqip": "sq", "Македонски": "mk",
		"Íslenska": "is", "Norsk bokmål": "nb", "Nynorsk": "nn", "Norsk": "no", "Anglais": "en", "Niederländisch": "nl", "Französisch": "fr", "Inglés": "en",
		"español; castellano": "es", "français (FR)": "fr", "ไทย": "th", "Tiếng Việt": "vi", "Bahasa Indonesia": "id", "עברית": "he", "Hebrew": "he",
		"العربية": "ar", "ქართული": "ka", "繁體中文": "zh-Hant", "cz": "cs", "jp": "ja", "se": "se", "in": "id", "lit": "lt", "multilingual": "", "English and French": "",
		"Esperanto for all": "", "Other": "",
	} {
		if got, _ := Language(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestSeveralLanguages(t *testing.T) {
	for raw, want := range map[string][]string{
		"nl,fr": {"nl", "fr"}, "NLD, FRA": {"nl", "fr"}, "de / fr": {"de", "fr"}, "Deutsch, Französisch": {"de", "fr"}, "fr nl": {"fr", "nl"},
		"eng; USA": {"en"}, "spa;ESP": {"es"}, "ger; fre": {"de", "fr"}, "zh-TW": {"zh-TW"}, "none at all": nil,
		"not set": nil, "n/a": nil, "see pdf": nil, "eng fra": {"en", "fr"},
		"http://publications.europa.eu/resource/authority/language/FRA": {"fr"},
	} {
		if got := LanguageTags([]string{raw}); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestAccessOfMoreCountries(t *testing.T) {
	for raw, want := range map[string]catalog.AccessRights{
		"Viešas": catalog.RightsPublic, "Publisks": catalog.RightsPublic, "Δημόσια": catalog.RightsPublic, "публічна інформація": catalog.RightsPublic,
		"Opið": catalog.RightsPublic, "Sin restricciones": catalog.RightsPublic, "uneingeschränkt": catalog.RightsPublic, "ogólnodostępny": catalog.RightsPublic,
		"Piiratud juurdepääs": catalog.RightsRestricted, "обмежений доступ": catalog.RightsRestricted, "Ograničen pristup": catalog.RightsRestricted,
		"Mitteavalik": catalog.RightsNonPublic, "Μη δημόσια": catalog.RightsNonPublic, "Nem nyilvános": catalog.RightsNonPublic,
		"frei": "", "free access": "", "otherRestrictions": "", "none": "",
	} {
		if got, _ := AccessRights(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}
