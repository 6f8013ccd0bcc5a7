package translit

// latinLetters are the Latin letters that are no letter-plus-accent, so that
// decomposition cannot help, and one sign that unidecode reads badly. Keys are
// lower case.
var latinLetters = map[rune]string{
	'ł': "l",
	'ø': "o",
	'æ': "ae",
	'œ': "oe",
	'ß': "ss",
	'đ': "d",
	'ð': "d",
	'þ': "th",
	'ı': "i",
	'ŋ': "n",
	'ħ': "h",
	'ŧ': "t",
	'ĸ': "k",
	'ə': "e",

	'°': " ", // also stands in the French n°, so not "deg"
}
