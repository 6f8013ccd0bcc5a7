package source

import "unicode"

// scripts are those that one official language of the world writes alone.
var scripts = []struct {
	table *unicode.RangeTable
	lang  string
}{
	{unicode.Greek, "el"}, {unicode.Hangul, "ko"}, {unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hebrew, "he"},
	{unicode.Thai, "th"}, {unicode.Georgian, "ka"}, {unicode.Armenian, "hy"}, {unicode.Khmer, "km"}, {unicode.Lao, "lo"},
	{unicode.Sinhala, "si"}, {unicode.Tamil, "ta"}, {unicode.Telugu, "te"}, {unicode.Kannada, "kn"}, {unicode.Malayalam, "ml"},
	{unicode.Gujarati, "gu"}, {unicode.Gurmukhi, "pa"}, {unicode.Myanmar, "my"}, {unicode.Thaana, "dv"},
}

// scriptLanguage is the language that a text's script decides, or "". More
// than half of the letters must be of the script; Japanese counts its Han
// characters in when there is Kana among them, Han alone decides nothing.
func scriptLanguage(s string) string {
	if !beyondLatin(s) {
		return ""
	}
	letters, han := 0, 0
	counts := map[string]int{}
	for _, r := range s {
		if r < 0x370 {
			if unicode.IsLetter(r) {
				letters++
			}
			continue
		}
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if unicode.Is(unicode.Han, r) {
			han++
			continue
		}
		if lang := languageOf(r); lang != "" {
			counts[lang]++
		}
	}
	if counts["ja"] > 0 {
		counts["ja"] += han
	}
	for lang, n := range counts {
		if n >= 2 && 2*n > letters {
			return lang
		}
	}
	return ""
}

// beyondLatin tells that s has a character from U+0340 on: a first byte from
// 0xCD on in UTF-8.
func beyondLatin(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xcd {
			return true
		}
	}
	return false
}

func languageOf(r rune) string {
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.lang
		}
	}
	return ""
}
