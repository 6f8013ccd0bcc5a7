package translit

import (
	"strings"
	"unicode"
)

// cyrillicTable is the romanisation of one language. All keys are lower case.
type cyrillicTable struct {
	letters map[rune]string   // differences from the base table
	initial map[rune]string   // letters that differ at the start of a word
	pairs   map[string]string // two letters that are written otherwise together
	endings map[string]string // the same, but only at the end of a word
	words   map[string]string // whole words with a spelling fixed by law
}

// baseCyrillic is the Russian table, with a reading for the letters of the
// other alphabets, so that a foreign name inside a text is still legible.
var baseCyrillic = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ё': "yo", 'ж': "zh",
	'з': "z", 'и': "i", 'й': "y", 'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o",
	'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "kh", 'ц': "ts",
	'ч': "ch", 'ш': "sh", 'щ': "shch", 'ъ': "", 'ы': "y", 'ь': "", 'э': "e", 'ю': "yu",
	'я': "ya",
	'і': "i", 'ї': "i", 'є': "e", 'ґ': "g", 'ў': "u", 'ђ': "dj", 'ј': "j", 'љ': "lj",
	'њ': "nj", 'ћ': "c", 'џ': "dz", 'ѓ': "gj", 'ќ': "kj", 'ѕ': "dz",
	'ѣ': "e", 'ѳ': "f", 'ѵ': "i",
}

var russian = cyrillicTable{}

var ukrainian = cyrillicTable{
	letters: map[rune]string{
		'г': "h", 'ґ': "g", 'е': "e", 'є': "ie", 'и': "y", 'ї': "i", 'й': "i",
		'ю': "iu", 'я': "ia",
	},
	initial: map[rune]string{'є': "ye", 'ї': "yi", 'й': "y", 'ю': "yu", 'я': "ya"},
	pairs:   map[string]string{"зг": "zgh"}, // zh would read as ж
}

var bulgarian = cyrillicTable{
	letters: map[rune]string{'х': "h", 'щ': "sht", 'ъ': "a", 'ь': "y"},
	endings: map[string]string{"ия": "ia"},
	words:   map[string]string{"българия": "bulgaria"},
}

var belarusian = cyrillicTable{
	letters: map[rune]string{'г': "h", 'ґ': "g", 'е': "ye", 'ў': "w"},
}

var serbian = cyrillicTable{
	letters: map[rune]string{'ж': "z", 'х': "h", 'ц': "c", 'ч': "c", 'ш': "s"},
}

var macedonian = cyrillicTable{
	letters: map[rune]string{'х': "h", 'ц': "c", 'џ': "dzh"},
}

// word writes one word: Cyrillic letters, accents and inner apostrophes.
func (t *cyrillicTable) word(out *strings.Builder, word []rune) {
	caps := allCaps(word)
	letters := lowerLetters(word)
	if fixed, ok := t.words[string(letters)]; ok {
		out.WriteString(withCase(fixed, unicode.IsUpper(word[0]), caps))
		return
	}
	upper := upperFlags(word)
	for i := 0; i < len(letters); {
		lat, n := t.letter(letters, i)
		out.WriteString(withCase(lat, upper[i], caps))
		i += n
	}
}

// letter returns the spelling at position i and how many letters it covers.
func (t *cyrillicTable) letter(letters []rune, i int) (lat string, n int) {
	if i+2 <= len(letters) {
		pair := string(letters[i : i+2])
		if lat, ok := t.pairs[pair]; ok {
			return lat, 2
		}
		if lat, ok := t.endings[pair]; ok && i+2 == len(letters) {
			return lat, 2
		}
	}
	if lat, ok := t.initial[letters[i]]; ok && i == 0 {
		return lat, 1
	}
	return t.single(letters[i]), 1
}

// single spells one letter, if need be by the letter below its accent.
func (t *cyrillicTable) single(r rune) string {
	for _, candidate := range [2]rune{r, baseLetter(r)} {
		if lat, ok := t.letters[candidate]; ok {
			return lat
		}
		if lat, ok := baseCyrillic[candidate]; ok {
			return lat
		}
	}
	return decode(r)
}

// lowerLetters drops what is not a letter, such as stress marks and the
// apostrophe that Ukrainian writes before я, and lowers the rest.
func lowerLetters(word []rune) []rune {
	letters := make([]rune, 0, len(word))
	for _, r := range word {
		if unicode.IsLetter(r) && !isApostrophe(r) {
			letters = append(letters, unicode.ToLower(r))
		}
	}
	return letters
}

// upperFlags says for each letter of lowerLetters whether it was a capital.
func upperFlags(word []rune) []bool {
	flags := make([]bool, 0, len(word))
	for _, r := range word {
		if unicode.IsLetter(r) && !isApostrophe(r) {
			flags = append(flags, unicode.IsUpper(r))
		}
	}
	return flags
}
