package source

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// moreLanguageNames are names that the CLDR does not have: short ones, the two of Norwegian, and codes of countries that
// stand for their language and are the code of no other.
var moreLanguageNames = map[string]string{
	"castellano": "es", "castilian": "es", "norsk": "no", "norwegian": "no", "bokmal": "nb", "nynorsk": "nn", "flemish": "nl", "vlaams": "nl",
	"suomi": "fi", "moldovan": "ro", "正體中文": "zh-Hant", "繁體中文": "zh-Hant", "簡體中文": "zh-Hans", "farsi": "fa", "slovene": "sl", "bahasaindonesia": "id", "bahasamelayu": "ms", "galego": "gl",
	"cz": "cs", "dk": "da", "gr": "el", "ua": "uk", "jp": "ja", "cn": "zh",
}

// namersOfLanguages are the languages in which all languages are called by their names, beside their own.
var namersOfLanguages = []language.Tag{language.English, language.French, language.German, language.Dutch, language.Spanish, language.Italian, language.Portuguese}

// languageNames are the names of the languages that have two letters, folded, in the namers and in themselves (CLDR). One
// that several languages have is none's. Those of three letters and fewer would be taken for codes.
var languageNames = sync.OnceValue(func() map[string]string {
	const shortest = 4
	m := map[string]string{}
	add := func(name, code string) {
		key := foldName(name)
		if known, taken := m[key]; taken && known != code {
			code = ""
		}
		if len(key) >= shortest {
			m[key] = code
		}
	}
	for _, code := range languageCodes() {
		tag := language.MustParse(code)
		add(display.Self.Name(tag), code)
		for _, namer := range namersOfLanguages {
			add(display.Languages(namer).Name(tag), code)
		}
	}
	for name, code := range moreLanguageNames {
		m[name] = code
	}
	return m
})

// retiredCodes were codes of languages that have another one now, or are those of two.
const retiredCodes = "iw in ji jw mo sh no"

// languageCodes are the codes of two letters that are a language's own.
func languageCodes() (codes []string) {
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			code := string([]rune{a, b})
			if base, err := language.ParseBase(code); err == nil && base.String() == code && !strings.Contains(retiredCodes, code) {
				codes = append(codes, code)
			}
		}
	}
	return append(codes, "zh-Hant", "zh-Hans")
}

// wordsForLanguage stand beside the name of one: "eesti keel", "język polski".
var wordsForLanguage = strings.Fields("language langue sprache taal idioma lingua jezyk jazyk keel kalba valoda nyelv limba език мова язык γλωσσα sprak sprog jezik")

// languageNamed is the language whose name a statement is; what stands in brackets or behind a semicolon says it again.
func languageNamed(s string) (string, bool) {
	names := languageNames()
	if code := names[foldName(s)]; code != "" {
		return code, true
	}
	s, _, _ = strings.Cut(s, "(")
	if before, after, two := strings.Cut(s, ";"); two && len(strings.TrimSpace(after)) > 3 {
		s = before
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(wordsForLanguage, foldName(w)) })
	code := names[foldName(strings.Join(words, ""))]
	return code, code != ""
}

// noCommonCode tells of a word that it is no code of a language that has one of two letters, too. Of three letters there
// are codes that are words: "not set" names no two languages.
func noCommonCode(word string) bool {
	const longestCode = 3
	tag, ok := Language(word)
	return !ok || len(word) > longestCode || len(tag) > 2
}

// severalLanguages are the parts of a statement that lists languages: "nl,fr", "de / fr", "fr nl". Of "eng; USA", the
// language and the country of ISO 19139, it is the language.
func severalLanguages(raw string) []string {
	if strings.Contains(raw, "://") {
		return nil
	}
	if lang, country, two := strings.Cut(raw, ";"); two {
		if country = strings.TrimSpace(country); len(country) == 3 && strings.ToUpper(country) == country && strings.ToLower(lang) == lang {
			return []string{lang}
		}
	}
	parts := strings.FieldsFunc(raw, func(r rune) bool { return strings.ContainsRune(",;|/+&", r) })
	if words := strings.Fields(raw); len(parts) == 1 && !slices.ContainsFunc(words, noCommonCode) {
		parts = words
	}
	return parts
}
