package usage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shellWord quotes a word of a POSIX shell (IEEE Std 1003.1, section 2.2.2).
func shellWord(s string) string {
	return "'" + strings.ReplaceAll(clean(s), "'", `'\''`) + "'"
}

// literal quotes a string in the form that Python, R and JavaScript share:
// double quotes, with a backslash before quotes and backslashes.
func literal(s string) string {
	return `"` + doubled.Replace(clean(s)) + `"`
}

// What a backslash stands before, between double and between single quotes.
var (
	doubled = strings.NewReplacer(`"`, `\"`, `\`, `\\`)
	single  = strings.NewReplacer("'", `\'`, `\`, `\\`)
)

// sqlText quotes a string of SQL (ISO/IEC 9075-2, character string literal).
func sqlText(s string) string { return "'" + strings.ReplaceAll(clean(s), "'", "''") + "'" }

// sqlName quotes an identifier of SQL.
func sqlName(s string) string { return `"` + strings.ReplaceAll(clean(s), `"`, `""`) + `"` }

// sourceWord quotes a value of a data source of QGIS (QgsDataSourceUri).
func sourceWord(s string) string {
	return "'" + single.Replace(clean(s)) + "'"
}

// clean makes text valid and leaves out what no literal needs: control
// characters, which could end a line, and marks of the direction of writing,
// which could make code look like other code (CVE-2021-42574).
func clean(s string) string {
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unseen(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// unseen tells that a character has no picture of its own and may change how
// others look or where a line ends. The joiners of Persian and Indic scripts
// are letters of names.
func unseen(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != nonJoiner && r != joiner && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r))
}
