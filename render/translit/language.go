package translit

import (
	"strings"
	"unicode"
)

// cyrillicLanguages are the languages whose name decides the table. The ones
// without a standard here share the Russian letters and must not be guessed:
// Kazakh і would look Ukrainian.
var cyrillicLanguages = map[string]*cyrillicTable{
	"uk": &ukrainian, "bg": &bulgarian, "be": &belarusian, "mk": &macedonian, "ru": &russian,
	"sr": &serbian, "bs": &serbian, "sh": &serbian, "cnr": &serbian,
	"kk": &russian, "ky": &russian, "mn": &russian, "tg": &russian, "tt": &russian,
	"ba": &russian, "cv": &russian, "ce": &russian, "os": &russian, "uz": &russian,
}

// cyrillicFor chooses the table by the language tag, else by the letters.
func cyrillicFor(text []rune, lang string) *cyrillicTable {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(lang), "_", "-"), "-")
	if t, ok := cyrillicLanguages[primary]; ok {
		return t
	}
	return detectCyrillic(text)
}

// detectCyrillic guesses the language by letters that only some alphabets have.
// The order matters: ў settles a text that also has і, and ы or э beside і
// is Belarusian, because Ukrainian has neither.
func detectCyrillic(text []rune) *cyrillicTable {
	lower := make([]rune, len(text))
	for i, r := range text {
		lower[i] = unicode.ToLower(r)
	}
	has := func(letters string) bool { return containsAny(lower, letters) }
	switch {
	case has("әғқңөұүһҳҷӣӯ"): // Central Asian alphabets
		return &russian
	case has("ў"), has("і") && has("ыэё"):
		return &belarusian
	case has("іїєґ"):
		return &ukrainian
	case has("ѓќѕ"):
		return &macedonian
	case has("ђћљњџј"):
		return &serbian
	case !has("ыэё") && hasVowelHardSign(lower):
		return &bulgarian
	default:
		return &russian
	}
}

// hasVowelHardSign reports whether ъ is read as a vowel: a consonant follows
// it. In Russian a vowel follows (объект), or nothing in the old spelling.
func hasVowelHardSign(lower []rune) bool {
	for i := 0; i+1 < len(lower); i++ {
		if lower[i] == 'ъ' && strings.ContainsRune("бвгджзклмнпрстфхцчшщ", lower[i+1]) {
			return true
		}
	}
	return false
}

func containsAny(text []rune, letters string) bool {
	for _, r := range text {
		if strings.ContainsRune(letters, r) {
			return true
		}
	}
	return false
}
