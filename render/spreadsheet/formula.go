// Package spreadsheet makes fields of a table safe for programs that run what
// looks like a formula (OWASP, "CSV Injection").
//
// # The rule
//
// A field is executable if, after spaces, quotes and invisible characters, it
// begins with = + - or @ or a full-width form of them, and what begins there is
// not a plain number; or if it begins with a tab, a carriage return or a line
// feed. Such a field gets a single quote in front. Programs whose list separator
// is not the comma split a row elsewhere: what follows a semicolon, a tab or the
// end of a line within a field is held to the same rule, and is never a number,
// because they read on to the next separator.
//
// A field that begins with a quote before a formula gets another one, so that
// Unescape undoes Escape for every text.
package spreadsheet

import (
	"regexp"
	"strings"
	"unicode"
)

// Escape makes a field safe. A field that no program runs stays what it is.
func Escape(field string) string {
	if !separated(field) && !executable(field, true) {
		return field
	}
	var b strings.Builder
	for start := 0; ; {
		if executable(field[start:], start == 0) {
			b.WriteByte('\'')
		}
		n := strings.IndexAny(field[start:], separators)
		if n < 0 {
			b.WriteString(field[start:])
			return b.String()
		}
		b.WriteString(field[start : start+n+1])
		start += n + 1
	}
}

// Unescape is the field of which Escape made this one.
func Unescape(field string) string {
	var b strings.Builder
	for start := 0; ; {
		rest := field[start:]
		if strings.HasPrefix(rest, "'") && executable(rest, start == 0) {
			rest = rest[1:]
		}
		n := strings.IndexAny(rest, separators)
		if n < 0 {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(rest[:n+1])
		start = len(field) - len(rest) + n + 1
	}
}

const (
	// triggers begin a formula.
	triggers = "=+-@＝＋－＠"
	// separators end a field for some program or other.
	separators = ";\t\r\n"
)

// separated tells whether a field is several for some program, which few are: each separator is looked for by itself, with
// the instructions that the processor has for it.
func separated(field string) bool {
	for i := range len(separators) {
		if strings.IndexByte(field, separators[i]) >= 0 {
			return true
		}
	}
	return false
}

// number is what a spreadsheet reads as a signed number.
var number = regexp.MustCompile(`^[+-][0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// executable tells whether a program that begins a cell here could run it;
// first is the beginning of the field. A quote in front changes no answer.
func executable(s string, first bool) bool {
	for i, r := range s {
		switch {
		case strings.ContainsRune(triggers, r):
			return !first || !number.MatchString(s[i:])
		case strings.ContainsRune(separators, r):
			return first && r != ';'
		case !ignored(r):
			return false
		}
	}
	return false
}

// ignored are characters that a program may drop before it looks for a formula.
func ignored(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'`＂＇", r)
}
